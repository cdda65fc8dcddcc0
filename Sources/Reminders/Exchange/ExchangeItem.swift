package import CivilTime

/// An item as programs hand it to each other, apart from any store.
package struct ExchangeItem: Hashable, Sendable {
    /// What all programs know it by.
    package var uid: String
    package var name: String
    package var notes: String?
    /// From 1, the highest, to 9; 0 is none.
    package var priority: Int = 0
    package var category: String?
    package var due: Timestamp?
    package var isCompleted = false
    package var completedDate: Timestamp?
    package var createdDate: Timestamp?
    package var modifiedDate: Timestamp?
    package var isMuted = false
    package var snoozedUntil: Timestamp?
    /// How it comes again; nil when it comes once.
    package var recurrence: RecurrenceRule?
    /// The first time of the rule; nil where the due time is that.
    package var recurrenceStart: Timestamp?
    package var repeatsFromCompletion = false
    /// The IANA name of the zone whose clock counts for it.
    package var timeZone: String?
    /// How many seconds before its due time it is told; empty for the usual lead.
    package var leads: [Int] = []

    package init(uid: String, name: String) {
        self.uid = uid
        self.name = name
    }
}
