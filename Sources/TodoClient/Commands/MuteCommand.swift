internal import TodoAPI

/// `todoctl mute 3`
enum MuteCommand: Command {
    static let verb = "mute"
    static let synopsis = "mute ID..."
    static let summary = "Give no alerts for items"
    static let details = "Example: todoctl mute 3"

    static func run(_ arguments: Arguments, _ session: Session) throws(ClientError) {
        var arguments = arguments
        let ids = try arguments.itemIDs()
        let reply = try session.daemon().call(MuteItems.self, .init(ids: ids, muted: true))
        if session.printJSON(reply) { return }
        for item in reply.items { Output.print("Muted \(session.line(for: item))") }
    }
}
