internal import Alerts
internal import CivilTime
internal import Phrases
internal import Reminders
internal import TodoAPI

struct QuietHandler: Handler {
    let service: ServiceContext
    let alerts: AlertLoop

    func handle(_ parameters: Quiet.Parameters, _ answer: Answer<Quiet>) throws {
        let isOff = parameters.off ?? false
        if isOff, parameters.until != nil {
            throw APIError.invalidValue(field: "off", reason: "it cannot be combined with 'until'")
        }
        var note: String?
        _ = try service.times.zone(named: parameters.timeZone)
        if isOff {
            try alerts.changeDoNotDisturb { $0.end(at: service.times.now(), zone: service.times.zone) }
        } else if let text = parameters.until {
            let end = try service.times.futureReading(
                text, field: "until", timeZone: parameters.timeZone, mayBePast: false, purpose: .snooze)
            try alerts.changeDoNotDisturb { $0.begin(at: service.times.now(), until: end.moment) }
            note = end.note
        }
        let period = alerts.quietPeriod
        answer.reply(.init(since: period?.since, until: period?.until, note: note))
        service.events.itemsDidChange()
    }
}
