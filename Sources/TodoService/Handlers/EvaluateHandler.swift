internal import Alerts
internal import CivilTime
internal import Reminders
internal import TodoAPI

struct EvaluateHandler: Handler {
    let service: ServiceContext
    let alerts: AlertLoop

    func handle(_ parameters: Evaluate.Parameters, _ answer: Answer<Evaluate>) throws {
        let found = try alerts.preview()
        let named = Self.first(of: found)
        let rest = found.count - named.count
        answer.reply(
            .init(
                alerts: named.map {
                    .init(kind: $0.kind.rawValue, id: $0.itemID, name: $0.name, due: $0.dueTime)
                },
                quietUntil: alerts.quietPeriod?.until, more: rest == 0 ? nil : Int64(rest)))
        // The alerts are sent after the changes of calls that arrived together with this one are on disk.
        if parameters.dryRun != true { service.events.itemsDidChange() }
    }

    /// Returns as many alerts as a reply has room for.
    private static func first(of alerts: [Alert]) -> ArraySlice<Alert> {
        var bytes = 0
        return alerts.prefix(Evaluate.alertsLimit).prefix { alert in
            defer { bytes += alert.name.utf8.count }
            return bytes <= Evaluate.namesBytesLimit
        }
    }
}
