internal import TodoAPI
internal import TodoService

/// The options on the command line of `todod`.
struct DaemonOptions {
    enum Action: Equatable {
        case run
        case printHelp
        case printVersion
        /// Report how a start would use the store, and end.
        case check
        /// Report the wrong lines of the configuration, and end.
        case checkConfiguration
        /// Migrate the store to the current version, and end.
        case migrate
        /// Replace the store with a copy, and end.
        case restore(copy: String)
    }

    /// A usage error, for standard error.
    struct UsageError: Error, CustomStringConvertible {
        let description: String
    }

    var action = Action.run
    var configurationFile: String?
    var socketPath: String?
    var storePath: String?
    /// The seconds between two checks, for tests, or `nil` for the full minutes of the clock.
    var tickSeconds: Int?

    init(arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            // `--socket=PATH` and `--socket PATH` mean the same.
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                String.init)
            let option = argument.hasPrefix("--") ? parts[0] : argument
            var inlineValue = argument.hasPrefix("--") && parts.count == 2 ? parts[1] : nil
            func value() throws(UsageError) -> String {
                defer { inlineValue = nil }
                if let value = inlineValue ?? rest.popFirst(), !value.isEmpty { return value }
                throw UsageError(description: "\(option) needs a value")
            }
            switch option {
            case "--help", "-h": action = .printHelp
            case "--version", "-V": action = .printVersion
            case "--check": action = .check
            case "--check-config": action = .checkConfiguration
            case "--migrate": action = .migrate
            case "--restore": action = .restore(copy: try value())
            case "--config", "-c": configurationFile = try value()
            case "--socket": socketPath = try value()
            case "--store": storePath = try value()
            case "--tick-seconds":
                let text = try value()
                guard let seconds = Int(text), (1...60).contains(seconds) else {
                    throw UsageError(description: "--tick-seconds takes a number from 1 to 60, not '\(text)'")
                }
                tickSeconds = seconds
            default:
                throw UsageError(
                    description: argument.hasPrefix("-")
                        ? "there is no option '\(argument)'" : "'\(argument)' is not an option")
            }
            if inlineValue != nil { throw UsageError(description: "\(option) takes no value") }
        }
    }

    static let help = """
        Usage: todod [OPTION]...

        Sends an alert to the systemd journal and the desktop before a to-do item is
        due. It runs in the foreground until SIGTERM or Ctrl-C. To run it as a service:
          systemctl --user enable --now todod.socket todod.service
        To edit the items, use todoctl.

          -c, --config FILE   read FILE instead of ~/.config/todod/todod.conf and
                              todod.conf.d/
              --socket PATH   listen at PATH instead of $TODOD_SOCKET or
                              $XDG_RUNTIME_DIR/todod/socket
              --store PATH    keep the items in PATH instead of
                              ~/.local/share/todod/todo.sqlite
              --check         check the whole store, report its state and the
                              effect of a start, and exit
              --migrate       migrate the store to the current version, and exit
              --restore COPY  replace the store with COPY, keep the old store
                              beside it, and exit
              --check-config  list the wrong lines of the configuration, and
                              exit
          -h, --help          print this and exit
          -V, --version       print the version and exit

        Signals: SIGHUP reads the configuration again, SIGUSR1 checks for due items
        now.

        Exit status: 0 stopped as requested, 65 a damaged store, 78 a wrong line found
        by --check-config, a wrong line that may name the store, or a missing store of
        Path=, 1 any other error.

        """
}
