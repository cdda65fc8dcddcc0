package import CivilTime

/// The due time of an item, and the rule by which it repeats.
package struct Schedule: Hashable, Sendable {
    package var due: Timestamp?
    /// The rule, or `nil` if the item does not repeat. The properties below have no meaning then.
    package var rule: RecurrenceRule?
    /// The time from which the rule counts, or `nil` for the due time.
    package var start: Timestamp?
    /// The number of its times that have passed.
    package var passed: Int32 = 0
    /// Whether the next time is counted from when the item is done.
    package var isAfterDone = false
    /// The IANA name of the zone in which its times stay the same on the clock.
    package var timeZone: String?

    package init() {}

    /// The times of the item, or `nil` if it does not repeat. `local` is the zone of a schedule that names none.
    package func series(in local: TimeZoneRules) -> Series? {
        guard let rule, let due else { return nil }
        return Series(
            rule, start: start ?? due, due: due, passed: Int(passed), isAfterDone: isAfterDone,
            in: timeZone.flatMap(TimeZoneRules.init(named:)) ?? local)
    }
}

extension ToDo {
    package var schedule: Schedule {
        get {
            var schedule = Schedule()
            schedule.due = dueDate
            schedule.rule = recurrence.map(RecurrenceRule.init(checked:))
            schedule.start = recurrenceStart
            schedule.passed = occurrencesDone
            schedule.isAfterDone = repeatFromCompletion
            schedule.timeZone = timeZone
            return schedule
        }
        set {
            dueDate = newValue.due
            recurrence = newValue.rule?.text
            recurrenceStart = newValue.start
            occurrencesDone = newValue.passed
            repeatFromCompletion = newValue.isAfterDone
            timeZone = newValue.timeZone
        }
    }

    /// Moves the item to the open time of its series, for which all alerts are sent again.
    package func move(to series: Series) {
        dueDate = series.due
        recurrenceStart = series.start
        occurrencesDone = Int32(clamping: series.passed)
        snoozedUntil = nil
    }
}
