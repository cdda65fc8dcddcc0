internal import TodoAPI

/// `todoctl unmute 3`
struct UnmuteCommand: Command {
    static let verb = "unmute"
    static let summary = "Give alerts for items again"
    static let examples = ["todoctl unmute 3"]

    private var items = ItemSelection()

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        let reply = try session.daemon().call(MuteItems.self, .init(ids: items.ids, muted: false))
        if session.printJSON(reply) { return }
        for item in reply.items { Output.print("Unmuted \(session.line(for: item))") }
    }
}
