internal import TodoAPI

/// `todoctl skip 3`
struct SkipCommand: Command {
    static let verb = "skip"
    static let summary = "Leave out one time of items that come again"
    static let details = "They move to their next time. A rule that ends after 10 times counts this one too."
    static let examples = ["todoctl skip 3"]

    private var items = ItemSelection(.open)

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        let daemon = try session.daemon()
        guard let ids = try items.ids(of: Self.self, session, daemon) else { return }
        let reply = try daemon.call(SkipItems.self, .init(ids: ids))
        if session.printJSON(reply) { return }
        for item in reply.items { Output.print("Skipped \(session.nextTime(of: item))") }
    }
}
