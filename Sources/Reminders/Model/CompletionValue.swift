package import CivilTime
internal import ObjectStore

/// The values of a completion, independent of any store.
package struct CompletionValue: Hashable, Sendable {
    /// The time of the completion.
    package var date: Timestamp
    /// The time or the date at which the occurrence was due, or `nil` if it is unknown.
    package var due: CalendarTime?
    /// Whether the occurrence was passed over without being done.
    package var isSkipped = false

    package init(date: Timestamp, due: CalendarTime?, isSkipped: Bool = false) {
        self.date = date
        self.due = due
        self.isSkipped = isSkipped
    }

    fileprivate init(_ completion: Completion) {
        self.init(
            date: completion.date,
            due: CalendarTime(
                moment: completion.dueDate, local: completion.dueLocal.flatMap(LocalTime.init)),
            isSkipped: completion.isSkipped)
    }
}

extension CompletionValue: Comparable {
    /// Whether a completion was before another one. If both were at the same time, the due time decides.
    package static func < (first: CompletionValue, second: CompletionValue) -> Bool {
        if first.date != second.date { return first.date < second.date }
        let dues = [first, second].map { $0.due.map { $0.moment(in: .utc) } ?? $0.date }
        if dues[0] != dues[1] { return dues[0] < dues[1] }
        return !first.isSkipped && second.isSkipped
    }
}

extension ToDo {
    /// The values of the completions, the oldest first.
    package var completionValues: [CompletionValue] { completions.map(CompletionValue.init).sorted() }

    /// Replaces the completions. One with the same values stays the same object.
    ///
    /// - Parameter zone: the time zone of the moments that dates and floating times mean.
    package func setCompletions(_ values: [CompletionValue], in zone: TimeZoneRules) throws {
        if isInserted, values.isEmpty { return }
        let present = try completions.all()
        var known = Dictionary(grouping: present, by: CompletionValue.init)
        for value in values where known[value]?.popLast() == nil { try record(value, in: zone) }
        for completion in known.values.joined() { try context?.delete(completion) }
    }

    /// Adds a completion.
    package func record(_ value: CompletionValue, in zone: TimeZoneRules) throws {
        guard let completion = try context?.insert(Completion.self) else { return }
        completion.date = value.date
        completion.dueDate = value.due?.moment(in: zone)
        completion.dueLocal = value.due?.local?.text
        completion.isSkipped = value.isSkipped
        completion.toDo = self
    }
}
