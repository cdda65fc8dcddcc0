import CivilTime

/// A slow implementation of rules that examines one day after the other, without a library.
struct RuleReference {
    enum Frequency: String, CaseIterable {
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    var frequency = Frequency.daily
    var interval = 1
    /// The weekdays, each with its position in the month or year, or 0 for all.
    var weekdays: [(position: Int, day: Weekday)] = []
    /// From 1 on, or from -1 backwards.
    var monthDays: [Int] = []
    var months: [Int] = []
    var positions: [Int] = []
    var hours: [Int] = []
    var weekStart = Weekday.monday
    /// Whether the last day of a month replaces a day that the month lacks.
    var skipsBackward = false
    var count: Int?

    var text: String {
        var parts = skipsBackward ? ["RSCALE=GREGORIAN"] : []
        parts.append("FREQ=\(frequency.rawValue)")
        if interval > 1 { parts.append("INTERVAL=\(interval)") }
        if !weekdays.isEmpty {
            let days = weekdays.map { ($0.position == 0 ? "" : "\($0.position)") + Self.code($0.day) }
            parts.append("BYDAY=" + days.joined(separator: ","))
        }
        for (name, numbers) in [
            ("BYMONTHDAY", monthDays), ("BYMONTH", months), ("BYSETPOS", positions), ("BYHOUR", hours),
        ] where !numbers.isEmpty {
            parts.append("\(name)=" + numbers.map(String.init).joined(separator: ","))
        }
        if weekStart != .monday { parts.append("WKST=\(Self.code(weekStart))") }
        if let count { parts.append("COUNT=\(count)") }
        if skipsBackward { parts.append("SKIP=BACKWARD") }
        return parts.joined(separator: ";")
    }

    private static func code(_ day: Weekday) -> String { day.shortName.prefix(2).uppercased() }

    // MARK: - Occurrences

    /// The times from `start` to the end of the day `last`, without a time zone.
    func times(from start: CivilDateTime, through last: CivilDate) -> [CivilDateTime] {
        let hours = hours.isEmpty ? [start.hour] : hours.sorted()
        var times: [CivilDateTime] = []
        for period in periods(from: start.date, through: last) {
            var days = days(in: period, start: start.date)
            if !positions.isEmpty {
                days = days.indices.filter { index in
                    positions.contains(index + 1) || positions.contains(index - days.count)
                }.map { days[$0] }
            }
            for day in days {
                times += hours.compactMap {
                    CivilDateTime(day, hour: $0, minute: start.minute, second: start.second)
                }
            }
        }
        return times.filter { $0 >= start && $0.date <= last }
    }

    /// The periods of days that the interval counts: days, weeks, months or years.
    private func periods(from start: CivilDate, through last: CivilDate) -> [[CivilDate]] {
        var periods: [[CivilDate]] = []
        var first: CivilDate? = begin(of: start)
        while let day = first, day <= last {
            let next = self.next(after: day)
            var days: [CivilDate] = []
            var each: CivilDate? = day
            while let one = each, one < next ?? .last {
                days.append(one)
                each = one.adding(days: 1)
            }
            periods.append(days)
            first = day
            for _ in 0..<interval { first = first.flatMap(self.next) }
        }
        return periods
    }

    private func begin(of date: CivilDate) -> CivilDate? {
        switch frequency {
        case .daily: date
        case .weekly: date.adding(days: -((date.weekday.rawValue - weekStart.rawValue + 7) % 7))
        case .monthly: CivilDate(year: date.year, month: date.month, day: 1)
        case .yearly: CivilDate(year: date.year, month: 1, day: 1)
        }
    }

    private func next(after begin: CivilDate) -> CivilDate? {
        switch frequency {
        case .daily: begin.adding(days: 1)
        case .weekly: begin.adding(days: 7)
        case .monthly: begin.adding(months: 1)
        case .yearly: begin.adding(months: 12)
        }
    }

