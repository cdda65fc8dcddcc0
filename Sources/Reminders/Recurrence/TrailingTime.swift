package import CivilTime
internal import Phrases

/// Finds a time at the end of a name: people who type `Call mum friday 5pm` may want an alert on Friday.
package enum TrailingTime {
    /// Few people type a longer one.
    private static let mostWords = 6
    private static let mostCharacters = 100

    /// Words after which a time is part of the name: `Wait until friday`.
    private static let joiningWords: Set<String> = [
        "after", "and", "before", "each", "every", "for", "from", "of", "or", "since", "the", "to", "until",
    ]

    /// Words with which a time may begin, but not at the end of a name: `Save for monday`, `Meet Tom at 9`.
    private static let leadingWords: Set<String> = ["for", "until", "till", "til", "tom"]

    /// The words with which a time or a rule ends, unless with a number.
    private static let endings = PhraseWords.dayAndMonthNames.union([
        "am", "pm", "noon", "midnight", "morning", "afternoon", "evening", "night", "today", "tonight",
        "tomorrow", "tmrw", "tmr", "midday", "weekday", "eod", "eow", "eom", "eoy",
        "m", "min", "minute", "minutes", "h", "hour", "hours", "d", "day", "days", "w", "week", "weeks",
        "month", "months", "year", "years",
    ])

    /// The end of a name that looks like a time.
    package enum Finding: Equatable {
        /// A time to come, such as `friday 5pm`, or a rule, such as `every monday 9am`.
        case time(String)
        /// A text whose words are those of a time, such as `friday 31 nov 12:00`, and the reason why it names no time to come.
        case refused(String, reason: String)
    }

    /// Finds the most words at the end of `name` that name a time or a rule. Returns `nil` if there are none, or if nothing is
    /// left of the name without them.
    ///
    /// If more words before them look like a part of the time, the whole is refused: the end of `today 8am` is not another time.
    /// Words that name a day, and with it a day or a time that does not exist, such as `tomorrow 25:00`, are refused too.
    /// A length of time counts after `in` alone: `Run 5 minutes` names an activity.
    package static func find(in name: String, now: Timestamp, zone: TimeZoneRules) -> Finding? {
        guard mayEndWithTime(name) else { return nil }
        let words = name.suffix(mostCharacters).split(whereSeparator: \.isWhitespace)
        guard mayEndWithTime(words) else { return nil }
        let ending = { (count: Int) in words.suffix(count).joined(separator: " ") }
        let counts = stride(from: min(mostWords, words.count), to: 0, by: -1)
        let count = counts.first { isRule(ending($0), now, zone) || isTime(ending($0), now, zone) } ?? 0
        let whole = max(count, TimeWords(words).count)
        if count == 0, whole < 2 || !isImpossible(ending(whole), now, zone) { return nil }
        let before = words.dropLast(whole).last
        guard before.map({ !joiningWords.contains($0.lowercased()) }) ?? true else { return nil }
        if whole > count, let reason = reasonOfRefusal(ending(whole), now, zone) {
            return .refused(ending(whole), reason: reason)
        }
        return before == nil ? nil : .time(ending(whole))
    }

    /// The reason why a text names no time to come and no rule, or `nil` if it names one.
    private static func reasonOfRefusal(_ text: String, _ now: Timestamp, _ zone: TimeZoneRules) -> String? {
        if text.lowercased().split(separator: " ").contains("every") {
            do {
                _ = try RecurrencePhrase.reading(text, .init(now: now, zone: zone))
                return nil
            } catch {
                return error.reason
            }
        }
        do {
            let lastSecond = CivilDateTime.secondsPerDay - 1
            let reading = try DatePhrase.reading(text, now: now, zone: zone, defaultTime: lastSecond)
            return reading.moment > now ? nil : "it has passed"
        } catch {
            return error.description
        }
    }

    /// Whether a text of the words of a time names no time that exists: `tomorrow 25:00`, `every friday 31 nov`, `at 13pm`.
    private static func isImpossible(_ text: String, _ now: Timestamp, _ zone: TimeZoneRules) -> Bool {
        let words = text.lowercased().split(separator: " ").filter { $0 != "every" }
        // A number alone has other uses, as in `Read chapter 25:00`, and `july 87` is a month of a year.
        guard words.contains(where: { $0.utf8.contains(where: isDigit) }),
            words.first == "at" || words.contains(where: TimeWords.isDay),
            !words.contains(where: { Int($0).map((32...99).contains) ?? false })
        else { return false }
        do {
            _ = try DatePhrase.reading(
                words.joined(separator: " "), now: now, zone: zone, defaultTime: 0, suggests: false)
            return false
        } catch {
            return !error.isOfOtherWords
        }
    }

    /// Whether the last word of a name can end a time. Most names end with another word and need no further check, which would
    /// take about as long as to add an item.
    private static func mayEndWithTime(_ name: String) -> Bool {
        let start = name.utf8.lastIndex(of: UInt8(ascii: " ")).map(name.utf8.index(after:)) ?? name.startIndex
        let last = name[start...]
        return last.utf8.contains(where: isDigit) || endings.contains(last.lowercased())
    }

    private static func mayEndWithTime(_ words: [Substring]) -> Bool {
        guard let last = words.last else { return false }
        // A number alone is an hour, or a day or a year, next to its month.
        guard last.utf8.allSatisfy(isDigit) else { return true }
        if words.dropLast().last?.lowercased() == "at" { return true }
        return words.suffix(3).contains { PhraseWords.dayAndMonthNames.contains($0.lowercased()) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isRule(_ text: String, _ now: Timestamp, _ zone: TimeZoneRules) -> Bool {
        guard text.lowercased().split(separator: " ").contains("every") else { return false }
        return (try? RecurrencePhrase.reading(text, .init(now: now, zone: zone))) != nil
    }

    private static func isTime(_ text: String, _ now: Timestamp, _ zone: TimeZoneRules) -> Bool {
        // Such words are often a part of the name: `Say good morning`.
        var words = PhraseWords(text)
        guard let first = words.words.first, PartOfDay(first) == nil, !leadingWords.contains(String(first)),
            words.words.count > 1 || !mayBeName(text),
            !TimeWords.isVersion(first, next: words.words.dropFirst().first)
        else { return false }
        let isLength = words.duration() != nil
        guard !isLength || text.lowercased().hasPrefix("in ") else { return false }
        // A day alone has not passed before its last second.
        let lastSecond = CivilDateTime.secondsPerDay - 1
        let reading = try? DatePhrase.reading(
            text, now: now, zone: zone, defaultTime: lastSecond, suggests: false)
        return reading.map { $0.moment > now } ?? false
    }

    /// Whether a word that can be a time is more often something else: a month, as in `Call April`, or a number, as in `Read 1984`,
    /// `Install Python 3.13` and `Read 1/3`.
    private static func mayBeName(_ word: String) -> Bool {
        let isMonth =
            PhraseWords.dayAndMonthNames.contains(word.lowercased())
            && PhraseWords.weekday(word.lowercased()[...]) == nil
        return isMonth || word.utf8.allSatisfy(isDigit)
            || !word.hasSuffix(".") && !word.contains(":") && (word.contains(".") || word.contains("/"))
    }
}
