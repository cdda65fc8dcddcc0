internal import TodoAPI

/// `todoctl unmute 3`
enum UnmuteCommand: Command {
    static let verb = "unmute"
    static let synopsis = "unmute ID..."
    static let summary = "Give alerts for items again"
    static let details = "Example: todoctl unmute 3"

    static func run(_ arguments: Arguments, _ session: Session) throws(ClientError) {
        var arguments = arguments
        let ids = try arguments.itemIDs()
        let reply = try session.daemon().call(MuteItems.self, .init(ids: ids, muted: false))
        if session.printJSON(reply) { return }
        for item in reply.items { Output.print("Unmuted \(session.line(for: item))") }
    }
}
