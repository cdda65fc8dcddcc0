internal import CivilTime
internal import Phrases
internal import Reminders
internal import TodoAPI

/// The due time and the repetition that a client sends for an item. A value that is `nil` changes nothing.
struct ScheduleChange {
    /// The typed due time. An empty text removes it.
    private let due: String?
    private let repetition: RepetitionChange
    private let afterDone: Bool?
    private let timeZone: String?
    private let mayBePast: Bool

    init(_ details: ItemDetails) {
        due = details.due
        repetition = RepetitionChange(every: details.every, between: details.between)
        afterDone = details.afterDone
        timeZone = details.timeZone
        mayBePast = details.past ?? false
    }

    /// Returns the schedule of an item after the change.
    ///
    /// - Parameter present: the schedule of the item before the change.
    func schedule(from present: Schedule, with times: TypedTimes) throws(APIError) -> Schedule {
        let zone = try times.zone(named: timeZone)
        let typedRule = try repetition.reading(at: times.now(), in: zone)
        var schedule = present
        schedule.rule = try repetition.rule(replacing: present.rule, with: typedRule)
        let typedDue = try dueReading(beside: schedule.rule, typedRule?.secondOfDay, with: times)
        if let afterDone { schedule.isAfterDone = afterDone }
        guard let rule = schedule.rule else { return try single(present, typedDue) }
        if due == nil, repetition.isEmpty { return schedule }
        guard due == nil || typedDue != nil else {
            throw .invalidValue(
                field: "due", reason: "a repeating item needs one; remove its rule, too")
        }
        let first = try first(of: rule, present, typedRule?.secondOfDay, typedDue, with: times)
        if repetition.hasRule {
            _ = try repetition.first(of: rule, from: first.moment, in: zone)
            schedule.passed = 0
        }
        if let span = typedRule?.span {
            schedule.rule = try repetition.ended(rule, after: span, from: first.moment, in: zone)
        }
        schedule.due = first.moment
        schedule.start = rule.start(first: first.moment, at: first.secondOfDay, in: zone)
        if timeZone != nil || schedule.timeZone == nil {
            schedule.timeZone = TimeZoneRules(named: zone.name) == nil ? nil : zone.name
        }
        return schedule
    }

    /// Returns the readings that were chosen and how to type the others, or `nil` if every text has only one reading.
    ///
    /// - Parameter first: the due time that the change sets.
    func note(first: Timestamp?, with times: TypedTimes) throws(APIError) -> String? {
        let zone = try times.zone(named: timeZone)
        let rule = try repetition.reading(at: times.now(), in: zone)
        let dueReading: DatePhrase.Reading? =
            if let due, !due.isEmpty {
                try times.reading(
                    due, field: "due", at: times.now(), in: zone, defaultTime: times.defaultTime)
            } else { nil }
        var notes = [dueReading?.note, rule?.note]
        // A due time that is only a day takes its time from the rule.
        if dueReading?.isDayAlone ?? (due == nil), let first, let rule, rule.rule.stepWithinDay == nil {
            let typed = rule.secondOfDay.map { [$0] } ?? []
            let seconds = rule.rule.namesTime ? rule.rule.timesOfDay(defaultTime: times.defaultTime) : typed
            let second = seconds.first { zone.isMoment(first, of: $0) }
            notes.append(second.flatMap { ClockChangeNote.text(at: $0, on: first, in: zone) })
        }
        let texts = notes.compactMap(\.self)
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }

    /// Returns the schedule of an item that does not repeat.
    private func single(
        _ present: Schedule, _ typedDue: DatePhrase.Reading?
    ) throws(APIError) -> Schedule {
        if afterDone == true {
            throw .invalidValue(
                field: "afterDone", reason: "the item does not repeat; it needs 'every', too")
        }
        var single = Schedule()
        single.due = due == nil ? present.due : typedDue?.moment
        return single
    }

    /// Returns the reading of the due time, or `nil` if none is typed.
    ///
    /// - Parameter secondOfDay: the time of day in the typed rule, or `nil` if it has none.
    private func dueReading(
        beside rule: RecurrenceRule?, _ secondOfDay: Int?, with times: TypedTimes
    ) throws(APIError) -> DatePhrase.Reading? {
        guard let due, !due.isEmpty else { return nil }
        let usual = secondOfDay ?? times.defaultTime
        let reading = try times.futureReading(
            due, field: "due", timeZone: timeZone, mayBePast: mayBePast,
            defaultTime: rule?.timeOfDayAlone(usual) ?? usual)
        guard reading.isDayAlone || secondOfDay == nil else { throw RepetitionChange.timeIsNamedTwice }
        if let rule {
            try repetition.checkHours(
                of: rule, at: reading.moment, in: try times.zone(named: timeZone), field: "due")
        }
        return reading
    }

    /// Returns the first time of the rule, and the intended time of day, which a clock change can skip on that day.
    private func first(
        of rule: RecurrenceRule, _ present: Schedule, _ secondOfDay: Int?, _ typedDue: DatePhrase.Reading?,
        with times: TypedTimes
    ) throws(APIError) -> (moment: Timestamp, secondOfDay: Int?) {
        let zone = try times.zone(named: timeZone)
        if let due, let typedDue {
            // A time of day without a day is on the next day of the rule.
            let moment =
                DatePhrase.namesNoDay(due)
                ? try repetition.first(of: rule, at: typedDue, in: zone) : typedDue.moment
            return (moment, typedDue.secondOfDay)
        }
        if secondOfDay == nil, let due = present.due, rule.isAllowed(due, zone) {
            return (due, present.start.flatMap(zone.civil)?.secondOfDay)
        }
        let moment = try repetition.next(of: rule, at: secondOfDay, with: times, zone)
        return (moment, secondOfDay ?? times.defaultTime)
    }
}

extension TimeZoneRules {
    /// Whether a moment has this time of day on its day, or replaces it because a change of the clocks skips it.
    fileprivate func isMoment(_ moment: Timestamp, of secondOfDay: Int) -> Bool {
        guard let civil = civil(at: moment) else { return false }
        let intended = CivilDateTime(civil.date, secondOfDay: secondOfDay)
        return moments(of: intended).contains(moment) || self.moment(of: intended) == moment
    }
}
