internal import TodoAPI

/// `todoctl skip 3`
enum SkipCommand: Command {
    static let verb = "skip"
    static let synopsis = "skip ID..."
    static let summary = "Leave out one time of items that come again"
    static let details = """
        The item moves to its next time without being done. With "10 times" the one that is
        left out counts.

        Example: todoctl skip 3
        """

    static func run(_ arguments: Arguments, _ session: Session) throws(ClientError) {
        var arguments = arguments
        let ids = try arguments.itemIDs()
        let reply = try session.daemon().call(SkipItems.self, .init(ids: ids))
        if session.printJSON(reply) { return }
        for item in reply.items { Output.print("Skipped \(session.nextTime(of: item))") }
    }
}
