package import CivilTime

// Times as iCalendar writes them, which are stored for single occurrences.

extension CalendarTime {
    /// The time as `20261127`, as `20261127T200000` or, for a moment, in UTC as `20261127T190000Z`.
    package var basicText: String {
        switch self {
        case .local(.date(let date)):
            String(ICalendarText.basic(CivilDateTime(date, secondOfDay: 0)).prefix(8))
        case .local(.floating(let civil)): ICalendarText.basic(civil)
        case .moment(let moment):
            TimeZoneRules.utc.civil(at: moment).map { ICalendarText.basic($0) + "Z" } ?? ""
        }
    }

    /// Reads a time in one of these forms.
    package init?(basicText text: String) {
        let digits = text.utf8.compactMap { $0 >= 0x30 && $0 <= 0x39 ? Int($0) - 0x30 : nil }
        let letters = text.filter { !$0.isNumber }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        guard digits.count == 8 || digits.count == 14, digits.count + letters.count == text.utf8.count,
            let date = CivilDate(year: number(0..<4), month: number(4..<6), day: number(6..<8))
        else { return nil }
        guard digits.count == 14 else {
            guard letters.isEmpty else { return nil }
            self = .local(.date(date))
            return
        }
        guard letters == "T" || letters == "TZ",
            let civil = CivilDateTime(
                date, hour: number(8..<10), minute: number(10..<12), second: number(12..<14))
        else { return nil }
        self = letters == "T" ? .local(.floating(civil)) : .moment(TimeZoneRules.utc.moment(of: civil))
        if basicText != text { return nil }
    }
}