    private func days(in period: [CivilDate], start: CivilDate) -> [CivilDate] {
        switch frequency {
        case .daily: return period.filter { isOfMonth($0) && isOfMonthDay($0) && isOfWeekday($0) }
        case .weekly:
            return period.filter {
                isOfMonth($0) && (weekdays.isEmpty ? $0.weekday == start.weekday : isOfWeekday($0))
            }
        case .monthly: return period.filter { isOfMonth($0) && isNamed($0, in: period, start) }
        case .yearly:
            if months.isEmpty, monthDays.isEmpty, weekdays.isEmpty {
                return period.filter { $0.month == start.month && isDay(start.day, $0) }
            }
            if months.isEmpty { return period.filter { isNamed($0, in: period, start) } }
            return months.sorted().flatMap { month in
                let days = period.filter { $0.month == month }
                return days.filter { isNamed($0, in: days, start) }
            }
        }
    }

    /// Whether the parts name a day of a month or year.
    private func isNamed(_ date: CivilDate, in period: [CivilDate], _ start: CivilDate) -> Bool {
        if !monthDays.isEmpty { return isOfMonthDay(date) && (weekdays.isEmpty || isOfWeekday(date)) }
        if weekdays.isEmpty { return isDay(start.day, date) }
        return weekdays.contains { position, weekday in
            guard date.weekday == weekday else { return false }
            if position == 0 { return true }
            let alike = period.filter { $0.weekday == weekday }
            let index = position > 0 ? position - 1 : alike.count + position
            return alike.indices.contains(index) && alike[index] == date
        }
    }

    private func isOfMonth(_ date: CivilDate) -> Bool { months.isEmpty || months.contains(date.month) }

    private func isOfMonthDay(_ date: CivilDate) -> Bool {
        monthDays.isEmpty || monthDays.contains { isDay($0, date) }
    }

    private func isOfWeekday(_ date: CivilDate) -> Bool {
        weekdays.isEmpty || weekdays.contains { $0.day == date.weekday }
    }

    private func isDay(_ day: Int, _ date: CivilDate) -> Bool {
        let length = CivilDate.days(inMonth: date.month, of: date.year)
        if day < 0 { return date.day == length + day + 1 }
        return date.day == day || skipsBackward && day > length && date.day == length
    }
}

extension RuleReference {
    /// A random rule that todod accepts and that is not too rare.
    static func random(_ random: inout some RandomNumberGenerator) -> RuleReference {
        func roll(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        func some(_ most: Int, of range: ClosedRange<Int>) -> [Int] {
            Set((0..<roll(1...most)).map { _ in roll(range) }).sorted()
        }
        var rule = RuleReference()
        rule.frequency = Frequency.allCases[roll(0...3)]
        rule.interval = roll(0...2) == 0 ? roll(2...5) : 1
        if roll(0...4) == 0 { rule.weekStart = Weekday.allCases[roll(0...6)] }
        switch rule.frequency {
        case .daily:
            if roll(0...3) == 0 { rule.weekdays = some(4, of: 0...6).map { (0, Weekday.allCases[$0]) } }
            if roll(0...3) == 0 { rule.monthDays = some(5, of: 1...28) }
        case .weekly:
            if roll(0...2) > 0 { rule.weekdays = some(4, of: 0...6).map { (0, Weekday.allCases[$0]) } }
        case .monthly, .yearly:
            switch roll(0...5) {
            case 0: rule.monthDays = some(3, of: 1...31)
            case 1: rule.monthDays = some(2, of: -31 ... -1)
            case 2: rule.weekdays = some(3, of: 0...6).map { (0, Weekday.allCases[$0]) }
            case 3:
                let last = rule.frequency == .monthly ? 4 : 50
                rule.weekdays = some(2, of: 0...6).map {
                    ((roll(0...1) == 0 ? 1 : -1) * roll(1...last), Weekday.allCases[$0])
                }
            case 4:
                rule.weekdays = some(3, of: 0...6).map { (0, Weekday.allCases[$0]) }
                rule.positions = [[1], [-1], [1, -1], [2]][roll(0...3)]
            default: rule.skipsBackward = roll(0...1) == 0
            }
        }
        if roll(0...4) == 0 { rule.months = some(4, of: 1...12) }
        if rule.positions.isEmpty, roll(0...4) == 0 { rule.hours = some(3, of: 0...23) }
        // A position that many months do not have would be too rare.
        if !rule.months.isEmpty {
            rule.weekdays = rule.weekdays.map { (max(-4, min(4, $0.position)), $0.day) }
        }
        if roll(0...3) == 0 { rule.count = roll(1...40) }
        return rule
    }
}
