package import CivilTime

/// When an item is due, and how it comes again.
package struct Schedule: Hashable, Sendable {
    package var due: Timestamp?
    /// Nil when it comes once; then nothing below means anything.
    package var rule: RecurrenceRule?
    /// The time from which the rule counts; nil for the due time.
    package var start: Timestamp?
    /// How many of its times lie behind.
    package var passed: Int32 = 0
    /// Its next time is counted from when it is done.
    package var isAfterDone = false
    /// The IANA name of the zone whose clock its times keep.
    package var timeZone: String?

    package init() {}

    /// Its times; nil when it comes once. `local` is the zone of a schedule that names none.
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

    /// Moves the item to the open time of its series, where all alerts are given anew.
    package func move(to series: Series) {
        dueDate = series.due
        recurrenceStart = series.start
        occurrencesDone = Int32(clamping: series.passed)
        snoozedUntil = nil
    }
}
