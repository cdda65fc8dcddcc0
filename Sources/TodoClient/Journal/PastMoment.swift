internal import CivilTime

/// Reads a moment that lies behind us: `2h`, `today`, `yesterday`, `2026-11-20`, `2026-11-20 17:00`, `17:00`.
enum PastMoment {
    /// Nil when the text is none of these.
    static func moment(_ text: String, now: Timestamp, zone: TimeZoneRules) -> Timestamp? {
        if let moment = RFC3339.moment(text) { return moment }
        let ago = text.hasSuffix(" ago") ? text.dropLast(4) : text[...]
        if ago.contains(where: \.isLetter), let span = TimeSpan(ago) { return now - span.seconds }
        guard let today = zone.civil(at: now)?.date else { return nil }
        switch text {
        case "today": return zone.moment(of: CivilDateTime(today, secondOfDay: 0))
        case "yesterday":
            return today.adding(days: -1).map { zone.moment(of: CivilDateTime($0, secondOfDay: 0)) }
        default: break
        }
        let words = text.split(separator: " ")
        switch words.count {
        case 1 where words[0].contains(":"):
            return time(words[0]).map { zone.moment(of: CivilDateTime(today, secondOfDay: $0)) }
        case 1:
            return date(words[0]).map { zone.moment(of: CivilDateTime($0, secondOfDay: 0)) }
        case 2:
            guard let date = date(words[0]), let time = time(words[1]) else { return nil }
            return zone.moment(of: CivilDateTime(date, secondOfDay: time))
        default: return nil
        }
    }

    private static func numbers(_ text: Substring, _ separator: Character, _ widths: [Int]) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.map(\.count) == widths else { return nil }
        let numbers = parts.compactMap { part in
            part.allSatisfy { ("0"..."9").contains($0) } ? Int(part) : nil
        }
        return numbers.count == parts.count ? numbers : nil
    }

    private static func date(_ text: Substring) -> CivilDate? {
        numbers(text, "-", [4, 2, 2]).flatMap { CivilDate(year: $0[0], month: $0[1], day: $0[2]) }
    }

    private static func time(_ text: Substring) -> Int? {
        let parts =
            numbers(text, ":", [2, 2]) ?? numbers(text, ":", [1, 2]) ?? numbers(text, ":", [2, 2, 2])
        guard let parts, parts[0] < 24, parts.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        return parts[0] * 3_600 + parts[1] * 60 + (parts.count > 2 ? parts[2] : 0)
    }
}
