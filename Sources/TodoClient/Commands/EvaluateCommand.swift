internal import CivilTime
internal import TodoAPI

/// The `evaluate` command, for example `todoctl evaluate --dry-run`.
struct EvaluateCommand: Command {
    static let verb = "evaluate"
    static let summary = "Check for due items now"
    static let details = "The daemon also checks at every full minute and after every change."
    static let examples = ["todoctl evaluate --dry-run"]

    private var isDryRun = false

    mutating func code(_ arguments: inout Arguments) {
        arguments.flag("-n, --dry-run", &isDryRun, help: "show the alerts without sending them")
    }

    func run(_ session: Session) throws(ClientError) {
        let reply = try session.daemon().call(Evaluate.self, .init(dryRun: isDryRun))
        if try session.printJSON(reply) { return }
        let word = isDryRun ? "Would alert" : "Alerted"
        for alert in reply.alerts {
            let due =
                alert.due.map { "  (\(session.words.momentWithDistance($0)))" } ?? ""
            try Output.print("\(word) \(alert.id)  \(alert.name.oneLine())\(due): \(alert.kind)")
        }
        if let more = reply.more { try Output.print("\(word) \(more) more") }
        if let end = reply.quietUntil {
            try Output.print("Alerts are held back until \(session.words.moment(end)).")
        } else if reply.alerts.isEmpty {
            try Output.print("No alerts are due now.")
        }
    }
}
