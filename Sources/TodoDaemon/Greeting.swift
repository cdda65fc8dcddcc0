internal import Glibc
internal import Systemd
internal import TodoAPI

/// What somebody who starts the daemon in a terminal needs to know.
struct Greeting {
    let socketPath: String
    let isCustomarySocket: Bool
    let storePath: String

    func show() {
        let client = isCustomarySocket ? clientCommand : "\(clientCommand) --socket \(socketPath)"
        StandardError.print(
            """

              socket  \(socketPath)
              items   \(storePath)

            Alerts appear here\(Self.journalHint). In another terminal type:

              \(client) add Drink some water --due "in 6 minutes"
              \(client) list

            Ctrl-C stops the daemon; the items stay.

            """)
    }

    private static var journalHint: String {
        Journal.isPresent ? " and in 'journalctl --user -t todod'" : ""
    }

    /// `todoctl`, or its whole path when it stands beside us but not in PATH.
    private var clientCommand: String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let directory = own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
            separator: "/")
        let path = UserDirectories.variable("PATH")?.split(separator: ":").map(String.init) ?? []
        let beside = "\(directory)/todoctl"
        return path.contains(directory) || access(beside, X_OK) != 0 ? "todoctl" : beside
    }
}
