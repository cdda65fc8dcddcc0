/// A word such as `8h`, `8h30` or `8h30m`, which is a length in English and a time of day in other languages.
package struct LetteredHours {
    /// The words around the hours.
    package enum Place: Sendable {
        case besideOthers
        case alone
        /// Alone, where a length is expected.
        case aloneAsLength
    }

    private let hours: Substring
    private let minutes: Substring
    private let unit: Substring

    package init?(_ word: Substring) {
        let digits = word.prefix(while: \.isASCIIDigit)
        let rest = word[digits.endIndex...]
        guard digits.isDigits(1...4), rest.first == "h" else { return nil }
        let minutes = rest.dropFirst().prefix(while: \.isASCIIDigit)
        let unit = rest[minutes.endIndex...]
        guard minutes.isEmpty || minutes.isDigits(2...2) && minutes < "60",
            unit.isEmpty || !minutes.isEmpty && ["m", "min"].contains(unit)
        else { return nil }
        hours = digits
        self.minutes = minutes
        self.unit = unit
    }

    /// Returns the meaning of the hours.
    ///
    /// Up to 6 hours and from 24 hours on, they are a length, because times at night are not written that way. Other
    /// hours can be a time of day, as can `02h30` with its zero. With minutes after 12 hours, as in `15h30`, they are
    /// always a time of day. `1700h` alone can be the time 17:00.
    package func meaning(_ place: Place = .besideOthers) -> HourMeaning {
        if place != .besideOthers, clockOfDigits != nil { return .either }
        if place == .aloneAsLength { return .length }
        guard let hour = Int(hours) else { return .length }
        let hasZero = hours.count == 2 && hours.first == "0"
        if !hasZero, !(7...23).contains(hour) { return .length }
        return hour > 12 && hasBareMinutes ? .time : .either
    }

    /// The time of day `17:00` for `1700h`, or `nil` for other hours.
    private var clockOfDigits: String? { minutes.isEmpty ? DatePhrase.clock(ofDigits: hours) : nil }

    /// The time of day: `8:30`.
    var time: String { clockOfDigits ?? "\(hours):\(minutes.isEmpty ? "00" : minutes)" }

    /// The time of day as it must be typed where `3:00` would be in the afternoon: `8:30`, `03:00`.
    ///
    /// It is `nil` if there is no such time.
    package var clock: String? {
        guard let hour = Int(hours), hour < 24 else { return nil }
        return hours.count == 1 && hour < 7 ? "0\(time)" : time
    }

    /// Whether the word has minutes without a unit, as in `8h30`.
    package var hasBareMinutes: Bool { !minutes.isEmpty && unit.isEmpty }

    /// The length: `8h 30m`.
    package var span: String { minutes.isEmpty ? "\(hours)h" : "\(hours)h \(minutes)m" }

    /// The length: `in 8h 30m`.
    var length: String {
        if clockOfDigits != nil, let number = Int(hours) { return "in \(number) hours" }
        return minutes.isEmpty ? "in \(hours) hours" : "in \(hours)h \(minutes)m"
    }
}
