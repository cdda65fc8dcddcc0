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
    /// How many of its times lie behind; nil where that is not told.
    package var occurrencesDone: Int?
    /// Its next time is counted from when it is done.
    package var isAfterDone = false
    /// The IANA name of the zone whose clock counts for it.
    package var timeZone: String?
    /// How many seconds before its due time it is told; empty for the usual lead.
    package var leads: [Int] = []

    /// Its name is to be taken as it is, with the space around it.
    package var hasExactName = false
    /// It comes from a program that has no words for rules, leads and muting, so it tells nothing of them.
    package var isPartial = false
    /// Whether a partial item says how it repeats.
    package var tellsRecurrence = false
    /// Whether it comes from a program that has notes and priorities.
    package var tellsNotes = true

    package init(uid: String, name: String) {
        self.uid = uid
        self.name = name
    }

    /// Takes from `known` what a partial item does not tell.
    package mutating func complete(from known: ExchangeItem) {
        if !tellsRecurrence {
            recurrence = known.recurrence
            recurrenceStart = known.recurrenceStart
            timeZone = known.timeZone
        }
        occurrencesDone = known.occurrencesDone
        isAfterDone = known.isAfterDone
        leads = known.leads
        isMuted = known.isMuted
        guard !tellsNotes else { return }
        notes = known.notes
        priority = known.priority
    }
}
