internal import TodoAPI

/// The `mute` command, for example `todoctl mute 3`.
struct MuteItemsCommand: Command {
    static let verb = "mute"
    static let summary = "Stop alerts for items"
    static let examples = ["todoctl mute 3"]

    private var items = ItemSelection(.open)

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        try items.change(
            for: Self.self, session: session, method: MuteItems.self,
            parameters: { .init(ids: $0, muted: true) },
            unchanged: "Already muted"
        ) {
            "Muted \(session.line(for: $0))"
        }
    }
}
