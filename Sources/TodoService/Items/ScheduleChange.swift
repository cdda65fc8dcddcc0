internal import CivilTime
internal import Phrases
internal import Reminders
internal import TodoAPI

/// The due time and the repetition that a client sends for an item. A value that is `nil` changes nothing.
struct ScheduleChange {
    /// The typed due time. An empty text removes it.
    private let due: String?
    /// Whether the due time becomes the same time of day in each time zone.
    private let isFloating: Bool?
    /// The typed start. An empty text removes it.
    private let start: String?
    private let isStartFloating: Bool?
    private let repetition: RepetitionChange
    private let afterDone: Bool?
    private var timeZone: String?
    private let mayBePast: Bool
    /// Whether the same call sets alerts or lead times, which replace the alert at the default time.
    private let hasAlerts: Bool

    init(_ details: ItemDetails) {
        let due = details.due.map(Self.reading)
        let start = details.start.map(Self.reading)
        (self.due, self.start) = (due?.text, start?.text)
        isFloating = due?.isFloating == true ? true : details.floating
        isStartFloating = start?.isFloating == true ? true : details.floating
        repetition = RepetitionChange(every: details.every, between: details.between)
        afterDone = details.afterDone
        timeZone = details.timeZone
        mayBePast = details.past ?? false
        hasAlerts = details.alerts?.isEmpty == false || details.leads?.isEmpty == false
    }

