internal import CivilTime
internal import Reminders

/// A writer of items as lines of todo.txt.
struct TodoTxtWriter {
    /// The zone of all days and times, which todo.txt does not name.
    let zone: TimeZoneRules

    /// Returns the line of an item, with its end.
    func line(for item: ExchangeItem) -> String {
        var words: [String?] = []
        let letter = priority(of: item)
        if item.isCompleted {
            let completed = day(of: item.completedDate)
            // One date after the mark is that of the completion.
            words += ["x", completed, completed == nil ? nil : day(of: item.createdDate)]
        } else {
            words += [letter.map { "(\($0))" }, day(of: item.createdDate)]
        }
        words.append(name(of: item))
        words.append(item.category.map { "+" + TodoTxtWord.encoded($0) })
        words += item.tags.map { "@" + TodoTxtWord.encoded($0) }
        words += [due(of: item), start(of: item), recurrence(of: item)]
        if item.isCompleted { words.append(letter.map { "pri:\($0)" }) }
        words += [
            item.parent.map { "p:" + TodoTxtWord.encoded($0) }, "uid:" + TodoTxtWord.encoded(item.uid),
        ]
        return words.compactMap(\.self).joined(separator: " ") + "\n"
    }

    /// Returns the name, of which the words that could have another meaning are escaped.
    func name(of item: ExchangeItem) -> String {
        let words = TodoTxtWord.words(of: TodoTxtWord.text(of: TodoTxtWord.words(of: item.name)))
        return words.enumerated().map { TodoTxtWord.escaped($1, isFirst: $0 == 0) }.joined(separator: " ")
    }

    /// Returns the letter of the priority, from A for 1 to I for 9, or `nil` for none.
    private func priority(of item: ExchangeItem) -> Character? {
        guard (1...9).contains(item.priority) else { return nil }
        return Character(Unicode.Scalar(UInt8(ascii: "A") + UInt8(item.priority - 1)))
    }

    // MARK: - Times

    /// Returns the day of a moment, such as `2026-11-27`.
    func day(of moment: Timestamp?) -> String? {
        moment.flatMap(zone.civil).map { LocalTime.date($0.date).text }
    }

    /// Returns `due:2026-11-27` or, with a time, `due:2026-11-27 at:09:00`.
    func due(of item: ExchangeItem) -> String? {
        let time: LocalTime
        switch CalendarTime(moment: item.due, local: item.localDue) {
        case .local(let local)?: time = local
        case .moment(let moment)?:
            guard let civil = zone.civil(at: moment) else { return nil }
            time = .floating(civil)
        case nil: return nil
        }
        let day = "due:" + LocalTime.date(time.date).text
        guard case .floating(let civil) = time else { return day }
        let clock = time.text.dropFirst(LocalTime.lengths.lowerBound + 1)
        return "\(day) at:\(civil.second == 0 ? clock.dropLast(3) : clock)"
    }

    /// Returns the threshold, such as `t:2026-11-25`. It is a day, as in other programs.
    func start(of item: ExchangeItem) -> String? {
        if let local = item.localStart { return "t:" + LocalTime.date(local.date).text }
        return day(of: item.start).map { "t:" + $0 }
    }

    /// Returns `rec:+2w`, or `rrule:` with a rule that is no such period, or `nil` if the item does not repeat.
    ///
    /// - Parameter withCount: whether a rule has the number of its remaining occurrences.
    func recurrence(of item: ExchangeItem, withCount: Bool = true) -> String? {
        guard let rule = item.recurrence, due(of: item) != nil else { return nil }
        let sign = item.isAfterDone ? "" : "+"
        if let period = TaskwarriorRecurrence.period(of: rule, isShortDay: item.isDueOnShortDay(in: zone)) {
            return "rec:\(sign)\(period == TaskwarriorRecurrence.weekdays ? "1b" : period)"
        }
        // Another program does not know how many occurrences have passed.
        let parts = rule.text.split(separator: ";").compactMap { part -> String? in
            guard part.hasPrefix("COUNT="), let count = rule.count else { return String(part) }
            return withCount ? "COUNT=\(max(1, count - (item.occurrencesDone ?? 0)))" : nil
        }
        return "rrule:\(sign)\(parts.joined(separator: ";"))"
    }
}

extension ExchangeItem {
    /// Completes an item of todo.txt with the values of the store that a line cannot express.
    ///
    /// A value that the line would have for the item of the store is that value, with its time and its zone.
    ///
    /// - Parameter copiedRule: the rule of a completed occurrence in the same file. Other programs copy it with its count.
    mutating func completeLine(from known: ExchangeItem, copiedRule: String?, in zone: TimeZoneRules) {
        let writer = TodoTxtWriter(zone: zone)
        let isSameDue = writer.due(of: self) == writer.due(of: known)
        let rule = writer.recurrence(of: self)
        let isCopied =
            rule != nil && rule == copiedRule
            && writer.recurrence(of: self, withCount: false) == writer.recurrence(of: known, withCount: false)
        let isSameRule = isCopied || rule == writer.recurrence(of: known)
        if writer.name(of: self) == writer.name(of: known) { name = known.name }
        let dates: [WritableKeyPath<ExchangeItem, Timestamp?>] = [\.createdDate, \.completedDate]
        for date in dates
        where writer.day(of: self[keyPath: date]) == writer.day(of: known[keyPath: date]) {
            self[keyPath: date] = known[keyPath: date]
        }
        if isSameDue { (due, localDue) = (known.due, known.localDue) }
        keepFloating(known, in: zone)
        if writer.start(of: self) == writer.start(of: known) {
            (start, localStart) = (known.start, known.localStart)
        }
        // A line with another due time has the rest of the rule, counted from that time.
        if isSameRule, isSameDue {
            (recurrence, recurrenceStart) = (known.recurrence, known.recurrenceStart)
            occurrencesDone = known.occurrencesDone
        } else if isCopied {
            recurrence = known.recurrence
            occurrencesDone = known.occurrencesDone
        } else {
            occurrencesDone = 0
        }
        if isSameRule {
            timeZone = isSameDue ? known.timeZone : known.timeZone ?? timeZone
            isAfterDone = known.isAfterDone
        }
        isCancelled = isCompleted && known.isCancelled
        notes = known.notes
        leads = known.leads
        isMuted = known.isMuted
    }
}
