internal import Alerts
internal import CivilTime
internal import Phrases
internal import Reminders
internal import TodoAPI

struct QuietHandler: Handler {
    let workspace: Workspace
    let alerts: AlertLoop

    func handle(_ parameters: Quiet.Parameters, _ answer: Answer<Quiet>) throws {
        let isOff = parameters.off ?? false
        if isOff, parameters.until != nil {
            throw APIError.invalidValue(field: "off", reason: "it cannot be combined with 'until'")
        }
        var note: String?
        _ = try workspace.zone(named: parameters.timeZone)
        if isOff {
            try alerts.changeDoNotDisturb { $0.end(at: workspace.now(), zone: workspace.zone) }
        } else if let text = parameters.until {
            let end = try workspace.futureReading(
                text, field: "until", timeZone: parameters.timeZone, mayBePast: false, purpose: .snooze)
            try alerts.changeDoNotDisturb { $0.begin(at: workspace.now(), until: end.moment) }
            note = end.note
        }
        let period = alerts.quietPeriod
        answer.reply(.init(since: period?.since, until: period?.until, note: note))
        workspace.itemsDidChange()
    }
}
