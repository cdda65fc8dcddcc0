internal import TodoAPI

/// The `unmute` command, for example `todoctl unmute 3`.
struct UnmuteCommand: Command {
    static let verb = "unmute"
    static let summary = "Resume alerts for items"
    static let examples = ["todoctl unmute 3"]

    private var items = ItemSelection(.open)

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        try items.change(
            Self.self, session, MuteItems.self, { .init(ids: $0, muted: false) }, unchanged: "Was not muted"
        ) {
            "Unmuted \(session.line(for: $0))\($0.silence)"
        }
    }
}
