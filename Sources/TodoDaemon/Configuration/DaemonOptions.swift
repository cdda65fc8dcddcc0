internal import Platform
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

    var action = Action.run
    var configurationFile: String?
    var socketPath: String?
    var storePath: String?
    /// The seconds between two checks, for tests, or `nil` for the full minutes of the clock.
    var tickSeconds: Int?

    init(arguments: [String]) throws(CommandLineOptions.UsageError) {
        var options = CommandLineOptions(arguments)
        while let option = try options.next() {
            switch option {
            case "--help", "-h": action = .printHelp
            case "--version", "-V": action = .printVersion
            case "--check": action = .check
            case "--check-config": action = .checkConfiguration
            case "--migrate": action = .migrate
            case "--restore": action = .restore(copy: try options.value())
            case "--config", "-c": configurationFile = try options.value()
            case "--socket": socketPath = try options.value()
            case "--store": storePath = try options.value()
            case "--tick-seconds":
                let text = try options.value()
                guard let seconds = Int(text), (1...60).contains(seconds) else {
                    throw CommandLineOptions.UsageError(
                        description: "--tick-seconds takes a number from 1 to 60, not '\(text)'")
                }
                tickSeconds = seconds
            default: throw CommandLineOptions.unknown(option)
            }
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
