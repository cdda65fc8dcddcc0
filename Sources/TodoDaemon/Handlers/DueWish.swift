internal import CivilTime
internal import Phrases
internal import Reminders
internal import TodoAPI

/// When an item is to be due, and how it is to come again, as a client says it. What is nil stays.
struct DueWish {
    /// Typed text; empty takes the due time away.
    let due: String?
    /// A rule, which may name a time of day in place of `due`; empty takes it away.
    let every: String?
    /// The hours of the day in which a rule within the day repeats; empty takes them away.
    let between: String?
    let afterDone: Bool?
    let timeZone: String?
    let mayBePast: Bool

    init(_ details: ItemDetails) {
        due = details.due
        every = details.every
        between = details.between
        afterDone = details.afterDone
        timeZone = details.timeZone
        mayBePast = details.past ?? false
    }

    /// What becomes of `present`.
    func schedule(from present: Schedule, in workspace: Workspace) throws(APIError) -> Schedule {
        let zone = try workspace.zone(named: timeZone)
        let reading = try reading(workspace.now(), zone)
        var schedule = present
        if every != nil { schedule.rule = reading?.rule }
        if let between { schedule.rule = try rule(schedule.rule, between: between) }
        let defaultTime = reading?.secondOfDay ?? workspace.configuration.defaultTime
        let moment = try moment(
            workspace, schedule.rule, namesTime: reading?.secondOfDay != nil, zone, defaultTime)
        if let afterDone { schedule.isAfterDone = afterDone }
        guard let rule = schedule.rule else {
            if afterDone == true {
                throw .invalidValue(
                    field: "afterDone", reason: "the item comes only once; it needs 'every' too")
            }
            var single = Schedule()
            single.due = due == nil ? present.due : moment?.moment
            return single
        }
        if due == nil, every == nil, between == nil { return schedule }
        if due != nil, moment == nil {
            throw .invalidValue(
                field: "due", reason: "an item that comes again needs one; take its rule away too")
        }
        let isKept = reading?.secondOfDay == nil && present.due.map { rule.isAllowed($0, zone) } == true
        let first: Timestamp
        // The time of day that is meant: a change of the clocks can leave it out on the first day.
        let secondOfDay: Int?
        if let moment {
            first = try firstTime(by: rule, moment, zone)
            secondOfDay = moment.secondOfDay
        } else if isKept, let due = present.due {
            first = due
            secondOfDay = present.start.flatMap(zone.civil)?.secondOfDay
        } else {
            first = try firstTime(by: rule, at: reading?.secondOfDay, workspace, zone)
            secondOfDay = defaultTime
        }
        if every != nil {
            _ = try self.first(of: rule, from: first, zone)
            schedule.passed = 0
        }
        if let span = reading?.span { schedule.rule = try ended(rule, span, from: first, zone) }
        schedule.due = first
        schedule.start = rule.start(first: first, at: secondOfDay, in: zone)
        if timeZone != nil || schedule.timeZone == nil {
            schedule.timeZone = TimeZoneRules(named: zone.name) == nil ? nil : zone.name
        }
        return schedule
    }

    /// The reading of `due` that was chosen and how to type the other one, where half of the people mean that one.
    func note(in workspace: Workspace) throws(APIError) -> String? {
        let zone = try workspace.zone(named: timeZone)
        let end = try reading(workspace.now(), zone)?.note
        guard let due, !due.isEmpty else { return end }
        let note = try workspace.reading(
            due, field: "due", in: zone, defaultTime: workspace.configuration.defaultTime
        ).note
        let notes = [note, end].compactMap(\.self)
        return notes.isEmpty ? nil : notes.joined(separator: "; ")
    }

    /// The reading of the due time that is typed, or `nil`; a day alone is at the first time of the rule on a day, at the default time, or at
    /// the beginning of the hours of the rule if that is outside them.
    private func moment(
        _ workspace: Workspace, _ rule: RecurrenceRule?, namesTime: Bool, _ zone: TimeZoneRules, _ usual: Int
    ) throws(APIError) -> DatePhrase.Reading? {
        guard let due, !due.isEmpty else { return nil }
        let window = rule?.window
        let isOpen = window?.contains(secondOfDay: usual) ?? true
        let first = rule?.stepWithinDay == nil ? rule?.timesOfDay(defaultTime: usual).first : nil
        let defaultTime = isOpen ? first ?? usual : window?.first ?? usual
        let reading = try workspace.futureReading(
            due, field: "due", timeZone: timeZone, mayBePast: mayBePast, defaultTime: defaultTime)
        guard reading.isDayAlone || !namesTime else { throw Self.namedTwice }
        try check(reading.moment, window, zone, field: "due")
        return reading
    }

