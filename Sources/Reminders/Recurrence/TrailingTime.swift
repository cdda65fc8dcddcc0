package import CivilTime
internal import Phrases

/// A search for a time at the end of a name.
///
/// A name such as `Call mum friday 5pm` may mean that an alert is wanted on Friday.
package enum TrailingTime {
    /// The most words of a time.
    private static let mostWords = 6
    /// The most words of a rule, including its end.
    private static let mostRuleWords = 12
    private static let mostCharacters = 100

    /// Words after which a time is part of the name: `Wait until friday`.
    private static let joiningWords: Set<String> = [
        "after", "and", "before", "each", "every", "for", "from", "of", "or", "since", "the", "to", "until",
    ]

    /// Words after which `daily` only says how often something happens, as in `twice daily`.
    private static let countingWords: Set<String> = ["times", "thrice", "twice"]

    /// Words with which a time may begin, but not at the end of a name: `Save for monday`, `Meet Tom at 9`.
    private static let leadingWords: Set<String> = ["for", "until", "till", "til", "tom"]

    /// The words with which a time or a rule may end.
    ///
    /// Either may also end with a number.
    private static let endings = PhraseWords.dayAndMonthNames.union([
        "am", "pm", "noon", "midnight", "morning", "afternoon", "evening", "night", "today", "tonight",
        "tomorrow", "tmrw", "tmr", "midday", "weekday", "weekdays", "workdays", "eod", "eow", "eom", "eoy",
        "m", "min", "minute", "minutes", "h", "hour", "hours", "d", "day", "days", "w", "week", "weeks",
        "month", "months", "year", "years",
    ])

    /// Other words with which a rule may end: units, holidays after `until`, and `10 times`.
    private static let ruleEndings: Set<String> = [
        "weekend", "fortnight", "quarter", "times", "christmas", "xmas", "easter", "halloween", "pentecost",
        "eve",
        "nye",
    ]

    /// The end of a name that looks like a time.
    package enum Finding: Equatable {
        /// A time in the future, such as `friday 5pm`.
        case time(String)
        /// A rule, such as `every monday 9am`, `tuesdays 7pm` or `daily at 8 and 20`.
        ///
        /// Several days of the week without a word that means repetition are refused.
        case rule(String)
        /// A text with the words of a time, such as `friday 31 nov 12:00`, and the reason why it is not a time in the
        /// future.
        case refused(String, reason: String)
    }

    /// Finds the longest end of `name` that is a time or a rule.
    ///
    /// The result is `nil` if there is none, or if nothing else is in the name.
    ///
    /// A rule that begins before a time or with it takes precedence: `daily at 9` is not `at 9`. If more words before
    /// the result look like a part of the time, the whole is refused: the end of `today 8am` is not another time. Words
    /// that name a day and a time that does not exist, such as `tomorrow 25:00`, are refused, too. A length of time
    /// counts only after `in`: `Run 5 minutes` names an activity.
    package static func find(in name: String, now: Timestamp, zone: TimeZoneRules) -> Finding? {
        guard let last = lastWord(of: name) else { return nil }
        let words = name.suffix(mostCharacters).split(whereSeparator: \.isWhitespace)
        if let reason = ambiguity(of: words, now, zone) {
            return .refused(words.suffix(1).joined(), reason: reason)
        }
        let ending = { (count: Int) in words.suffix(count).joined(separator: " ") }
        let counts = { (most: Int) in stride(from: min(most, words.count), to: 0, by: -1) }
        let ruleCount =
            counts(mostRuleWords).first { isRepetition(ending($0)) && rule(ending($0), now, zone) != nil }
            ?? 0
        let mayBeTime = mayEndTime(last) && mayEndWithTime(words)
        let timeCount = mayBeTime ? counts(mostWords).first { isTime(ending($0), now, zone) } ?? 0 : 0
        let count = max(ruleCount, timeCount)
        guard count > 0 || mayBeTime else { return nil }
        let whole = max(count, TimeWords(words).count)
        if count == 0, whole < 2 || !isImpossible(ending(whole), now, zone) { return nil }
        let before = words.dropLast(whole).last?.lowercased()
        if let before, joiningWords.contains(before) || ruleCount == count && countingWords.contains(before) {
            return nil
        }
        if whole > count, let reason = reasonOfRefusal(ending(whole), now, zone) {
            let namesSeveralTimes = rule(ending(whole), now, zone)?.text.contains("BYHOUR=") ?? false
            if namesSeveralTimes, before != nil { return .rule(ending(whole)) }
            return .refused(ending(whole), reason: reason)
        }
        guard before != nil else { return nil }
        guard isRepetition(ending(whole)), ruleCount >= timeCount else { return .time(ending(whole)) }
        // A name such as `Decide fri and sat 8pm` rarely means every week.
        guard !RecurrencePhrase(ending(whole)).isRepetitionOrSeveralTimes else {
            return .refused(
                ending(whole),
                reason: "it names several days; to repeat on them, use --every '\(ending(whole))'")
        }
        return .rule(ending(whole))
    }

    /// Returns the reason why a last word such as `14h` or `2030` is not clear, or `nil` for other names.
    ///
    /// A word after a number or a day is a part of a longer time.
    private static func ambiguity(
        of words: [Substring], _ now: Timestamp, _ zone: TimeZoneRules
    ) -> String? {
        guard let last = words.last?.lowercased()[...], let before = words.dropLast().last?.lowercased(),
            !joiningWords.contains(before), !leadingWords.contains(before), before != "at", before != "in",
            !before.utf8.contains(where: isDigit), !TimeWords.isDay(before[...])
        else { return nil }
        let isYear = last.count == 4 && last.hasPrefix("20") && last.utf8.allSatisfy(isDigit)
        guard isYear || LetteredHours(last)?.meaning() == .either else { return nil }
        do {
            _ = try DatePhrase.reading(String(last), now: now, zone: zone, defaultTime: 0)
            return nil
        } catch {
            return error.similar.count > 1 ? error.description : nil
        }
    }

    /// Returns the reason why a text is neither a time in the future nor a rule, or `nil` if it is one.
    private static func reasonOfRefusal(_ text: String, _ now: Timestamp, _ zone: TimeZoneRules) -> String? {
        if isRepetition(text) {
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

    /// Whether a text with the words of a time names a time that does not exist.
    ///
    /// Examples are `tomorrow 25:00`, `every friday 31 nov` and `at 13pm`.
    private static func isImpossible(_ text: String, _ now: Timestamp, _ zone: TimeZoneRules) -> Bool {
        let words = text.lowercased().split(separator: " ").filter {
            $0 != "every" && !RecurrencePhrase.isRepetition($0)
        }
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

    /// Returns the last word in lower case, or `nil` if no time or rule can end with it.
    ///
    /// Most names end with another word and need no further check. A further check takes about as long as adding an
    /// item.
    private static func lastWord(of name: String) -> String? {
        let start = name.utf8.lastIndex(of: UInt8(ascii: " ")).map(name.utf8.index(after:)) ?? name.startIndex
        let last = name[start...].lowercased()
        let mayEnd =
            mayEndTime(last) || ruleEndings.contains(last) || RecurrencePhrase.isRepetition(last[...])
        return mayEnd ? last : nil
    }

    /// Whether the last word may end a time. A word with digits may begin with letters, as in `dec24`, `pt2h`, `now+3d` and
    /// `friday@5pm`.
    private static func mayEndTime(_ lastWord: String) -> Bool {
        guard lastWord.utf8.contains(where: isDigit) else { return endings.contains(lastWord) }
        let letters = lastWord.prefix(while: \.isLetter)
        let mark = lastWord[letters.endIndex...].first
        return letters.isEmpty || endings.contains(String(letters)) || ["p", "pt"].contains(letters)
            || mark.map("@+-".contains) ?? false
    }

    private static func mayEndWithTime(_ words: [Substring]) -> Bool {
        guard let last = words.last else { return false }
        // A number alone must follow `at`, or be near the name of a day or month.
        guard last.utf8.allSatisfy(isDigit) else { return true }
        if words.dropLast().last?.lowercased() == "at" { return true }
        return words.suffix(3).contains { PhraseWords.dayAndMonthNames.contains($0.lowercased()) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func rule(_ text: String, _ now: Timestamp, _ zone: TimeZoneRules) -> RecurrenceRule? {
        try? RecurrencePhrase.reading(text, .init(now: now, zone: zone)).rule
    }

    private static func isRepetition(_ text: String) -> Bool { RecurrencePhrase(text).isRepetition }

    private static func isTime(_ text: String, _ now: Timestamp, _ zone: TimeZoneRules) -> Bool {
        // Such words are often a part of the name: `Say good morning`.
        var words = PhraseWords(text)
        guard let first = words.words.first, PartOfDay(first) == nil, !leadingWords.contains(String(first)),
            words.words.count > 1 || !mayBeName(text),
            !TimeWords.isVersion(first, next: words.words.dropFirst().first)
        else { return false }
        let isLength = words.duration() != nil
        guard !isLength || text.lowercased().hasPrefix("in ") else { return false }
        // A day without a time has not passed before its last second.
        let lastSecond = CivilDateTime.secondsPerDay - 1
        let reading = try? DatePhrase.reading(
            text, now: now, zone: zone, defaultTime: lastSecond, suggests: false)
        return reading.map { $0.moment > now } ?? false
    }

    /// Whether a word that can be a time usually means something else.
    ///
    /// It may be a month, as in `Call April`, or a number, as in `Read 1984`, `Install Python 3.13` and `Read 1/3`.
    private static func mayBeName(_ word: String) -> Bool {
        let isMonth =
            PhraseWords.dayAndMonthNames.contains(word.lowercased())
            && PhraseWords.weekday(word.lowercased()[...]) == nil
        return isMonth || word.utf8.allSatisfy(isDigit)
            || !word.hasSuffix(".") && !word.contains(":") && (word.contains(".") || word.contains("/"))
    }
}
