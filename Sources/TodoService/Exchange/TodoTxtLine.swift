internal import CivilTime
internal import Reminders

/// The parts of a line of todo.txt, such as `(A) 2026-11-20 Call Mum +Family @phone due:2026-11-27`.
struct TodoTxtLine {
    /// A recurrence, and whether the next occurrence is counted from the completion of this one.
    struct Recurrence {
        let rule: RecurrenceRule
        let isAfterDone: Bool
    }

    private(set) var isCompleted = false
    private(set) var completed: CivilDate?
    private(set) var created: CivilDate?
    /// The letter of the priority, or `nil` if there is none.
    private(set) var priority: UInt8?
    private(set) var name = ""
    private(set) var projects: [String] = []
    private(set) var contexts: [String] = []
    private(set) var due: CivilDate?
    /// The time of the due day in seconds, or `nil` for a whole day.
    private(set) var secondOfDay: Int?
    private(set) var start: CivilDate?
    private(set) var recurrence: Recurrence?
    /// The identifier of the item in every file.
    private(set) var uid: String?
    /// The identifier of the line in its file, and that of the line of which it is a subtask.
    private(set) var id: String?
    private(set) var parent: String?
    /// Whether characters other than tabs are read as spaces.
    let hasControlCharacters: Bool
    /// The words that look like values and are kept in the name.
    private(set) var unreadable: [String] = []

    init(_ text: Substring) {
        hasControlCharacters = TodoTxtWord.hasControlCharacters(text)
        var words = TodoTxtWord.words(of: text).drop(while: \.isEmpty)
        func takeFirst() { words = words.dropFirst().drop(while: \.isEmpty) }
        if words.first == "x", words.count > 1 {
            isCompleted = true
            takeFirst()
        }
        if let letter = words.first.flatMap(TodoTxtWord.priority), words.count > 1 {
            priority = letter
            takeFirst()
        }
        if let date = words.first.flatMap(Self.date) {
            takeFirst()
            if isCompleted { completed = date } else { created = date }
            if isCompleted, let date = words.first.flatMap(Self.date) {
                takeFirst()
                created = date
            }
        }
        let hasDue = words.contains { word in
            TodoTxtWord.value(word).map { $0.key == "due" && Self.date($0.text) != nil } ?? false
        }
        var names: [NameWord] = []
        var known: Set<String> = []
        for word in words {
            if let project = TodoTxtWord.label(word, "+"), Self.isCategory(project) {
                if known.insert(project).inserted { projects.append(project) }
                names.append(NameWord(text: Substring(project), kind: .label))
            } else if let context = TodoTxtWord.label(word, "@") {
                contexts.append(context)
                names.append(NameWord(text: Substring(context), kind: .label))
            } else {
                if let value = TodoTxtWord.value(word) {
                    if take(value.key, value.text, hasDue: hasDue) { continue }
                    unreadable.append(String(word))
                }
                let isPlain = !word.isEmpty && !word.utf8.contains(UInt8(ascii: ":"))
                names.append(NameWord(text: word, kind: isPlain ? .plain : .other))
            }
        }
        name = Self.name(of: names)
    }

    /// A word that is, or may be, a part of the name.
    private struct NameWord {
        enum Kind {
            case plain, label
            /// An empty word, or one such as `key:value` or a URL.
            case other
        }

        let text: Substring
        let kind: Kind
    }

    /// Returns the name. A label between two plain words is a part of the sentence.
    private static func name(of words: [NameWord]) -> String {
        let first = words.firstIndex { $0.kind == .plain } ?? words.endIndex
        let last = words.lastIndex { $0.kind == .plain } ?? words.startIndex
        var names: [Substring] = []
        var isFirst = true
        for (index, word) in words.enumerated() {
            if word.kind == .label {
                if first < index, index < last {
                    names.append(word.text)
                    isFirst = false
                }
            } else {
                names.append(TodoTxtWord.unescaped(word.text, isFirst: isFirst))
                if !word.text.isEmpty { isFirst = false }
            }
        }
        return TodoTxtWord.text(of: names)
    }

    /// Sets a value. Returns whether the text is such a value, and the line has no other one for the key.
    private mutating func take(_ key: String, _ text: Substring, hasDue: Bool) -> Bool {
        switch key {
        case "due": Self.set(&due, Self.date(text))
        case "at": hasDue && Self.set(&secondOfDay, Self.secondOfDay(text))
        case "t": Self.set(&start, Self.date(text))
        case "rec": Self.set(&recurrence, Self.period(text))
        case "rrule": Self.set(&recurrence, Self.rule(text))
        case "pri":
            Self.set(&priority, text.utf8.count == 1 ? text.utf8.first.flatMap(TodoTxtWord.letter) : nil)
        case "id": Self.set(&id, Self.uid(text))
        case "p": Self.set(&parent, Self.uid(text))
        default: Self.set(&uid, Self.uid(text))
        }
    }

    private static func set<Value>(_ value: inout Value?, _ new: Value?) -> Bool {
        guard value == nil, let new else { return false }
        value = new
        return true
    }

    private static func isCategory(_ name: String) -> Bool {
        ReminderModel.categoryNameLengths.contains(name.unicodeScalars.count)
    }

    private static func uid(_ text: Substring) -> String? {
        let uid = TodoTxtWord.plain(text)
        return ReminderModel.uidLengths.contains(uid.unicodeScalars.count) ? uid : nil
    }

    // MARK: - Times

    /// Reads `2026-11-27`.
    static func date(_ text: Substring) -> CivilDate? {
        guard text.utf8.count == LocalTime.lengths.lowerBound else { return nil }
        return LocalTime(String(text))?.date
    }

    /// Reads `09:00` or `09:00:30`.
    private static func secondOfDay(_ text: Substring) -> Int? {
        let bytes = text.utf8.count
        guard bytes == 5 || bytes == 8 else { return nil }
        // Any date has these times.
        guard case .floating(let time)? = LocalTime("2000-01-01T\(text)\(bytes == 5 ? ":00" : "")") else {
            return nil
        }
        return time.secondOfDay
    }

    /// Reads `1w`, counted from the completion, or `+1w`, counted from the due time.
    private static func period(_ text: Substring) -> Recurrence? {
        let (length, isAfterDone) = signed(text)
        guard let unit = length.utf8.last, "dbwmy".utf8.contains(unit) else { return nil }
        let count = length.utf8.dropLast()
        guard count.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        if unit == UInt8(ascii: "b") {
            // A rule has no number of business days.
            guard count.isEmpty || Substring(count) == "1" else { return nil }
            return TaskwarriorRecurrence.rule(TaskwarriorRecurrence.weekdays).map {
                Recurrence(rule: $0, isAfterDone: isAfterDone)
            }
        }
        return TaskwarriorRecurrence.rule(String(length)).map {
            Recurrence(rule: $0, isAfterDone: isAfterDone)
        }
    }

    /// Reads a rule of RFC 5545, with a sign as for a period.
    private static func rule(_ text: Substring) -> Recurrence? {
        let (rule, isAfterDone) = signed(text)
        return (try? RecurrenceRule(String(rule))).map { Recurrence(rule: $0, isAfterDone: isAfterDone) }
    }

    private static func signed(_ text: Substring) -> (rest: Substring, isAfterDone: Bool) {
        let isStrict = text.utf8.first == UInt8(ascii: "+")
        return (isStrict ? Substring(text.utf8.dropFirst()) : text, !isStrict)
    }
}
