internal import Platform
internal import TodoAPI

/// The `backup` command, for example `todoctl backup items.sqlite`.
struct BackupCommand: Command {
    static let verb = "backup"
    static let summary = "Copy the store into a file, and check the copy"
    static let details = """
        To restore the copy, stop the daemon with 'systemctl --user stop todod.socket todod.service', run \
        'todod --restore FILE', and start both units again.
        """
    static let examples = ["todoctl backup ~/items-2026-11-20.sqlite"]

    private var path = ""

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.word("FILE", &path, kind: .file)
    }

    func run(_ session: Session) throws(ClientError) {
        // The daemon has another working directory.
        let path = FileSystem.absolute(path)
        // Keep the connection open, because the daemon removes a file to be fetched when the connection ends.
        let daemon = try session.daemon()
        var reply = try daemon.call(Backup.self, .init(path: path, isFetched: true))
        if reply.path != path {
            do throws(FetchedFile.Failure) {
                try FetchedFile(source: reply.path).copy(to: path)
            } catch {
                throw .refused("todoctl: no copy was made: \(error)")
            }
            reply.path = path
        }
        if try session.printJSON(reply) { return }
        try Output.print("Copied to \(reply.path.oneLine()); the copy is sound (\(reply.bytes) bytes)")
    }
}