    private static var namedTwice: APIError {
        .invalidValue(
            field: "due", reason: "the rule names a time of day already; say the time in one of them")
    }

    /// Refuses a time at which the rule rests.
    private func check(
        _ moment: Timestamp, _ window: DayWindow?, _ zone: TimeZoneRules, field: String
    ) throws(APIError) {
        guard let window, let second = zone.civil(at: moment)?.secondOfDay,
            !window.contains(secondOfDay: second)
        else { return }
        throw .invalidValue(
            field: field,
            reason: "it is outside \(window.words), the hours of the rule; choose a time in these hours")
    }

    /// Nil when no rule is typed, or an empty text.
    private func reading(
        _ now: Timestamp, _ zone: TimeZoneRules
    ) throws(APIError) -> RecurrencePhrase.Reading? {
        guard let every, !every.isEmpty else { return nil }
        do {
            return try RecurrencePhrase.reading(every, .init(now: now, zone: zone))
        } catch {
            throw .invalidRecurrence(text: every, reason: error.reason)
        }
    }

    /// The rule with the end that a span such as `for 2 weeks` gives it.
    private func ended(
        _ rule: RecurrenceRule, _ span: DurationPhrase, from first: Timestamp, _ zone: TimeZoneRules
    ) throws(APIError) -> RecurrenceRule {
        do {
            return try rule.ending(span, after: first, in: zone)
        } catch {
            throw .invalidRecurrence(text: every ?? "", reason: error.reason)
        }
    }

    /// The rule with other hours of the day.
    private func rule(_ rule: RecurrenceRule?, between: String) throws(APIError) -> RecurrenceRule {
        guard let rule, rule.stepWithinDay != nil else {
            throw .invalidValue(
                field: "between",
                reason: rule == nil
                    ? "the item does not repeat; give it a rule such as '90 minutes' too"
                    : "it needs a rule within the day, such as '2 hours' or '90 minutes'")
        }
        guard every == nil || rule.window == nil else {
            throw .invalidValue(
                field: "between", reason: "the rule names hours already; name them in one of them")
        }
        do {
            return try rule.between(between.isEmpty ? nil : DayWindow(typed: between))
        } catch {
            throw .invalidValue(field: "between", reason: error.reason)
        }
    }

    /// The time that is typed; if that names no day, the next one of the rule at that time of day.
    private func firstTime(
        by rule: RecurrenceRule, _ typed: DatePhrase.Reading, _ zone: TimeZoneRules
    ) throws(APIError) -> Timestamp {
        guard let due, DatePhrase.namesNoDay(due) else { return typed.moment }
        guard rule.isAllowed(typed.moment, zone) else { throw Self.namedTwice }
        guard rule.stepWithinDay == nil else { return try first(of: rule, from: typed.moment, zone) }
        return try first(of: rule.withoutInterval, from: typed.moment, at: typed.secondOfDay, zone)
    }

    /// The first time of the rule after now, at the time of day that the phrase names.
    private func firstTime(
        by rule: RecurrenceRule, at secondOfDay: Int?, _ workspace: Workspace, _ zone: TimeZoneRules
    ) throws(APIError) -> Timestamp {
        if let secondOfDay, rule.stepWithinDay != nil {
            let next = try workspace.next(secondOfDay, in: zone)
            try check(next, rule.window, zone, field: "every")
            return try first(of: rule, from: next, zone)
        }
        let defaultTime = secondOfDay ?? workspace.configuration.defaultTime
        if let first = rule.firstTime(after: workspace.now(), defaultTime: defaultTime, in: zone) {
            return first
        }
        throw noTime(of: rule)
    }

    private func first(
        of rule: RecurrenceRule, from base: Timestamp, at secondOfDay: Int? = nil, _ zone: TimeZoneRules
    ) throws(APIError) -> Timestamp {
        if let first = rule.first(from: base, at: secondOfDay, in: zone) { return first }
        throw noTime(of: rule)
    }

    private func noTime(of rule: RecurrenceRule) -> APIError {
        .invalidRecurrence(text: every ?? rule.text, reason: "there is no such day at or after the due time")
    }
}

extension RecurrenceRule {
    /// Whether a time is in the hours of the rule, or is one of its times, if it names any.
    fileprivate func isAllowed(_ moment: Timestamp, _ zone: TimeZoneRules) -> Bool {
        guard let second = zone.civil(at: moment)?.secondOfDay else { return true }
        return window?.contains(secondOfDay: second) ?? allows(secondOfDay: second)
    }
}
