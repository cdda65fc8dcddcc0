internal import TodoAPI

/// `todoctl mute 3`
struct MuteCommand: Command {
    static let verb = "mute"
    static let summary = "Give no alerts for items"
    static let examples = ["todoctl mute 3"]

    private var items = ItemSelection(.open)

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        let daemon = try session.daemon()
        guard let ids = try items.ids(of: Self.self, session, daemon) else { return }
        let reply = try daemon.call(MuteItems.self, .init(ids: ids, muted: true))
        if session.printJSON(reply) { return }
        for item in reply.items { Output.print("Muted \(session.line(for: item))") }
    }
}
