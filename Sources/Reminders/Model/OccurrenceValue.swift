package import CivilTime
internal import ObjectStore

/// The values of a changed occurrence of a repeating item, independent of any store.
///
/// A value that is `nil` is that of the item.
package struct OccurrenceValue: Hashable, Sendable {
    /// The due time that the rule gives the occurrence, as the value of RECURRENCE-ID in iCalendar.
    package var recurrenceID: String
    package var name: String?
    package var notes: String?
    package var priority: Int?
    package var due: CalendarTime?
    package var start: CalendarTime?
    package var completedDate: Timestamp?
    package var isCancelled = false
    /// The text of the imported override that no other property has, in iCalendar.
    package var remainder: [UInt8]?

    package init(recurrenceID: String) { self.recurrenceID = recurrenceID }

    /// Whether the item never gets to the occurrence.
    package var isOver: Bool { isCancelled || completedDate != nil }

    init(_ occurrence: Occurrence) {
        self.init(recurrenceID: occurrence.recurrenceID)
        name = occurrence.name
        notes = occurrence.notes
        priority = occurrence.priority.map(Int.init)
        due = CalendarTime(moment: occurrence.dueDate, local: occurrence.dueLocal.flatMap(LocalTime.init))
        start = CalendarTime(
            moment: occurrence.startDate, local: occurrence.startLocal.flatMap(LocalTime.init))
        completedDate = occurrence.completedDate
        isCancelled = occurrence.isCancelled
        remainder = occurrence.remainder
    }
}

extension ToDo {
    /// The values of the changed occurrences, in the order of their identifiers.
    package var occurrenceValues: [OccurrenceValue] {
        occurrences.map(OccurrenceValue.init).sorted { $0.recurrenceID < $1.recurrenceID }
    }

    /// Replaces the changed occurrences. One with the same identifier stays the same object.
    ///
    /// - Parameter zone: the time zone of the moments that dates and floating times mean.
    package func setOccurrences(_ values: [OccurrenceValue], in zone: TimeZoneRules) throws {
        if isInserted, values.isEmpty { return }
        var known = Dictionary(
            try occurrences.all().map { ($0.recurrenceID, $0) }, uniquingKeysWith: { first, _ in first })
        for value in values {
            let present = known.removeValue(forKey: value.recurrenceID)
            if let present, OccurrenceValue(present) == value { continue }
            guard let occurrence = try present ?? context?.insert(Occurrence.self) else { return }
            occurrence.fill(from: value, in: zone)
            if occurrence.toDo == nil { occurrence.toDo = self }
        }
        for occurrence in known.values { try context?.delete(occurrence) }
    }
}

extension Occurrence {
    fileprivate func fill(from value: OccurrenceValue, in zone: TimeZoneRules) {
        recurrenceID = value.recurrenceID
        date = CalendarTime(basicText: value.recurrenceID)?.moment(in: zone) ?? Timestamp(secondsSince1970: 0)
        name = value.name
        notes = value.notes
        priority = value.priority.map { Int16(clamping: $0) }
        dueDate = value.due?.moment(in: zone)
        dueLocal = value.due?.local?.text
        startDate = value.start?.firstMoment(in: zone)
        startLocal = value.start?.local?.text
        completedDate = value.completedDate
        isCancelled = value.isCancelled
        remainder = value.remainder
    }
}
