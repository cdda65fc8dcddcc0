internal import TodoAPI

/// The `unmute` command, for example `todoctl unmute 3`.
struct UnmuteItemsCommand: Command {
    static let verb = "unmute"
    static let summary = "Resume alerts for items"
    static let examples = ["todoctl unmute 3"]

    private var items = ItemSelection(.open)

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        try items.change(
            for: Self.self, session: session, method: MuteItems.self,
            parameters: { .init(ids: $0, muted: false) }, unchanged: "Was not muted"
        ) {
            "Unmuted \(session.line(for: $0))\($0.silence)"
        }
    }
}
