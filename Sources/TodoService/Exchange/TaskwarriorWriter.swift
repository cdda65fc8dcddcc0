internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import Varlink

/// A writer of items as tasks, which `task import` of Taskwarrior reads.
struct TaskwarriorWriter {
    /// The attribute with the `uid` of an item whose `uid` is not a UUID.
    ///
    /// Taskwarrior keeps attributes that it does not know.
    static let uidAttribute = "tododuid"

    let zone: TimeZoneRules

    /// Returns the task as a JSON object.
    func task(_ item: ExchangeItem) -> String {
        var writer = JSONWriter()
        writer.object { object in
            for (name, text) in members(of: item) {
                guard let text else { continue }
                object.name(name)
                object.value(text)
            }
            list("tags", item.tags, &object)
            list("depends", item.blockers.map(Self.uuid), &object)
            annotations(of: item, &object)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func members(of item: ExchangeItem) -> [(name: String, text: String?)] {
        let uuid = Self.uuid(of: item.uid)
        let period = period(of: item)
        return [
            ("uuid", uuid), (Self.uidAttribute, uuid == item.uid ? nil : item.uid),
            ("description", item.name), ("status", status(of: item, repeats: period != nil)),
            ("entry", Self.text(item.createdDate)), ("modified", Self.text(item.modifiedDate)),
            ("end", item.isCompleted ? Self.text(item.completedDate) : nil), ("due", due(of: item)),
            ("wait", wait(of: item)), ("recur", period),
            ("rtype", period == nil ? nil : "periodic"),
            ("until", period == nil ? nil : until(of: item)), ("project", item.category),
            ("priority", priority(of: item)),
        ]
    }

    private func list(_ name: String, _ texts: [String], _ object: inout JSONWriter) {
        guard !texts.isEmpty else { return }
        object.name(name)
        object.array { array in for text in texts { array.value(text) } }
    }

    private func annotations(of item: ExchangeItem, _ object: inout JSONWriter) {
        let lines = lines(of: item)
        guard !lines.isEmpty else { return }
        let first = item.createdDate ?? Timestamp(secondsSince1970: 0)
        object.name("annotations")
        object.array { array in
            for (index, line) in lines.enumerated() {
                array.object { note in
                    // Annotations of a task have different times.
                    note.name("entry")
                    note.value(Self.text(first + Double(index)) ?? "")
                    note.name("description")
                    note.value(line)
                }
            }
        }
    }

    // MARK: - Values

    private func status(of item: ExchangeItem, repeats: Bool) -> String {
        if item.isCancelled { return "deleted" }
        if item.isCompleted { return "completed" }
        return repeats ? "recurring" : "pending"
    }

    /// Returns the notes as annotations. Taskwarrior has no empty ones.
    func lines(of item: ExchangeItem) -> [String] {
        (item.notes ?? "").split(separator: "\n").map(String.init).filter(\.isVisible)
    }

    /// Returns H, M or L, or `nil` for no priority.
    func priority(of item: ExchangeItem) -> String? {
        switch item.priority {
        case 1...4: "H"
        case 5: "M"
        case 6...9: "L"
        default: nil
        }
    }

    /// Returns the due time. A date is the beginning of the day.
    func due(of item: ExchangeItem) -> String? {
        Self.text(CalendarTime(moment: item.due, local: item.localDue)?.firstMoment(in: zone))
    }

    /// Returns the start of an open item.
    func wait(of item: ExchangeItem) -> String? {
        guard !item.isCompleted else { return nil }
        return Self.text(CalendarTime(moment: item.start, local: item.localStart)?.firstMoment(in: zone))
    }

    /// Returns the period of an open repeating item, or `nil` if Taskwarrior has no period for its rule.
    func period(of item: ExchangeItem) -> String? {
        guard !item.isCompleted, !item.isAfterDone, let rule = item.recurrence, due(of: item) != nil else {
            return nil
        }
        let plain = rule.text.split(separator: ";").filter { !$0.hasPrefix("UNTIL=") }.joined(separator: ";")
        return TaskwarriorRecurrence.period(
            of: RecurrenceRule(checked: plain), isShortDay: item.isDueOnShortDay(in: zone))
    }

    /// Returns the last moment of the rule, or `nil` if it does not end.
    func until(of item: ExchangeItem) -> String? {
        let end = item.recurrence?.text.split(separator: ";").first { $0.hasPrefix("UNTIL=") }
        let time = end.flatMap { CalendarTime(basicText: String($0.dropFirst(6))) }
        return Self.text(time?.moment(in: zone))
    }

    /// Returns a moment such as `20261120T090000Z`, or `nil` outside the years 1 to 9999.
    fileprivate static func text(_ moment: Timestamp?) -> String? {
        guard let moment else { return nil }
        let text = CalendarTime.moment(moment).basicText
        return text.isEmpty ? nil : text
    }

    // MARK: - Identifiers

    /// Returns the `uid` in lower case if it is a UUID, or a UUID that is derived from it.
    ///
    /// Taskwarrior 3 changes letters to lower case.
    static func uuid(of uid: String) -> String {
        if let uuid = UUIDValue(uid) { return uuid.description.lowercased() }
        let digits = Array(SHA256.hexadecimal(of: uid))
        func part(_ range: Range<Int>) -> String { String(digits[range]) }
        // Version 8 of RFC 9562 is for identifiers of one program.
        return "\(part(0..<8))-\(part(8..<12))-8\(part(13..<16))-8\(part(17..<20))-\(part(20..<32))"
    }
}

extension ExchangeItem {
    /// Whether every month has the day on which the item is due.
    func isDueOnShortDay(in zone: TimeZoneRules) -> Bool {
        let date = localDue?.date ?? due.flatMap(zone.civil)?.date
        return date.map { $0.day <= 28 } ?? false
    }

    /// Makes a changed due time floating if that of the store is. Other programs do not know floating times.
    mutating func keepFloating(_ known: ExchangeItem, in zone: TimeZoneRules) {
        guard known.localDue?.isDate == false, localDue == nil, let civil = due.flatMap(zone.civil) else {
            return
        }
        setDue(.local(.floating(civil)), in: zone)
        guard let rule = recurrence else { return }
        recurrence = rule.withLocalEnd(in: zone, isDate: false)
        recurrenceStart = ruleDue
        timeZone = nil
    }

    /// Completes an item of Taskwarrior with the values of the store that a task cannot express.
    ///
    /// A value that the task would have for the item of the store is that value.
    mutating func completeTask(from known: ExchangeItem, in zone: TimeZoneRules) {
        let writer = TaskwarriorWriter(zone: zone)
        let isSameDue = writer.due(of: self) == writer.due(of: known)
        let isSameRule =
            writer.period(of: self) == writer.period(of: known)
            && writer.until(of: self) == writer.until(of: known)
        if isSameDue, isSameRule {
            (recurrence, recurrenceStart) = (known.recurrence, known.recurrenceStart)
            timeZone = known.timeZone
        }
        // A completed task does not say when it was to start.
        if isCompleted || writer.wait(of: self) == writer.wait(of: known) {
            (start, localStart) = (known.start, known.localStart)
        }
        if isSameDue { (due, localDue) = (known.due, known.localDue) }
        keepFloating(known, in: zone)
        let moments: [WritableKeyPath<ExchangeItem, Timestamp?>] = [\.createdDate, \.completedDate]
        for moment in moments
        where TaskwarriorWriter.text(self[keyPath: moment]) == TaskwarriorWriter.text(known[keyPath: moment])
        {
            self[keyPath: moment] = known[keyPath: moment]
        }
        let recorded = Set(known.history.map(\.due))
        history = (known.history + history.filter { !recorded.contains($0.due) }).sorted()
        if writer.priority(of: self) == writer.priority(of: known) { priority = known.priority }
        if writer.lines(of: self) == writer.lines(of: known) { notes = known.notes }
    }
}
