package import CivilTime
internal import ObjectStore

extension ToDo {
    /// Completes the open occurrence of a repeating item and moves to the next one, or completes the item.
    ///
    /// - Parameter zone: the time zone of a schedule that does not name one.
    package func complete(at moment: Timestamp, in zone: TimeZoneRules) throws {
        completed = true
        completedDate = moment
        _ = try completeOccurrence(at: moment, in: zone)
    }

    /// Records the open occurrence of a completed item as done, and moves the item to its next occurrence, which is open.
    ///
    /// After the last occurrence, and if the item does not repeat, it stays completed.
    ///
    /// - Returns: whether there is a next occurrence.
    func completeOccurrence(at moment: Timestamp, in zone: TimeZoneRules) throws -> Bool {
        guard schedule.repeats else { return false }
        try record(CompletionValue(date: moment, due: dueTime), in: zone)
        guard let next = fullSchedule.done(at: moment, in: zone) else { return false }
        completed = false
        completedDate = nil
        move(to: next)
        return true
    }

    /// Records the open occurrence as skipped at `moment`, and moves the item to the next one.
    ///
    /// - Returns: `false`, without an effect, if the occurrence is the last one or the item does not repeat.
    package func skipOccurrence(at moment: Timestamp, in zone: TimeZoneRules) throws -> Bool {
        guard let next = fullSchedule.skipped(at: moment, in: zone) else { return false }
        try record(CompletionValue(date: moment, due: dueTime, isSkipped: true), in: zone)
        move(to: next)
        return true
    }

    /// Opens a completed item. If its last occurrence had completed it, that occurrence is no longer recorded as done.
    package func reopen() throws {
        if recurrence != nil, let moment = completedDate, let context {
            // A file of another program may have truncated the time of completion to its second.
            let end = moment + 1
            let request = Completion.where { completion in
                completion.toDo == self && completion.date >= moment && completion.date < end
                    && !completion.isSkipped
            }
            let last = try context.fetch(request.ordered(by: \.date).limit(1)).first
            if let last { try context.delete(last) }
        }
        completed = false
        completedDate = nil
        isCancelled = false
    }

    /// Sets the schedule that the user wants. The single occurrences of another rule end.
    package func change(to schedule: Schedule) throws {
        let isOther = recurrence != nil && recurrence != schedule.rule?.text
        self.schedule = schedule
        guard isOther else { return }
        if !excludedDates.isEmpty { excludedDates = [] }
        if !addedDates.isEmpty { addedDates = [] }
        for occurrence in try occurrences.all() { try context?.delete(occurrence) }
    }

    /// The schedule with the changed occurrences, which are objects of their own.
    private var fullSchedule: Schedule {
        var schedule = schedule
        if recurrence != nil { schedule.occurrences = occurrenceValues }
        return schedule
    }
}