    /// Returns a typed time without the word `floating` after it.
    private static func reading(_ text: String) -> (text: String, isFloating: Bool) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.last?.lowercased() == "floating" else { return (text, false) }
        return (words.dropLast().joined(separator: " "), true)
    }

    /// Returns the schedule of an item after the change.
    ///
    /// - Parameter present: the schedule of the item before the change.
    func schedule(from present: Schedule, with times: TypedTimes) throws(APIError) -> Schedule {
        var schedule = try schedule(of: present, with: times)
        schedule.start = try start(beside: present.start, with: times)
        guard self.start != nil || due != nil || !repetition.isEmpty, let start = schedule.start,
            let due = schedule.due, start.firstMoment(in: times.zone) > due
        else { return schedule }
        let words = TimeInWords(now: times.now(), zone: times.zone)
        throw .invalidValue(
            field: self.start == nil ? "due" : "start",
            reason: self.start == nil
                ? "it is before the start of the item, \(words.lastingMoment(start)); change the start, too"
                : "it is after the due time of the item, \(words.lastingMoment(schedule.dueTime ?? .moment(due)))"
        )
    }

    /// Returns the start after the change.
    private func start(beside present: CalendarTime?, with times: TypedTimes) throws(APIError)
        -> CalendarTime?
    {
        guard let start else { return present }
        if start.isEmpty { return nil }
        let zone = try times.zone(named: timeZone)
        let reading = try times.reading(
            start, field: "start", at: times.now(), in: zone, defaultTime: Self.lastSecond)
        guard let civil = zone.civil(at: reading.moment) else { return .moment(reading.moment) }
        return reading.isDayAlone
            ? .local(.date(civil.date))
            : isStartFloating == true ? .local(.floating(civil)) : .moment(reading.moment)
    }

    /// Returns the due time and the rule after the change.
    private func schedule(of present: Schedule, with times: TypedTimes) throws(APIError) -> Schedule {
        let zone = try times.zone(named: timeZone)
        if repetition.isEmpty, let kept = present.keptZone, kept.name != zone.name,
            try isDayAlone(in: zone, with: times)
        {
            // The time of day is that of the item, and so is the zone.
            var change = self
            change.timeZone = kept.name
            return try change.schedule(of: present, with: times)
        }
        let typedRule = try repetition.reading(at: times.now(), in: zone)
        let present = try converted(present, with: times)
        var schedule = present
        schedule.rule = try repetition.rule(replacing: present.rule, with: typedRule)
        let namesTime = typedRule?.secondOfDay != nil
        let keptSecond = keptSecond(of: present, with: times)
        let mayBeDate = (schedule.rule?.isOfDays ?? true) && !namesTime && keptSecond == nil
        let typedDue = try dueReading(
            beside: schedule.rule, typedRule?.secondOfDay, kept: keptSecond, in: present.keptZone,
            mayBeDate: mayBeDate, with: times)
        if let afterDone { schedule.isAfterDone = afterDone }
        guard let rule = schedule.rule else { return try single(present, typedDue, with: times) }
        if due == nil, repetition.isEmpty { return schedule }
        guard due == nil || typedDue != nil else {
            throw .invalidValue(
                field: "due", reason: "a repeating item needs one; remove its rule, too")
        }
        let isDate =
            mayBeDate && (typedDue?.isDayAlone ?? present.hasNoTime)
        let first = try first(
            of: rule, present, isDate ? Self.lastSecond : typedRule?.secondOfDay, typedDue, with: times)
        if repetition.hasRule {
            _ = try repetition.first(of: rule, from: first.moment, in: zone)
            schedule.passed = 0
        }
        if let local = local(first.moment, in: zone, isDate: isDate, beside: present.localDue) {
            schedule.rule = rule.withLocalEnd(in: zone, isDate: local.isDate)
            if let span = typedRule?.span {
                schedule.rule = try repetition.ended(rule, after: span, from: local.momentInUTC, in: .utc)
                    .withLocalEnd(in: .utc, isDate: local.isDate)
            }
            schedule.setDue(.local(local), in: times.zone)
            schedule.ruleStart = local.momentInUTC
            schedule.timeZone = nil
            return schedule
        }
        if let span = typedRule?.span {
            schedule.rule = try repetition.ended(rule, after: span, from: first.moment, in: zone)
        }
        if repetition.isEmpty, let kept = present.keptZone, kept.name != zone.name,
            rule.meansTheSame(at: first.moment, in: kept, as: zone)
        {
            schedule.setDue(.moment(first.moment), in: kept)
            schedule.ruleStart = first.moment
            return schedule
        }
        schedule.setDue(.moment(first.moment), in: zone)
        schedule.ruleStart = rule.start(first: first.moment, at: first.secondOfDay, in: zone)
        if timeZone != nil || schedule.timeZone == nil {
            schedule.timeZone = TimeZoneRules(named: zone.name) == nil ? nil : zone.name
        }
        return schedule
    }

    /// Returns the readings that were chosen and how to type the others, or `nil` if every text has only one reading.
    ///
    /// - Parameter schedule: the schedule that the change sets, or `nil` if it sets none.
    func note(_ schedule: Schedule?, with times: TypedTimes) throws(APIError) -> String? {
        let zone = try times.zone(named: timeZone)
        let rule = try repetition.reading(at: times.now(), in: zone)
        let dueReading: DatePhrase.Reading? =
            if let due, !due.isEmpty {
                try times.reading(
                    due, field: "due", at: times.now(), in: zone, defaultTime: times.defaultTime)
            } else { nil }
        var notes = [dueReading?.note, rule?.note, passedAlertNote(of: schedule, with: times)]
        // A due time that is only a day takes its time from the rule.
        if dueReading?.isDayAlone ?? (due == nil), schedule?.localDue == nil, let first = schedule?.due,
            let rule, rule.rule.stepWithinDay == nil
        {
            let typed = rule.secondOfDay.map { [$0] } ?? []
            let seconds = rule.rule.namesTime ? rule.rule.timesOfDay(defaultTime: times.defaultTime) : typed
            let second = seconds.first { zone.isMoment(first, of: $0) }
            notes.append(second.flatMap { ClockChangeNote.text(at: $0, on: first, in: zone) })
        }
        let texts = notes.compactMap(\.self)
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }

    /// Returns a note that a date has no alert because its alert time has passed today.
    private func passedAlertNote(of schedule: Schedule?, with times: TypedTimes) -> String? {
        guard !hasAlerts, due != nil || repetition.hasRule, case .date(let date)? = schedule?.localDue else {
            return nil
        }
        let time = CivilDateTime(date, secondOfDay: times.defaultTime)
        let now = times.now()
        guard times.zone.moment(of: time) <= now, let end = schedule?.due, now < end else { return nil }
        return "no alert is sent today: the time of the alerts of days, \(time.text.suffix(5)), has passed"
    }

    /// Returns the schedule of an item that does not repeat.
    private func single(
        _ present: Schedule, _ typedDue: DatePhrase.Reading?, with times: TypedTimes
    ) throws(APIError) -> Schedule {
        if afterDone == true {
            throw .invalidValue(
                field: "afterDone", reason: "the item does not repeat; it needs 'every', too")
        }
        var single = Schedule()
        guard due != nil else {
            single.setDue(present.dueTime, in: times.zone)
            return single
        }
        if isFloating == true, typedDue == nil { throw Self.noTimeToFloat }
        let zone = try times.zone(named: timeZone)
        single.setDue(
            typedDue.map { reading in
                let local = local(
                    reading.moment, in: zone, isDate: reading.isDayAlone, beside: present.localDue)
                return local.map(CalendarTime.local) ?? .moment(reading.moment)
            }, in: times.zone)
        return single
    }

    /// Returns the date or the floating time that the clock shows at a moment, or `nil` for an item with a time zone.
    ///
    /// - Parameter kept: the local time of the item before the change. A floating time stays one.
    private func local(
        _ moment: Timestamp, in zone: TimeZoneRules, isDate: Bool, beside kept: LocalTime?
    ) -> LocalTime? {
        guard isDate || isFloating ?? (kept?.isDate == false), let civil = zone.civil(at: moment) else {
            return nil
        }
        return isDate ? .date(civil.date) : .floating(civil)
    }

    /// Returns the time of day of a repeating item that gets another day without a time, or `nil` for a date.
    private func keptSecond(of present: Schedule, with times: TypedTimes) -> Int? {
        guard !repetition.hasRule, present.rule != nil, present.localDue?.isDate != true else { return nil }
        return present.ruleDue.flatMap(present.ruleZone(in: times.zone).civil)?.secondOfDay
    }

    /// Returns the schedule before the change with floating times or without them.
    private func converted(_ present: Schedule, with times: TypedTimes) throws(APIError) -> Schedule {
        guard due == nil, let isFloating else { return present }
        guard present.due != nil || !repetition.isEmpty else { throw Self.noTimeToFloat }
        return isFloating ? present.floating(in: times.zone) : present.fixed(in: times.zone)
    }

    /// Whether the typed due time is a day without a time.
    private func isDayAlone(in zone: TimeZoneRules, with times: TypedTimes) throws(APIError) -> Bool {
        guard let due, !due.isEmpty else { return false }
        let reading = try times.reading(
            due, field: "due", at: times.now(), in: zone, defaultTime: Self.lastSecond)
        return reading.isDayAlone
    }

    private static let lastSecond = CivilDateTime.secondsPerDay - 1

    private static var noTimeToFloat: APIError {
        .invalidValue(field: "floating", reason: "the item has no due time; add 'due', such as 'fri 20:00'")
    }

    /// Returns the reading of the due time, or `nil` if none is typed.
    ///
    /// - Parameters:
    ///   - secondOfDay: the time of day in the typed rule, or `nil` if it has none.
    ///   - kept: the time of day of the item before the change, if it belongs to another day, too.
    ///   - keptZone: the zone that the item names, in which its hours are counted, too.
    ///   - mayBeDate: whether a day without a time is a date, which is in the future until it ends.
    private func dueReading(
        beside rule: RecurrenceRule?, _ secondOfDay: Int?, kept: Int?, in keptZone: TimeZoneRules?,
        mayBeDate: Bool, with times: TypedTimes
    ) throws(APIError) -> DatePhrase.Reading? {
        guard let due, !due.isEmpty else { return nil }
        let usual = mayBeDate ? Self.lastSecond : secondOfDay ?? kept ?? times.defaultTime
        let reading = try times.futureReading(
            due, field: "due", timeZone: timeZone, mayBePast: mayBePast,
            defaultTime: mayBeDate ? usual : rule?.timeOfDayAlone(usual) ?? usual)
        guard reading.isDayAlone || secondOfDay == nil else { throw RepetitionChange.timeIsNamedTwice }
        let isAllowed = keptZone.flatMap { zone in rule?.isAllowed(reading.moment, zone) } ?? false
        if let rule, !isAllowed || !repetition.isEmpty {
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
        if let local = present.localDue {
            let secondOfDay =
                secondOfDay ?? (rule.isOfDays ? nil : rule.timeOfDayAlone(times.defaultTime))
            if local.isDate, let secondOfDay {
                return (zone.moment(of: CivilDateTime(local.date, secondOfDay: secondOfDay)), secondOfDay)
            }
            if secondOfDay == nil { return (local.moment(in: zone), nil) }
        }
        if secondOfDay == nil, let due = present.due, rule.isAllowed(due, zone) {
            return (due, present.ruleStart.flatMap(zone.civil)?.secondOfDay)
        }
        let moment = try repetition.next(of: rule, at: secondOfDay, with: times, zone)
        return (moment, secondOfDay ?? times.defaultTime)
    }
}

extension Schedule {
    /// The zone in which the rule is counted if the item names one. Another due time keeps it.
    fileprivate var keptZone: TimeZoneRules? {
        rule != nil && localDue == nil ? timeZone.flatMap(TimeZoneRules.init(named:)) : nil
    }
}

extension RecurrenceRule {
    /// Whether a due time that was typed in one zone has the same place in the days and hours of the rule in another zone.
    fileprivate func meansTheSame(
        at moment: Timestamp, in zone: TimeZoneRules, as typed: TimeZoneRules
    ) -> Bool {
        guard isAllowed(moment, zone) || !isAllowed(moment, typed) else { return false }
        return !dependsOnDates || zone.civil(at: moment)?.date == typed.civil(at: moment)?.date
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
