internal import CivilTime

/// A time zone beside a time: `utc`, `+0100`, or an abbreviation of the local zone.
enum ZonePhrase {
    case offset(Int)
    case abbreviation(String)

    /// Abbreviations of time zones that people may also type in other zones.
    static let wellKnown: Set<String> = [
        "est", "edt", "cst", "cdt", "mst", "mdt", "pst", "pdt", "akst", "akdt", "hst", "nst", "ndt", "ast",
        "adt",
        "wet", "west", "cet", "cest", "eet", "eest", "bst", "ist", "msk", "jst", "kst", "aest", "aedt",
        "acst", "acdt",
        "awst", "nzst", "nzdt", "sast",
    ]

    func moment(of civil: CivilDateTime, in zone: TimeZoneRules) throws(DatePhraseError) -> Timestamp {
        switch self {
        case .offset(let seconds):
            return Timestamp(secondsSince1970: Double(civil.secondsSince1970 - seconds))
        case .abbreviation(let name):
            let moments = zone.moments(of: civil)
            if moments.isEmpty { throw .skipped(civil) }
            for moment in moments where zone.abbreviation(at: moment).lowercased() == name { return moment }
            let own = zone.abbreviation(at: moments.first ?? zone.moment(of: civil))
            throw DatePhraseError(
                reason: "the time zone here is \(own) on that day, not \(name.uppercased())",
                advice: "an offset such as +01:00 is read everywhere")
        }
    }
}

extension PhraseWords {
    /// Returns the time zone that the next word names, or `nil` if it names none.
    func zone(in zone: TimeZoneRules) -> ZonePhrase? {
        guard let word = words.first else { return nil }
        if word == "utc" || word == "gmt" || word == "z" { return .offset(0) }
        if let sign = word.first, sign == "+" || sign == "-" {
            let digits = word.dropFirst().filter { $0 != ":" }
            guard [2, 4].contains(digits.count), digits.allSatisfy(\.isASCIIDigit),
                digits.count == word.count - 1 || word.dropFirst(3).first == ":",
                let hours = Int(digits.prefix(2)),
                let minutes = digits.count == 2 ? 0 : Int(digits.suffix(2)),
                hours < 24, minutes < 60
            else { return nil }
            return .offset((sign == "+" ? 1 : -1) * (hours * 3_600 + minutes * 60))
        }
        return ZonePhrase.wellKnown.contains(String(word)) || zone.hasAbbreviation(String(word))
            ? .abbreviation(String(word)) : nil
    }
}
