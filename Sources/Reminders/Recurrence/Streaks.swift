package import CivilTime

/// The streaks of a repeating item: runs of consecutive occurrences that were done.
///
/// A skipped occurrence neither breaks a streak nor adds to it. A missed one breaks it: an occurrence of the present rule
/// or of the single ones, between two recorded ones. A rule that counts from the completion has no missed occurrences.
package struct Streaks: Hashable, Sendable {
    /// The length of the streak that ends with the last occurrence, or 0 if one was missed since.
    package private(set) var present = 0
    package private(set) var longest = 0

    /// Finds the streaks in the recorded occurrences.
    ///
    /// - Parameters:
    ///   - schedule: the present schedule. The open occurrence counts as missed when the one after it is due, because
    ///     completing it would then pass over that one.
    ///   - isFinished: whether the last occurrence of the schedule was completed, so that none is open.
    ///   - local: the time zone of a schedule that does not name one.
    package init(
        of completions: [CompletionValue], _ schedule: Schedule, isFinished: Bool, at now: Timestamp,
        in local: TimeZoneRules
    ) {
        let times = RuleTimes(schedule, in: local)
        let occurrences = completions.map { value in
            (due: times.moment(of: value.due ?? .moment(value.date)), isSkipped: value.isSkipped)
        }.sorted { $0.due < $1.due }
        for (index, occurrence) in occurrences.enumerated() {
            if !occurrence.isSkipped { present += 1 }
            longest = max(longest, present)
            let isLast = index == occurrences.count - 1
            let next = isLast ? (isFinished ? nil : schedule.ruleDue) : occurrences[index + 1].due
            if let next, times.hasTime(between: occurrence.due, and: next) { present = 0 }
        }
        guard !isFinished, let due = schedule.ruleDue else { return }
        if times.hasTime(between: due, and: times.moment(of: .moment(now)) + 1) { present = 0 }
    }
}

/// The times of a schedule.
private struct RuleTimes {
    private let schedule: Schedule
    /// The rule, or `nil` if no occurrence can be missed.
    private let rule: RecurrenceRule?
    private let zone: TimeZoneRules
    private let local: TimeZoneRules
    private let single: SingleTimes

    init(_ schedule: Schedule, in local: TimeZoneRules) {
        self.schedule = schedule
        rule = schedule.isAfterDone ? nil : schedule.rule?.withoutCount
        zone = schedule.ruleZone(in: local)
        self.local = local
        single = schedule.singleTimes(in: local)
    }

    /// Returns the moment with which the rule counts a time.
    func moment(of time: CalendarTime) -> Timestamp {
        schedule.ruleMoment(of: time, in: local)
    }

    /// Whether the item has a time after the first moment and before the second one.
    func hasTime(between first: Timestamp, and second: Timestamp) -> Bool {
        guard let rule, first < second, let start = schedule.ruleStart ?? schedule.ruleDue else {
            return false
        }
        if single.hasDue(between: first, and: second) { return true }
        var time = first
        while let next = rule.next(after: time, and: time, from: start, in: zone), next.due < second {
            if !single.isTaken(next.due) { return true }
            time = next.due
        }
        return false
    }
}
