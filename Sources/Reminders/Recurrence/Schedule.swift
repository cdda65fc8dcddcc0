package import CivilTime

/// The due time of an item and the rule by which it repeats.
package struct Schedule: Hashable, Sendable {
    package var due: Timestamp?
    /// The rule, or `nil` if the item does not repeat.
    ///
    /// The properties below are then unused.
    package var rule: RecurrenceRule?
    /// The time from which the rule counts, or `nil` for the due time.
    package var start: Timestamp?
    /// The number of occurrences that have passed.
    package var passed: Int32 = 0
    /// Whether the next occurrence is counted from the completion of the item.
    package var isAfterDone = false
    /// The IANA name of the time zone in which the times of day stay the same when the clocks change.
    package var timeZone: String?

    package init() {}

    /// Returns the times of the item, or `nil` if it does not repeat.
    ///
    /// - Parameter local: the time zone of a schedule that does not name one.
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

    /// Moves the item to the open time of its series.
    ///
    /// All alerts for this time are to be sent, and none of the work for it is done yet.
    package func move(to series: Series) {
        dueDate = series.due
        recurrenceStart = series.start
        occurrencesDone = Int32(clamping: series.passed)
        snoozedUntil = nil
        percentComplete = 0
    }
}
