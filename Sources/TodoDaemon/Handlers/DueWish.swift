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
    let afterDone: Bool?
    let timeZone: String?
    let mayBePast: Bool

    /// What becomes of `present`.
    func schedule(from present: Schedule, in workspace: Workspace) throws(APIError) -> Schedule {
        let zone = try workspace.zone(named: timeZone)
        let moment = try moment(workspace)
        let reading = try reading(workspace.now(), zone)
        var schedule = present
        if every != nil { schedule.rule = reading?.rule }
        if let afterDone { schedule.isAfterDone = afterDone }
        guard let rule = schedule.rule else {
            if afterDone == true {
                throw .invalidValue(
                    field: "afterDone", reason: "the item comes only once; it needs 'every' too")
            }
            var single = Schedule()
            single.due = due == nil ? present.due : moment
            return single
        }
        if due == nil, every == nil { return schedule }
        if due != nil, moment == nil {
            throw .invalidValue(
                field: "due", reason: "an item that comes again needs one; take its rule away too")
        }
        let first =
            if let second = reading?.secondOfDay {
                try firstTime(by: rule, at: second, workspace, zone)
            } else {
                try firstTime(by: rule, moment, present.due, workspace, zone)
            }
        if every != nil {
            _ = try self.first(of: rule, from: first, zone)
            schedule.passed = 0
        }
        if let reading { schedule.rule = try ended(reading, from: first, zone) }
        schedule.due = first
        schedule.start = first
        if timeZone != nil || schedule.timeZone == nil {
            schedule.timeZone = TimeZoneRules(named: zone.name) == nil ? nil : zone.name
        }
        return schedule
    }

    /// Nil when none is typed, or an empty text.
    private func moment(_ workspace: Workspace) throws(APIError) -> Timestamp? {
        guard let due, !due.isEmpty else { return nil }
        return try workspace.futureMoment(due, field: "due", timeZone: timeZone, mayBePast: mayBePast)
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
        _ reading: RecurrencePhrase.Reading, from first: Timestamp, _ zone: TimeZoneRules
    ) throws(APIError) -> RecurrenceRule {
        do {
            return try reading.rule(from: first, in: zone)
        } catch {
            throw .invalidRecurrence(text: every ?? "", reason: error.reason)
        }
    }

    /// The next day of the rule at the time that it names itself.
    private func firstTime(
        by rule: RecurrenceRule, at secondOfDay: Int, _ workspace: Workspace, _ zone: TimeZoneRules
    ) throws(APIError) -> Timestamp {
        guard due == nil else {
            throw .invalidValue(
                field: "due", reason: "the rule names a time of day already; say the time in one of them")
        }
        return try first(of: rule, from: try workspace.next(secondOfDay, in: zone), zone)
    }

    /// The time that is typed or that the item has; where that names no day, the next one of the rule.
    private func firstTime(
        by rule: RecurrenceRule, _ typed: Timestamp?, _ present: Timestamp?, _ workspace: Workspace,
        _ zone: TimeZoneRules
    ) throws(APIError) -> Timestamp {
        if let typed, let due {
            return DatePhrase.namesNoDay(due) ? try first(of: rule, from: typed, zone) : typed
        }
        if let present { return present }
        return try first(
            of: rule, from: try workspace.next(workspace.configuration.defaultTime, in: zone), zone)
    }

    private func first(
        of rule: RecurrenceRule, from base: Timestamp, _ zone: TimeZoneRules
    ) throws(APIError) -> Timestamp {
        if let first = rule.first(from: base, in: zone) { return first }
        throw .invalidRecurrence(
            text: every ?? rule.text, reason: "there is no such day at or after the due time")
    }
}
