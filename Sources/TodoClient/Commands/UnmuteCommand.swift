internal import TodoAPI

/// `todoctl unmute 3`
struct UnmuteCommand: Command {
    static let verb = "unmute"
    static let summary = "Give alerts for items again"
    static let examples = ["todoctl unmute 3"]

    private var items = ItemSelection(.open)

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        let daemon = try session.daemon()
        guard let ids = try items.ids(of: Self.self, session, daemon) else { return }
        let reply = try daemon.call(MuteItems.self, .init(ids: ids, muted: false))
        if session.printJSON(reply) { return }
        for item in reply.items { Output.print("Unmuted \(session.line(for: item))") }
    }
}
