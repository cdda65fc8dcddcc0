internal import CivilTime

extension ICalendarWriter {
    /// Writes the excluded and the added occurrences of a repeating item.
    func writeSingleTimes(of item: ExchangeItem, _ zone: TimeZoneRules?, to text: inout ICalendarText) {
        guard item.recurrence != nil, item.due != nil else { return }
        for (name, dates) in [("EXDATE", item.excludedDates), ("RDATE", item.addedDates)] {
            for date in dates { Self.write(date, as: name, zone, to: &text) }
        }
    }

    private static func write(
        _ written: String, as name: String, _ zone: TimeZoneRules?, to text: inout ICalendarText
    ) {
        guard let time = CalendarTime(basicText: written) else { return }
        write(time, as: name, zone, to: &text)
    }

    private static func write(
        _ time: CalendarTime, as name: String, _ zone: TimeZoneRules?, to text: inout ICalendarText
    ) {
        if case .moment(let moment) = time, let zone {
            text.moment(name, moment, in: zone)
        } else {
            text.time(name, time)
        }
    }

    /// Returns the lines of a changed occurrence, without the text that is kept from an import.
    func task(_ occurrence: OccurrenceValue, of item: ExchangeItem) -> String {
        var text = ICalendarText()
        let zone = zone(of: item)
        text.begin("VTODO")
        text.text("UID", value: item.uid, exact: "X-TODOD-UID")
        Self.write(occurrence.recurrenceID, as: "RECURRENCE-ID", zone, to: &text)
        text.moment("DTSTAMP", now)
        text.text("SUMMARY", value: occurrence.name ?? item.name, exact: "X-TODOD-SUMMARY")
        if let notes = occurrence.notes ?? item.notes {
            text.text("DESCRIPTION", value: notes, exact: "X-TODOD-DESCRIPTION")
        }
        let priority = occurrence.priority ?? item.priority
        if priority > 0 || occurrence.priority != nil { text.line("PRIORITY:\(priority)") }
        if let due = occurrence.due ?? CalendarTime(basicText: occurrence.recurrenceID) {
            Self.write(due, as: "DTSTART", zone, to: &text)
            Self.write(due, as: "DUE", zone, to: &text)
        }
        if let start = occurrence.start { text.time(Self.ownStart, start) }
        let isDone = occurrence.completedDate != nil
        text.line("STATUS:\(occurrence.isCancelled ? "CANCELLED" : isDone ? "COMPLETED" : "NEEDS-ACTION")")
        if let completed = occurrence.completedDate { text.moment("COMPLETED", completed) }
        text.end("VTODO")
        return text.text
    }
}
