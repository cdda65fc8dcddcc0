package import CivilTime
internal import ObjectStore

extension ToDo {
    /// Completes the item and its open subtasks, or moves a repeating item with its subtasks to the next occurrence.
    ///
    /// - Parameter zone: the time zone of a schedule that does not name one.
    /// - Returns: the subtasks that change.
    package func completeWithSubtasks(at moment: Timestamp, in zone: TimeZoneRules) throws -> [ToDo] {
        let former = schedule
        try complete(at: moment, in: zone)
        if !completed { return try restartSubtasks(since: former, in: zone) }
        let open = try descendants().filter { !$0.completed }
        for item in open { try item.finish(at: moment, in: zone) }
        return open
    }

    /// Records the open occurrence of a repeating item as done, and moves the item with its subtasks to the next one.
    ///
    /// The item does not change otherwise, so an item that another program has completed stays so after the last occurrence.
    package func completeOccurrenceWithSubtasks(at moment: Timestamp, in zone: TimeZoneRules) throws {
        let former = schedule
        if try completeOccurrence(at: moment, in: zone) { _ = try restartSubtasks(since: former, in: zone) }
    }

    /// Skips the open occurrence of a repeating item, and moves the item with its subtasks to the next one.
    ///
    /// - Returns: the subtasks that change, or `nil`, without an effect, if the occurrence is the last one or the item does
    ///   not repeat.
    package func skipWithSubtasks(at moment: Timestamp, in zone: TimeZoneRules) throws -> [ToDo]? {
        let former = schedule
        guard try skipOccurrence(at: moment, in: zone) else { return nil }
        return try restartSubtasks(since: former, in: zone)
    }

    /// Completes a subtask with its parent. A repeating one has no next occurrence then.
    private func finish(at moment: Timestamp, in zone: TimeZoneRules) throws {
        completed = true
        completedDate = moment
        if schedule.repeats { try record(CompletionValue(date: moment, due: dueTime), in: zone) }
    }

    /// Opens the subtasks of a repeating item that has moved, and moves their times with it.
    ///
    /// A repeating subtask, and those below it, keep the times of its own rule.
    private func restartSubtasks(since former: Schedule, in zone: TimeZoneRules) throws -> [ToDo] {
        try descendants { !$0.schedule.repeats }.filter { item in
            if item.completed {
                if let date = item.completedDate {
                    try item.record(CompletionValue(date: date, due: item.dueTime), in: zone)
                }
                item.completed = false
                item.completedDate = nil
            }
            var next = item.schedule
            next.setDue(former.moved(next.dueTime, with: schedule, in: zone), in: zone)
            next.setStart(former.moved(next.start, with: schedule, in: zone), since: item.schedule)
            item.move(to: next)
            return item.isUpdated
        }
    }
}
