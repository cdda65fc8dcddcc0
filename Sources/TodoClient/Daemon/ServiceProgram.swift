internal import Platform
internal import TodoAPI

/// A program that serves one of the interfaces, with its names in messages.
enum ServiceProgram: String {
    case todod
    case sync = "todod-sync"

    /// The command that shows the program's last entries in the journal.
    var logCommand: String {
        switch self {
        case .todod: "journalctl --user --unit=todod --lines=20"
        case .sync: "todoctl sync log"
        }
    }

    /// The command that starts `todod-sync` now and at every login.
    static var syncStartCommand: String {
        let isSet = Environment.variable("XDG_RUNTIME_DIR").map { !$0.isEmpty } ?? false
        // Without the variable, as with cron, systemctl does not find the user's service manager.
        let prefix = isSet ? "" : "XDG_RUNTIME_DIR=/run/user/\(Environment.userID) "
        return "\(prefix)systemctl --user enable --now todod-sync"
    }

    /// Whether the methods with these qualified names change nothing.
    static func isReading(_ method: String) -> Bool {
        TodoInterface.readingMethods.contains(method) || SyncInterface.readingMethods.contains(method)
    }

    // MARK: - Messages

    /// The name of the environment variable with the path of the socket.
    var socketVariable: String {
        switch self {
        case .todod: "TODOD_SOCKET"
        case .sync: "TODOD_SYNC_SOCKET"
        }
    }

    /// Returns the message that no program answers at the socket.
    func absence(at socketPath: String, reason: String) -> String {
        switch self {
        case .todod:
            """
            todoctl: no daemon answers at \(socketPath) (\(reason))
            \(NoDaemonHint(at: socketPath).text)
            """
        case .sync:
            """
            todoctl: todod-sync, which connects to servers, does not answer at \(socketPath) (\(reason))
            Start it now and at every login:  \(Self.syncStartCommand)
            If it has ended, see why:  todoctl sync log
            """
        }
    }

    /// Returns the message that the program has not answered for some time.
    func silence(ofSeconds seconds: Int64, during method: String) -> String {
        let doubt =
            Self.isReading(method)
            ? "" : "It may still make the change later. Check first with:  \(checkCommand)\n"
        return """
            todoctl: \(rawValue) has not answered for \(seconds) s; it is stopped, hangs or is still starting
            \(doubt)See its state:  systemctl --user status \(rawValue).service
            Restart it:     systemctl --user restart \(rawValue).service
            """
    }

    /// Returns the message that the connection ended too early.
    func hangUp(during method: String) -> String {
        let doubt =
            Self.isReading(method)
            ? "" : "; the change may or may not have been made\nTo check:  \(checkCommand)"
        return """
            todoctl: the connection ended before \(subject) had answered\(doubt)
            See why it ended:   \(logCommand)
            """
    }

    /// Returns the notice that a reply takes long.
    ///
    /// - Parameter object: what the program waits for, such as a server, if it is known.
    func notice(afterSeconds seconds: Int64, waitingFor object: String?) -> String {
        switch self {
        case .todod:
            """
            No answer for \(seconds) s; still waiting, Ctrl-C stops. To see the daemon's state:
              systemctl --user status todod.service
            """
        case .sync:
            "No answer for \(seconds) s; still waiting for \(object ?? "the server"), Ctrl-C stops."
        }
    }

    /// Returns the hint that the running program has another version than `todoctl`.
    func otherVersion(_ version: String) -> String {
        """

        The running \(self == .todod ? "daemon" : "program") is \(rawValue) \(version.oneLine(bytesLimit: 40)), \
        but this is todoctl \(tododVersion). \
        Restart \(self == .todod ? "the daemon" : "it"):
          systemctl --user restart \(rawValue).service
        """
    }

    /// The subject of messages.
    var subject: String { self == .todod ? "the daemon" : rawValue }

    private var checkCommand: String { self == .todod ? "todoctl list" : "todoctl sync status" }
}
