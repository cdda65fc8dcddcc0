internal import Glibc
internal import TodoAPI

/// `todoctl backup items.sqlite`
enum BackupCommand: Command {
    static let verb = "backup"
    static let synopsis = "backup FILE"
    static let summary = "Copy the store into a file, and check the copy"
    static let details = "Example: todoctl backup ~/items-2026-11-20.sqlite"

    static func run(_ arguments: Arguments, _ session: Session) throws(ClientError) {
        var arguments = arguments
        let words = try arguments.rest()
        guard words.count == 1, let path = words.first, !path.isEmpty else {
            throw arguments.usage("'backup' needs the name of one file")
        }
        let reply = try session.daemon().call(Backup.self, .init(path: absolute(path)))
        if session.printJSON(reply) { return }
        Output.print("Copied to \(reply.path.oneLine()); the copy is sound (\(reply.bytes) bytes)")
    }

    /// The daemon does not know where this was typed.
    private static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let directory = getcwd(nil, 0) else { return path }
        defer { free(directory) }
        return "\(String(cString: directory))/\(path)"
    }
}
