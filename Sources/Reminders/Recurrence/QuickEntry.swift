package import CivilTime
package import Phrases

/// The text of a new item as a person types it on one line, such as `pay rent fri 9am +home p1 every month`.
///
/// Tags, categories and words such as `due:friday` count anywhere. Times, rules, and priorities such as `p1` count only at
/// the end, in any order. All other words are the name.
package struct QuickEntry: Equatable {
    /// Words of the text that set a property of the item.
    package struct Part: Equatable {
        package let kind: NameOption.Kind
        /// The words as they were typed.
        package let text: String
        /// The value of the option: `friday 9am` for `by friday 9am`.
        package var value: String
        /// The indices of the words among those of the text. Those of a time may be on both sides of a tag.
        package let words: [Int]
    }

    /// The time and the zone in which a text is read, and the properties that are set already.
    package struct Context {
        let now: Timestamp
        let zone: TimeZoneRules
        /// The properties that words of the text do not set, because an option does.
        let typed: Set<NameOption.Kind>
        /// The due day that an option gives without a time. Of the times, only a time of day counts then.
        let day: CivilDate?

        package init(
            now: Timestamp, zone: TimeZoneRules, typed: Set<NameOption.Kind> = [], day: CivilDate? = nil
        ) {
            self.now = now
            self.zone = zone
            self.typed = typed
            self.day = day
        }
    }

    /// The words that set no property.
    package private(set) var name: String
    /// The parts in the order of the text.
    package private(set) var parts: [Part] = []
    /// The reason why words that look like a part are not one, or `nil` if there are none.
    package private(set) var problem: String?

    /// Reads a text. If no word would be left for the name, all of them are the name.
    package init(_ text: String, _ context: Context) {
        name = text
        let reader = Reader(text, context)
        problem = reader.problem
        guard !reader.parts.isEmpty, !reader.rest.isEmpty else { return }
        parts = reader.parts.sorted { ($0.words.first ?? 0) < ($1.words.first ?? 0) }
        let words = reader.rest.sorted().map { reader.words[$0] }
        name = words.joined(separator: " ")
        // The comma of `Buy milk, tomorrow` belongs to neither.
        if words.last.map({ $0.count > 1 && $0.hasSuffix(",") }) ?? false { name.removeLast() }
    }
}

/// The search for the parts of one text.
private struct Reader {
    typealias Part = QuickEntry.Part

    let words: [Substring]
    private let context: QuickEntry.Context
    private(set) var parts: [Part] = []
    private(set) var problem: String?
    /// The indices of the words that are not part of an option, in order.
    private(set) var rest: [Int]

    init(_ text: String, _ context: QuickEntry.Context) {
        words = text.split(whereSeparator: \.isWhitespace)
        rest = Array(words.indices)
        self.context = context
        takeOptions()
        takeEnd()
        for kind in [NameOption.Kind.due, .start, .every, .category, .priority] { keepOnlyOne(kind) }
    }

    /// Whether times and rules count, which an option for any of them prevents.
    private var readsTimes: Bool { context.typed.isDisjoint(with: [.due, .start, .every]) }

    private func isWanted(_ kind: NameOption.Kind) -> Bool {
        switch kind {
        case .due, .start, .every: readsTimes
        case .category, .priority: !context.typed.contains(kind)
        case .tag: true
        }
    }

    // MARK: - Words that count anywhere

    private mutating func takeOptions() {
        for index in words.indices {
            guard let option = NameOption(words[index]), !option.isOnlyAtEnd, isWanted(option.kind) else {
                continue
            }
            if let reason = reason(against: option) {
                problem = problem ?? "'\(words[index])' in the name is not used: \(reason)"
                continue
            }
            take([index], option.kind, option.value)
        }
    }

    /// Returns the reason why the value of an option cannot be used, or `nil` if it can be.
    private func reason(against option: NameOption) -> String? {
        switch option.kind {
        case .due, .start:
            let lastSecond = CivilDateTime.secondsPerDay - 1
            do {
                let reading = try DatePhrase.reading(
                    option.value, now: context.now, zone: context.zone, defaultTime: lastSecond)
                return option.kind == .start || reading.moment > context.now ? nil : "it is in the past"
            } catch {
                return error.description
            }
        case .every:
            do {
                _ = try RecurrencePhrase.reading(option.value, .init(now: context.now, zone: context.zone))
                return nil
            } catch {
                return error.reason
            }
        case .category, .tag, .priority: return nil
        }
    }

    // MARK: - The end of the text

    private mutating func takeEnd() {
        var isTimeTaken = false
        while let last = rest.last, rest.count > 1 {
            if let option = NameOption(words[last]), option.isOnlyAtEnd, isWanted(.priority) {
                take([last], .priority, option.value)
                continue
            }
            let found = find(in: rest)
            switch found {
            case .time(let time)?:
                guard takeTime(time) else { return }
            case .rule(let rule)?:
                guard context.day == nil, readsTimes else { return }
                take(suffix(of: rule), .every, Self.value(ofRule: rule))
            case .refused(let text, let reason)?:
                guard readsTimes else { return }
                guard takeTimeAndRule(text) else {
                    // After a time, it is more likely a part of the name than another time.
                    if !isTimeTaken {
                        problem = problem ?? "'\(text)' in the name is not used as the due time: \(reason)"
                    }
                    return
                }
            case nil:
                if !isTimeTaken { noteTimeBeforeLast() }
                return
            }
            isTimeTaken = true
        }
    }

