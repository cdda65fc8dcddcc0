package import CivilTime

extension ToDo {
    /// How it comes again; nil when it comes once.
    package var rule: RecurrenceRule? { recurrence.map(RecurrenceRule.init(checked:)) }

    /// Its times; nil when it comes once. `local` is the zone of an item that names none.
    package func series(in local: TimeZoneRules) -> Series? {
        guard let rule, let due = dueDate else { return nil }
        return Series(
            rule, start: recurrenceStart ?? due, due: due, passed: Int(occurrencesDone),
            isAfterDone: repeatFromCompletion, in: timeZone.flatMap(TimeZoneRules.init(named:)) ?? local)
    }

    /// Moves the item to the open time of its series, where all alerts are given anew.
    package func move(to series: Series) {
        dueDate = series.due
        recurrenceStart = series.start
        occurrencesDone = Int32(clamping: series.passed)
        snoozedUntil = nil
    }

    /// Takes the rule away, and all that belongs to it.
    package func comeOnce() {
        recurrence = nil
        recurrenceStart = nil
        occurrencesDone = 0
        repeatFromCompletion = false
        timeZone = nil
    }
}
