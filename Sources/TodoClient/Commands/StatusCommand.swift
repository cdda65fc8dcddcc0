internal import CivilTime
internal import TodoAPI

/// `todoctl status`
struct StatusCommand: Command {
    static let verb = "status"
    static let summary = "Show how the daemon and its store are doing"
    static let examples = ["todoctl status --json"]

    func run(_ session: Session) throws(ClientError) {
        let status = try session.daemon().call(Status.self, .init())
        if session.printJSON(status) { return }
        let words = session.words
        var lines: [(String, String)] = [
            (
                "Daemon",
                "todod \(status.version), process \(status.processID), since \(words.moment(status.startedAt))"
            ),
            ("Store", store(status)),
            (
                "Items",
                "\(status.openItems) open of \(status.items), in \(status.categories) \(status.categories == 1 ? "category" : "categories")"
            ),
            (
                "Next due",
                status.nextDue.map { "\(words.moment($0)), \(words.distance(to: $0))" } ?? "nothing"
            ),
            ("Last look", status.lastTick.map { words.distance(to: $0) } ?? "not yet"),
            (
                "Alerts go to",
                status.journal ? "the journal; read them with: journalctl --user -t todod" : "standard error"
            ),
            (
                "Clients",
                "\(status.connections) connected, \(status.watchers) of them \(status.watchers == 1 ? "watches" : "watch")"
            ),
        ]
        if let end = status.quietUntil {
            lines.append(("Held back", "until \(words.moment(end)); end it with: todoctl quiet off"))
        }
        for (label, text) in lines { Output.print("\(label):".padded(to: 14) + text) }
        if status.version != tododVersion {
            Output.print(
                "This todoctl is \(tododVersion). Restart the daemon:  systemctl --user restart todod.service"
            )
        }
    }

    /// `/home/ada/.local/share/todod/todo.sqlite (SQLite, model 3, 1.2 MB)`
    private func store(_ status: Status.Reply) -> String {
        let megabytes = status.storeBytes.map { bytes in
            let tenths = (bytes + 50_000) / 100_000
            return ", \(tenths / 10).\(tenths % 10) MB"
        }
        let kind = "\(status.storeKind), model \(status.modelVersion)\(megabytes ?? "")"
        return "\(status.storePath.oneLine()) (\(kind))"
    }
}