    /// Notes a time or a rule before a last word that is nearly a part, such as `p10` or `25:00`.
    private mutating func noteTimeBeforeLast() {
        guard problem == nil, readsTimes, let last = rest.last, Self.isNearlyPart(words[last]) else { return }
        let text: String
        switch find(in: Array(rest.dropLast())) {
        case .time(let time)?: text = time
        case .rule(let rule)?: text = rule
        case .refused?, nil: return
        }
        problem =
            "'\(text)' in the name is not used: '\(words[last])' after it is no time, and no priority from p1 to p9"
    }

    /// Whether a word has the form of a priority or of a time of day.
    private static func isNearlyPart(_ word: Substring) -> Bool {
        let digits = word.filter { $0 != ":" }
        if word.contains(":"), digits.allSatisfy(\.isNumber) { return !digits.isEmpty }
        return ["p", "P", "!"].contains(word.first) && word.count > 1
            && word.dropFirst().allSatisfy(\.isNumber)
    }

    /// Takes a time at the end, and returns whether it is one that the item can have.
    private mutating func takeTime(_ time: String) -> Bool {
        let taken = suffix(of: time)
        guard let day = context.day else {
            guard readsTimes else { return false }
            take(taken, .due, time)
            return true
        }
        // `--due friday 9am` without quotation marks leaves the time of day in the text.
        guard DatePhrase.namesNoDay(time) else { return false }
        take(taken, .due, "\(LocalTime.date(day).text) \(time)")
        return true
    }

    /// Takes a text that is a time and then a rule, or a rule and then a time, such as `fri 9am every month`.
    private mutating func takeTimeAndRule(_ text: String) -> Bool {
        let indices = suffix(of: text)
        // A text is found only after a name.
        guard let first = indices.first, rest.contains(where: { $0 < first }) else { return false }
        let splits = indices.indices.dropFirst()
        let halves = { (split: Int) in (Array(indices[..<split]), Array(indices[split...])) }
        // The time of day of `fri 9am every month` belongs to the day.
        for (left, right) in splits.reversed().map(halves) {
            guard case .time(let time)? = whole(left), case .rule(let rule)? = whole(right) else { continue }
            take(left, .due, time)
            take(right, .every, Self.value(ofRule: rule))
            return true
        }
        for (left, right) in splits.map(halves) {
            guard case .rule(let rule)? = whole(left), case .time(let time)? = whole(right) else { continue }
            take(left, .every, Self.value(ofRule: rule))
            take(right, .due, time)
            return true
        }
        return false
    }

    /// Returns the time or the rule that all of these words are, or `nil` if they are neither.
    private func whole(_ indices: [Int]) -> TrailingTime.Finding? {
        let text = indices.map { words[$0] }.joined(separator: " ")
        let found = TrailingTime.find(in: "x \(text)", now: context.now, zone: context.zone)
        return found == .time(text) || found == .rule(text) ? found : nil
    }

    private func find(in indices: [Int]) -> TrailingTime.Finding? {
        TrailingTime.find(
            in: indices.map { words[$0] }.joined(separator: " "), now: context.now, zone: context.zone)
    }

    /// Returns the indices of the last words, as many as `text` has.
    private func suffix(of text: String) -> [Int] { Array(rest.suffix(text.split(separator: " ").count)) }

    /// Returns a rule as it can be typed as an option, which has no `every` before it.
    private static func value(ofRule rule: String) -> String {
        rule.lowercased().hasPrefix("every ") ? String(rule.dropFirst(6)) : rule
    }

    // MARK: - Parts

    private mutating func take(_ indices: [Int], _ kind: NameOption.Kind, _ value: String) {
        rest.removeAll(where: indices.contains)
        parts.append(
            Part(
                kind: kind, text: indices.map { words[$0] }.joined(separator: " "), value: value,
                words: indices))
    }

    /// Returns different values of a property that can have only one to the name.
    private mutating func keepOnlyOne(_ kind: NameOption.Kind) {
        let same = parts.filter { $0.kind == kind }.sorted { ($0.words.first ?? 0) < ($1.words.first ?? 0) }
        guard Set(same.map { $0.value.lowercased() }).count > 1 else { return }
        parts.removeAll { $0.kind == kind }
        rest += same.flatMap(\.words)
        let texts = same.map { "'\($0.text)'" }
        let last = texts.last ?? ""
        problem =
            problem ?? "\(texts.dropLast().joined(separator: ", ")) and \(last) in the name are not used: "
            + "an item has one \(Self.nouns[kind] ?? "")"
    }

    private static let nouns: [NameOption.Kind: String] = [
        .due: "due time", .start: "start", .every: "rule", .category: "category", .priority: "priority",
    ]
}
