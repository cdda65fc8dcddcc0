internal import CivilTime

// The times of a repeating task in a shared list. Other programs move the task itself to its next time, so it is written
// as if the series began with the open occurrence.

extension ICalendarWriter {
    /// The number of later times by which two series are compared.
    private static let comparedTimes = 6

    /// Returns the item as it is written in a list: without a category, with a series that begins at its due time.
    ///
    /// If the rule does not give the same times when it is counted from the due time, the series stays as it is.
    func listed(_ item: ExchangeItem) -> ExchangeItem {
        var listed = item
        listed.category = nil
        guard let rule = item.recurrence, let due = item.ruleDue, item.ruleTimeOfMovedOccurrence == nil
        else {
            return listed
        }
        let rest = rule.withoutPassed(item.occurrencesDone ?? 0)
        let zone =
            item.localDue != nil ? .utc : item.timeZone.flatMap(TimeZoneRules.init(named:)) ?? .utc
        let start = item.recurrenceStart ?? due
        let all = Series(rule, start: start, due: due, passed: item.occurrencesDone ?? 0, in: zone)
        let later = Series(rest, start: due, due: due, in: zone)
        guard item.isAfterDone || Self.times(after: all) == Self.times(after: later) else { return listed }
        listed.recurrence = rest
        listed.recurrenceStart = due
        listed.occurrencesDone = nil
        return listed
    }

    private static func times(after series: Series) -> [Timestamp] {
        var times: [Timestamp] = []
        var series = series
        while times.count < comparedTimes, let next = series.skipped(at: series.due) {
            times.append(next.due)
            series = next
        }
        return times
    }

    /// Whether DTSTART of a repeating task is its start, and the rule of the start is that of the due time.
    func startIsFirst(of item: ExchangeItem) -> Bool {
        guard use == .list, let rule = item.recurrence, item.recurrenceStart == item.ruleDue,
            item.occurrences.isEmpty, item.excludedDates.isEmpty, item.addedDates.isEmpty, let due = item.due,
            let start = item.start, start < due
        else { return false }
        let first: CivilDateTime?
        let last: CivilDateTime?
        let clock: TimeZoneRules
        if let localDue = item.localDue {
            guard let localStart = item.localStart, localStart.isDate == localDue.isDate else { return false }
            clock = .utc
            first = clock.civil(at: localStart.momentInUTC)
            last = clock.civil(at: localDue.momentInUTC)
        } else {
            guard item.localStart == nil else { return false }
            clock = zone(of: item) ?? .utc
            first = clock.civil(at: start)
            last = clock.civil(at: due)
        }
        guard let first, let last, let portable = try? RecurrenceRule(rule.portable(from: last)),
            portable == rule
        else { return false }
        return rule.delayed(from: first, to: last, in: clock) == rule
    }

    /// Writes that a completed item is over, because other programs complete one occurrence with the same words. The time of
    /// completion ties the property to this completion.
    func writeEnd(of item: ExchangeItem, to text: inout ICalendarText) {
        guard use == .list, item.isCompleted, item.recurrence != nil, let completed = item.completedDate
        else {
            return
        }
        text.moment(Self.seriesCompleted, completed)
    }

    static let seriesCompleted = "X-TODOD-SERIES-COMPLETED"

    /// Writes the end of the snooze, and the time up to which the user has seen alerts, as Thunderbird does.
    func writeReaction(of item: ExchangeItem, to text: inout ICalendarText) {
        if let acknowledged = item.acknowledged { text.moment(Self.lastAcknowledgement, acknowledged) }
        if let end = item.snoozedUntil { text.moment(Self.snoozeTime, end) }
    }

    static let lastAcknowledgement = "X-MOZ-LASTACK"
    static let snoozeTime = "X-MOZ-SNOOZE-TIME"
}

extension ICalendarReader {
    /// Sets the end of the snooze and the time up to which the user has seen alerts, as other programs write them.
    func takeReaction(of part: ICalendarPart, into item: inout ExchangeItem) {
        guard use == .list else { return }
        let times = part.properties.filter {
            $0.component == nil && $0.name == ICalendarWriter.lastAcknowledgement
                || $0.component == "VALARM" && $0.name == "ACKNOWLEDGED"
        }
        let ended = part.writtenValue(ICalendarWriter.seriesCompleted).flatMap(moment)
        item.isSeriesCompleted = item.isCompleted && ended != nil && ended == item.completedDate
        item.acknowledged = times.compactMap { $0.value.flatMap(moment) }.max()
        if let written = part.writtenValue(ICalendarWriter.snoozeTime) { item.snoozedUntil = moment(written) }
    }
}

extension RecurrenceRule {
    /// Returns the rule without the occurrences that have passed, which `COUNT` includes.
    fileprivate func withoutPassed(_ passed: Int) -> RecurrenceRule {
        guard let count, passed > 0 else { return self }
        let parts = text.split(separator: ";").map {
            $0.hasPrefix("COUNT=") ? "COUNT=\(max(1, count - passed))" : String($0)
        }
        return RecurrenceRule(checked: parts.joined(separator: ";"))
    }
}
