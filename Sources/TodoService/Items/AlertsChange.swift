internal import CivilTime
internal import Phrases
internal import Reminders
internal import TodoAPI

/// The checked alerts that a client sends for items in addition to those of the lead times.
struct AlertsChange: Sendable {
    /// The times that replace all former ones, with their typed texts, or `nil` to keep those.
    private let times: [(time: AlarmTime, text: String)]?
    /// The earliest time of a new alert, or `nil` if it may be in the past.
    private let earliest: Timestamp?

    init(_ details: ItemDetails, with typed: TypedTimes) throws(APIError) {
        earliest = details.past == true ? nil : typed.now() - 60
        guard let texts = details.alerts else {
            times = nil
            return
        }
        guard texts.count <= Item.alertsLimit else {
            throw .invalidValue(field: "alerts", reason: "an item has at most \(Item.alertsLimit)")
        }
        var times: [(time: AlarmTime, text: String)] = []
        for text in texts {
            times.append((try Self.time(text, in: details.timeZone, with: typed), text))
        }
        self.times = times
    }

    private static func time(
        _ text: String, in zone: String?, with typed: TypedTimes
    ) throws(APIError) -> AlarmTime {
        do throws(DatePhraseError) {
            if let seconds = try AlarmTime.secondsBeforeStart(text) { return .beforeStart(seconds) }
        } catch {
            throw .invalidValue(field: "alerts", reason: "\(error.reason); try 15min before start")
        }
        let reading = try typed.reading(
            text, field: "alerts", at: typed.now(), in: typed.zone(named: zone),
            defaultTime: typed.defaultTime)
        return .moment(reading.moment)
    }

    /// Checks the alerts for an item.
    ///
    /// - Parameter start: the start of the item after the change.
    /// - Throws: `InvalidValue` for an alert before the start of an item without a start, and `PastDate` for a new one in
    ///   the past.
    func check(for item: ToDo, start: CalendarTime?) throws(APIError) {
        guard let times else { return try checkKept(of: item, start: start) }
        let present = item.alarmTimes
        for (time, text) in times where !present.contains(time) {
            switch time {
            case .moment(let moment):
                if let earliest, moment < earliest {
                    throw .pastDate(field: "alerts", text: text, understood: moment)
                }
            case .beforeStart, .beforeDue:
                if start == nil {
                    throw .invalidValue(
                        field: "alerts", reason: "'\(text)' needs a start, and the item has none")
                }
            }
        }
    }

    /// Throws if alerts beside the start would stay without one.
    private func checkKept(of item: ToDo, start: CalendarTime?) throws(APIError) {
        guard start == nil, item.startTime != nil else { return }
        for case .beforeStart(let seconds) in item.alarmTimes {
            throw .invalidValue(
                field: "start",
                reason: "the alert '\(AlarmTime.beforeStart(seconds).text)' needs it; change the alerts, too")
        }
    }

    /// Changes the alerts of an item, for which they were checked.
    func apply(to item: ToDo) throws {
        if let times { try item.setAlarmTimes(times.map(\.time)) }
    }
}
