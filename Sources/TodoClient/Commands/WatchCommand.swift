internal import CivilTime
internal import TodoAPI

/// The `watch` command.
struct WatchCommand: Command {
    static let verb = "watch"
    static let summary = "Show changes and alerts as they happen"
    static let details = """
        Runs until Ctrl-C. With --json, each line is one reply of the daemon, with a "token". --since continues after the \
        reply with that token, also after a restart of the daemon: no change is missing, and none is repeated.
        """
    static let examples = ["todoctl watch --json", #"todoctl watch --json --since "$(cat token)""#]

    private var since: String?

    mutating func code(_ arguments: inout Arguments) {
        arguments.option("--since TOKEN", &since, help: "Show the changes after this token first")
    }

    func run(_ session: Session) throws(ClientError) {
        try session.daemon().stream(Watch.self, .init(since: since)) { happening throws(ClientError) in
            if try session.printJSON(happening) { return }
            for line in lines(for: happening, session) { try Output.print(line) }
        }
    }

    /// The width of the longest event, `categories`, and a gap.
    private static let eventColumns = 12

    /// Returns lines such as `14:05:09  added       3  Pay the rent  (tomorrow Sat 21 Nov 09:00, in 16 h)`.
    private func lines(for happening: Watch.Reply, _ session: Session) -> [String] {
        let words = TimeInWords(now: happening.at, zone: session.zone)
        let time = session.zone.civil(at: happening.at).map(Self.clock) ?? ""
        let event = happening.alert ?? happening.event.rawValue
        let start = "\(time)  \(event.padded(to: Self.eventColumns))"
        switch happening.event {
        case .ready: return ["\(time)  Watching; Ctrl-C ends it"]
        case .many: return [start + "too much to show; list the items again"]
        case .categories, .tags: return [start + "were added, changed or deleted"]
        case .deleted: return happening.ids.map { start + "\($0)" }
        case .added, .changed, .alert:
            return happening.items.map { item in
                let due = item.due.map { "  (\(words.momentWithDistance($0)))" } ?? ""
                return start + "\(item.id)  \(item.name.oneLine())\(item.completed ? "  (done)" : due)"
            }
        }
    }

    private static func clock(_ time: CivilDateTime) -> String {
        [time.hour, time.minute, time.second].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
