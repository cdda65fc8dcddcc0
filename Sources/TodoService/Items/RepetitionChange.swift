internal import CivilTime
internal import Phrases
internal import Reminders
internal import TodoAPI

/// The rule that a client sends for an item, and the hours of the day in which it repeats.
///
/// A value that is `nil` changes nothing.
struct RepetitionChange {
    /// A typed rule, which may name a time of day. An empty text removes the current rule.
    private let every: String?
    /// The typed hours of a rule within the day. An empty text removes them.
    private let between: String?

    init(every: String?, between: String?) {
        self.every = every
        self.between = between
    }

    var isEmpty: Bool { every == nil && between == nil }
    var hasRule: Bool { every != nil }

    /// Returns the reading of the rule, or `nil` if none is typed.
    func reading(
        at now: Timestamp, in zone: TimeZoneRules
    ) throws(APIError) -> RecurrencePhrase.Reading? {
        guard let every, !every.isEmpty else { return nil }
        do {
            return try RecurrencePhrase.reading(every, .init(now: now, zone: zone))
        } catch {
            throw .invalidRecurrence(text: every, reason: error.reason)
        }
    }

    /// Returns the rule that replaces `present`, with the typed hours.
    func rule(
        replacing present: RecurrenceRule?, with typed: RecurrencePhrase.Reading?
    ) throws(APIError) -> RecurrenceRule? {
        let rule = every == nil ? present : typed?.rule
        guard let between else { return rule }
        guard let rule, rule.stepWithinDay != nil else {
            throw .invalidValue(
                field: "between",
                reason: rule == nil
                    ? "the item does not repeat; give it a rule such as '90 minutes' too"
                    : "it needs a rule within the day, such as '2 hours' or '90 minutes'")
        }
        guard every == nil || rule.window == nil else {
            throw .invalidValue(
                field: "between", reason: "the rule already names hours; use only one of the two")
        }
        do {
            return try rule.between(between.isEmpty ? nil : DayWindow(typed: between))
        } catch {
            throw .invalidValue(field: "between", reason: error.reason)
        }
    }

    /// Returns the rule with the end that a span such as `for 2 weeks` sets.
    func ended(
        _ rule: RecurrenceRule, after span: DurationPhrase, from first: Timestamp, in zone: TimeZoneRules
    ) throws(APIError) -> RecurrenceRule {
        do {
            return try rule.ending(span, after: first, in: zone)
        } catch {
            throw .invalidRecurrence(text: every ?? "", reason: error.reason)
        }
    }

    // MARK: - Times

    static var timeIsNamedTwice: APIError {
        .invalidValue(
            field: "due", reason: "the rule already names a time of day; use only one of the two")
    }

    /// Throws if the time is outside the hours of the rule.
    func checkHours(
        of rule: RecurrenceRule, at moment: Timestamp, in zone: TimeZoneRules, field: String
    ) throws(APIError) {
        guard let window = rule.window, let second = zone.civil(at: moment)?.secondOfDay,
            !window.contains(secondOfDay: second)
        else { return }
        throw .invalidValue(
            field: field,
            reason: "it is outside \(window.words), the hours of the rule; choose a time in these hours")
    }

    /// Returns the first time of the rule at the time of day of `typed`.
    func first(
        of rule: RecurrenceRule, at typed: DatePhrase.Reading, in zone: TimeZoneRules
    ) throws(APIError) -> Timestamp {
        guard rule.isAllowed(typed.moment, zone) else { throw Self.timeIsNamedTwice }
        guard rule.stepWithinDay == nil else { return try first(of: rule, from: typed.moment, in: zone) }
        return try first(of: rule.withoutInterval, from: typed.moment, at: typed.secondOfDay, in: zone)
    }

    /// Returns the first time of the rule after now.
    ///
    /// - Parameter secondOfDay: the time of day in the typed rule, or `nil` if it has none.
    func next(
        of rule: RecurrenceRule, at secondOfDay: Int?, with times: TypedTimes, _ zone: TimeZoneRules
    ) throws(APIError) -> Timestamp {
        if let secondOfDay, rule.stepWithinDay != nil {
            let next = try times.next(secondOfDay, in: zone)
            try checkHours(of: rule, at: next, in: zone, field: "every")
            return try first(of: rule, from: next, in: zone)
        }
        let defaultTime = secondOfDay ?? times.defaultTime
        if let first = rule.firstTime(after: times.now(), defaultTime: defaultTime, in: zone) {
            return first
        }
        throw noTime(of: rule)
    }

    /// Returns the first time of the rule at or after `base`.
    func first(
        of rule: RecurrenceRule, from base: Timestamp, at secondOfDay: Int? = nil, in zone: TimeZoneRules
    ) throws(APIError) -> Timestamp {
        if let first = rule.first(from: base, at: secondOfDay, in: zone) { return first }
        throw noTime(of: rule)
    }

    private func noTime(of rule: RecurrenceRule) -> APIError {
        .invalidRecurrence(text: every ?? rule.text, reason: "there is no such day at or after the due time")
    }
}

extension RecurrenceRule {
    /// Whether a time is within the hours of the rule, or is one of its times of day, if it has any.
    func isAllowed(_ moment: Timestamp, _ zone: TimeZoneRules) -> Bool {
        guard let second = zone.civil(at: moment)?.secondOfDay else { return true }
        return window?.contains(secondOfDay: second) ?? allows(secondOfDay: second)
    }

    /// Returns the second of the day that is meant by a due time without a time of day.
    ///
    /// It is the first time of day of the rule, or `usual` if the rule has none. If `usual` is outside the hours of the
    /// rule, it is their beginning.
    func timeOfDayAlone(_ usual: Int) -> Int {
        if let window, !window.contains(secondOfDay: usual) { return window.first }
        return stepWithinDay == nil ? timesOfDay(defaultTime: usual).first ?? usual : usual
    }
}
