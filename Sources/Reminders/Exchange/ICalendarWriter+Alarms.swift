internal import CivilTime

// An alarm is a VALARM with a TRIGGER. Other programs count from the beginning of a date, and todod from the time of the
// alerts for dates.

extension ICalendarWriter {
    /// The property of an alarm with the time that the trigger does not express.
    static let ownAlert = "X-TODOD-ALERT"
    /// The parameter of that property with the seconds of the trigger. The trigger has others if another program has moved it.
    static let ownSeconds = "X-TODOD-SECONDS"
    /// The properties with the lead times before the due time and before the start. They are written instead of alarms while the
    /// task does not have that time.
    static let ownLeads = "X-TODOD-LEADS"
    static let ownStartLeads = "X-TODOD-START-LEADS"

    func writeAlarms(of item: ExchangeItem, to text: inout ICalendarText) {
        // A trigger requires the time from which it is counted.
        if item.due == nil { write(item.leads, as: Self.ownLeads, to: &text) }
        if item.start == nil { write(item.startLeads, as: Self.ownStartLeads, to: &text) }
        for lead in item.leads where item.due != nil {
            let seconds = (item.localDue?.isDate == true ? timeOfDates : 0) - lead
            write(of: item, to: &text) { $0.line(Self.trigger(seconds, from: "END")) }
        }
        for alert in item.alerts { write(alert, of: item, to: &text) }
    }

    private func write(_ leads: [Int], as name: String, to text: inout ICalendarText) {
        if leads.isEmpty { return }
        text.line("\(name):" + leads.map(String.init).joined(separator: "/"))
    }

    private func write(_ alert: AlarmTime, of item: ExchangeItem, to text: inout ICalendarText) {
        switch alert {
        case .beforeDue: break
        case .beforeStart where item.start == nil: break
        case .moment(let moment):
            write(of: item, to: &text) { text in
                text.moment("TRIGGER;VALUE=DATE-TIME", moment)
                // The alarms of another program's repeating task belong to each occurrence.
                if item.recurrence != nil { text.line("\(Self.ownAlert):\(alert.text)") }
            }
        case .beforeStart(let before):
            let seconds = (item.localStart?.isDate == true ? timeOfDates : 0) - Int(before)
            // For a repeating item, DTSTART is not the start.
            guard item.recurrence != nil, let due = item.due, let start = item.start else {
                write(of: item, to: &text) { $0.line(Self.trigger(seconds, from: "START")) }
                break
            }
            let distance = Int((start - due).rounded())
            write(of: item, to: &text) { text in
                text.line(Self.trigger(distance + seconds, from: "END"))
                text.line("\(Self.ownAlert);\(Self.ownSeconds)=\(distance + seconds):\(alert.text)")
            }
        }
    }

    private static func trigger(_ seconds: Int, from anchor: String) -> String {
        "TRIGGER;RELATED=\(anchor):\(seconds > 0 ? "" : "-")PT\(abs(seconds))S"
    }

    private func write(
        of item: ExchangeItem, to text: inout ICalendarText, trigger: (inout ICalendarText) -> Void
    ) {
        text.begin("VALARM")
        text.line("ACTION:DISPLAY")
        text.text("DESCRIPTION", value: item.name)
        trigger(&text)
        text.end("VALARM")
    }
}

extension ExchangeItem {
    /// The lead times of the alerts before the start.
    fileprivate var startLeads: [Int] {
        alerts.compactMap { if case .beforeStart(let seconds) = $0 { Int(seconds) } else { nil } }
    }
}
