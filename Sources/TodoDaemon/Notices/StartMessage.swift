internal import Alerts
internal import Platform
internal import Systemd
internal import TodoAPI

/// The information for a user that starts the daemon in a terminal.
struct StartMessage {
    let socketPath: String
    let isDefaultSocket: Bool
    let storePath: String

    func show() {
        let client = isDefaultSocket ? clientCommand : "\(clientCommand) --socket \(socketPath)"
        let isRelative = client.contains("/") && !client.hasPrefix("/")
        StandardError.print(
            """

              socket  \(socketPath)
              items   \(storePath)

            Alerts appear here\(Self.journalHint). In another terminal\(isRelative ? ", in this directory," : "") type:

              \(client) add Drink some water --due "in 6 minutes"
              \(client) list

            Ctrl-C stops the daemon. The items are kept.

            """)
    }

    private static var journalHint: String {
        Journal.isPresent ? " and in 'journalctl --user -t todod'" : ""
    }

    /// The command for the client: `todoctl`, or the path beside todod if todod was started by its path.
    private var clientCommand: String {
        guard let own = CommandLine.arguments.first, let slash = own.lastIndex(of: "/") else {
            return "todoctl"
        }
        let beside = "\(own[...slash])todoctl"
        return FileSystem.has(.execute, for: beside) ? beside : "todoctl"
    }
}
