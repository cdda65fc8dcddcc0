internal import TodoAPI

/// The `sync conflicts restore` command, for example `todoctl sync conflicts restore 3`.
struct ResolveSyncConflictCommand: Command {
    static let verb = "sync conflicts restore"
    static let summary = "Put lost values back"
    static let details = """
        The value is put back on this side, and is sent to the server with the next synchronization. IDs are the numbers \
        that 'todoctl sync conflicts' shows. With --json, the reply for each is one line.
        """
    static let examples = ["todoctl sync conflicts restore 3"]

    private var ids = ConflictNumbers()

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try ids.code(&arguments, "ID...")
    }

    func run(_ session: Session) throws(ClientError) {
        let daemon = try session.daemon()
        let conflicts = try daemon.call(ListSyncConflicts.self, .init()).conflicts
        for id in ids.numbers {
            let conflict = conflicts.first { $0.id == id }
            if let conflict, conflict.properties.isEmpty, let item = conflict.item {
                throw .refused(
                    """
                    todoctl: the change that lost is the deletion of item \(item), which was changed on the other side
                    To delete it on both sides:  todoctl delete \(item)
                    To keep it:                  todoctl sync conflicts clear \(id)
                    """)
            }
            var parameters = ResolveSyncConflict.Parameters()
            (parameters.id, parameters.restore) = (id, true)
            let reply = try daemon.call(ResolveSyncConflict.self, parameters)
            if try session.printJSON(reply) { continue }
            let properties = conflict?.properties ?? []
            let phrases = properties.map { ConflictProperty(name: $0).phrase }.joined(separator: ", ")
            try Output.print(
                "Restored \(phrases.isEmpty ? "the change" : "the \(phrases)"): "
                    + (reply.item.map { session.line(for: $0) } ?? "conflict \(id)"))
        }
    }
}
