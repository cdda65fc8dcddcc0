internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// A visitor of the fields of an exported item, in order, that reads or writes them.
protocol ExportedFieldVisitor {
    associatedtype Failure: Error

    mutating func text(_ name: String, _ text: inout String) throws(Failure)
    mutating func text(_ name: String, _ text: inout String?) throws(Failure)
    mutating func category(_ name: String, _ category: inout String?) throws(Failure)
    mutating func number(_ name: String, _ number: inout Int) throws(Failure)
    /// Visits a number that is omitted if it is 0. An import leaves it unchanged if it is unknown.
    mutating func count(_ name: String, _ count: inout Int?) throws(Failure)
    mutating func flag(_ name: String, _ flag: inout Bool) throws(Failure)
    /// Visits a flag that is omitted if it is false.
    mutating func setFlag(_ name: String, _ flag: inout Bool) throws(Failure)
    mutating func moment(_ name: String, _ moment: inout Timestamp?) throws(Failure)
    /// Visits the flag of a cancelled item, which is omitted if it is false.
    mutating func cancelled(_ flag: inout Bool) throws(Failure)
    /// Visits the times of single occurrences.
    mutating func dates(_ addition: ExchangeItem.Addition, _ dates: inout [String]) throws(Failure)
    mutating func occurrences(_ occurrences: inout [OccurrenceValue]) throws(Failure)
    /// Visits a moment, or the date or the floating time that it means. `name` with `Local` is the name of the latter in
    /// the store.
    mutating func time(_ name: String, _ moment: inout Timestamp?, local: inout LocalTime?) throws(Failure)
    /// Visits a time that an import leaves unchanged if it is missing in the file.
    mutating func keptMoment(_ name: String, _ moment: inout Timestamp?) throws(Failure)
    mutating func rule(_ name: String, _ rule: inout RecurrenceRule?) throws(Failure)
    /// Visits a text of an addition, which is omitted if it is `nil`.
    mutating func addition(_ addition: ExchangeItem.Addition, _ text: inout String?) throws(Failure)
    /// Visits a number of an addition, which is omitted if it is `nil` or 0.
    mutating func addition(_ addition: ExchangeItem.Addition, _ number: inout Int?) throws(Failure)
    mutating func addition(_ addition: ExchangeItem.Addition, _ number: inout Int) throws(Failure)
    mutating func addition(
        _ addition: ExchangeItem.Addition, _ moment: inout Timestamp?, local: inout LocalTime?
    ) throws(Failure)
    mutating func tags(_ tags: inout [String]) throws(Failure)
    /// Visits the identifier of the parent, which is an addition.
    mutating func parent(_ uid: inout String?) throws(Failure)
    /// Visits the position, which an import leaves unchanged if it is missing in the file.
    mutating func position(_ name: String, _ position: inout Int?) throws(Failure)
    /// Visits the identifiers of the blockers, which are an addition.
    mutating func blockers(_ uids: inout [String]) throws(Failure)
    mutating func links(_ links: inout [LinkValue]) throws(Failure)
    mutating func history(_ completions: inout [CompletionValue]) throws(Failure)
    /// Visits the text of iCalendar that no other field has.
    mutating func remainder(_ bytes: inout [UInt8]?) throws(Failure)
    mutating func leads(_ name: String, _ leads: inout [Int]) throws(Failure)
    mutating func alerts(_ alerts: inout [AlarmTime]) throws(Failure)
    mutating func alertState(_ name: String, _ state: inout ExportedAlertState?) throws(Failure)
}

/// A visitor that reads or writes the fields of a JSON object.
struct ExportedJSON<Coder: FieldCoder>: ExportedFieldVisitor {
    var coder: Coder
    /// The additions that are written even if they are empty.
    let explicit: Set<ExchangeItem.Addition>
    /// The additions that are not in the object.
    private(set) var missing: Set<ExchangeItem.Addition> = []

    init(coder: Coder, explicit: Set<ExchangeItem.Addition>) {
        self.coder = coder
        self.explicit = explicit
    }

    mutating func text(_ name: String, _ text: inout String) throws(FieldError) {
        try coder.field(name, &text)
    }

    mutating func text(_ name: String, _ text: inout String?) throws(FieldError) {
        try coder.field(name, &text)
    }

    mutating func category(_ name: String, _ category: inout String?) throws(FieldError) {
        try coder.field(name, &category)
    }

    mutating func number(_ name: String, _ number: inout Int) throws(FieldError) {
        var value: Int64? = Int64(number)
        try coder.field(name, &value)
        number = Int(value ?? 0)
    }

    mutating func count(_ name: String, _ count: inout Int?) throws(FieldError) {
        var value = count.flatMap { $0 == 0 ? nil : Int64($0) }
        try coder.field(name, &value)
        count = Int(value ?? 0)
    }

    mutating func flag(_ name: String, _ flag: inout Bool) throws(FieldError) {
        var value: Bool? = flag
        try coder.field(name, &value)
        flag = value ?? false
    }

    mutating func setFlag(_ name: String, _ flag: inout Bool) throws(FieldError) {
        var value: Bool? = flag ? true : nil
        try coder.field(name, &value)
        flag = value ?? false
    }

    mutating func cancelled(_ flag: inout Bool) throws(FieldError) { try setFlag("cancelled", &flag) }

    mutating func dates(
        _ addition: ExchangeItem.Addition, _ dates: inout [String]
    ) throws(FieldError) {
        try list(addition, &dates)
    }

    mutating func occurrences(_ occurrences: inout [OccurrenceValue]) throws(FieldError) {
        var values = occurrences.map(ExportedOccurrence.init)
        try list(.occurrences, &values)
        occurrences = values.map(\.value).sorted { $0.recurrenceID < $1.recurrenceID }
    }

    mutating func moment(_ name: String, _ moment: inout Timestamp?) throws(FieldError) {
        try coder.exactField(name, &moment)
    }

    mutating func time(
        _ name: String, _ moment: inout Timestamp?, local: inout LocalTime?
    ) throws(FieldError) {
        var value = ExportedTime(moment: moment, local: local)
        try coder.field(name, &value)
        // The caller knows the time zone, and so the moment of a local time.
        (moment, local) = (value?.moment, value?.local)
    }

    mutating func keptMoment(_ name: String, _ moment: inout Timestamp?) throws(FieldError) {
        try coder.exactField(name, &moment)
    }

    mutating func rule(_ name: String, _ rule: inout RecurrenceRule?) throws(FieldError) {
        var text = rule?.text
        try coder.field(name, &text)
        guard text != rule?.text else { return }
        do throws(RecurrenceError) {
            rule = try text.map { text throws(RecurrenceError) in try RecurrenceRule(text) }
        } catch {
            throw coder.failure(of: name, reason: error.reason)
        }
    }

    mutating func addition(
        _ addition: ExchangeItem.Addition, _ text: inout String?
    ) throws(FieldError) {
        var value = text ?? (explicit.contains(addition) ? "" : nil)
        try coder.field(addition.rawValue, &value)
        if value == nil { missing.insert(addition) }
        text = value?.isEmpty == true ? nil : value
    }

    mutating func addition(
        _ addition: ExchangeItem.Addition, _ number: inout Int?
    ) throws(FieldError) {
        var value = (number ?? 0) != 0 || explicit.contains(addition) ? Int64(number ?? 0) : nil
        try coder.field(addition.rawValue, &value)
        if value == nil { missing.insert(addition) }
        number = value.flatMap { $0 == 0 ? nil : Int($0) }
    }

    mutating func addition(
        _ addition: ExchangeItem.Addition, _ moment: inout Timestamp?, local: inout LocalTime?
    ) throws(FieldError) {
        var value =
            ExportedTime(moment: moment, local: local) ?? (explicit.contains(addition) ? .empty : nil)
        try coder.field(addition.rawValue, &value)
        if value == nil { missing.insert(addition) }
        (moment, local) = (value?.moment, value?.local)
    }

    mutating func addition(_ addition: ExchangeItem.Addition, _ number: inout Int) throws(FieldError) {
        var value: Int? = number
        try self.addition(addition, &value)
        number = value ?? 0
    }

    mutating func tags(_ tags: inout [String]) throws(FieldError) {
        try list(.tags, &tags)
    }

    mutating func parent(_ uid: inout String?) throws(FieldError) { try addition(.parent, &uid) }

    mutating func position(_ name: String, _ position: inout Int?) throws(FieldError) {
        var value = position.map { Int64($0) }
        try coder.field(name, &value)
        if value == nil { missing.insert(.position) }
        position = value.map { Int($0) }
    }

    mutating func blockers(_ uids: inout [String]) throws(FieldError) { try list(.blockedBy, &uids) }

    mutating func links(_ links: inout [LinkValue]) throws(FieldError) {
        var values = links.map(ItemLink.init)
        try list(.links, &values)
        links = values.map { link in
            var value = LinkValue(url: link.url)
            value.title = link.title
            value.mediaType = link.mediaType
            value.isAttachment = link.attachment ?? false
            return value
        }
    }

    mutating func history(_ completions: inout [CompletionValue]) throws(FieldError) {
        var values = completions.map(ExportedCompletion.init)
        try list(.history, &values)
        completions = values.map(\.value).sorted()
    }

    mutating func remainder(_ bytes: inout [UInt8]?) throws(FieldError) {
        var text = bytes.map { String(decoding: $0, as: UTF8.self) }
        try addition(.remainder, &text)
        bytes = text.map { Array($0.utf8) }
    }

    private mutating func list<Value: FieldValue>(
        _ addition: ExchangeItem.Addition, _ list: inout [Value]
    ) throws(FieldError) {
        var values = list.isEmpty && !explicit.contains(addition) ? nil : Optional(list)
        try coder.field(addition.rawValue, &values)
        if values == nil { missing.insert(addition) }
        list = values ?? []
    }

    mutating func leads(_ name: String, _ leads: inout [Int]) throws(FieldError) {
        var values: [Int64]? = leads.map { Int64($0) }
        try coder.field(name, &values)
        leads = (values ?? []).map(Int.init)
    }

    mutating func alerts(_ alerts: inout [AlarmTime]) throws(FieldError) {
        var texts = alerts.map(\.text)
        try list(.alerts, &texts)
        var times: [AlarmTime] = []
        for text in texts {
            guard let time = AlarmTime(text) else {
                throw coder.failure(
                    of: ExchangeItem.Addition.alerts.rawValue,
                    reason: "'\(text)' is neither a moment nor a time such as '15min before start'")
            }
            times.append(time)
        }
        alerts = times
    }

    mutating func alertState(_ name: String, _ state: inout ExportedAlertState?) throws(FieldError) {
        try coder.field(name, &state)
    }
}

/// A visitor of the fields that are in the row of an item in the store.
protocol StoredFieldVisitor: ExportedFieldVisitor where Failure == Never {
    /// - Parameter keepsMissing: whether a value of `nil` leaves the store unchanged.
    mutating func stored(_ name: String, _ value: inout some AttributeValueConvertible, keepsMissing: Bool)
}

extension StoredFieldVisitor {
    mutating func text(_ name: String, _ text: inout String) { stored(name, &text, keepsMissing: false) }
    mutating func text(_ name: String, _ text: inout String?) { stored(name, &text, keepsMissing: false) }

    mutating func category(_ name: String, _ category: inout String?) {
        stored(name, &category, keepsMissing: false)
    }

    mutating func addition(_ addition: ExchangeItem.Addition, _ text: inout String?) {
        stored(addition.rawValue, &text, keepsMissing: false)
    }

    mutating func addition(_ addition: ExchangeItem.Addition, _ number: inout Int?) {
        stored(addition.rawValue, &number, keepsMissing: false)
    }

    mutating func addition(
        _ addition: ExchangeItem.Addition, _ moment: inout Timestamp?, local: inout LocalTime?
    ) {
        time(addition.rawValue, &moment, local: &local)
    }

    mutating func addition(_ addition: ExchangeItem.Addition, _ number: inout Int) {
        stored(addition.rawValue, &number, keepsMissing: false)
    }

    mutating func number(_ name: String, _ number: inout Int) { stored(name, &number, keepsMissing: false) }
    mutating func count(_ name: String, _ count: inout Int?) { stored(name, &count, keepsMissing: true) }
    mutating func flag(_ name: String, _ flag: inout Bool) { stored(name, &flag, keepsMissing: false) }
    mutating func setFlag(_ name: String, _ flag: inout Bool) { stored(name, &flag, keepsMissing: false) }

    mutating func moment(_ name: String, _ moment: inout Timestamp?) {
        stored(name, &moment, keepsMissing: false)
    }

    mutating func time(_ name: String, _ moment: inout Timestamp?, local: inout LocalTime?) {
        stored(name, &moment, keepsMissing: false)
        var text = local?.text
        stored(name + "Local", &text, keepsMissing: false)
        if text != local?.text { local = text.flatMap(LocalTime.init) }
    }

    mutating func keptMoment(_ name: String, _ moment: inout Timestamp?) {
        stored(name, &moment, keepsMissing: true)
    }

    mutating func rule(_ name: String, _ rule: inout RecurrenceRule?) {
        var text = rule?.text
        stored(name, &text, keepsMissing: false)
        if text != rule?.text { rule = text.map(RecurrenceRule.init(checked:)) }
    }

    mutating func position(_ name: String, _ position: inout Int?) {
        stored(name, &position, keepsMissing: true)
    }

    mutating func cancelled(_ flag: inout Bool) { stored("isCancelled", &flag, keepsMissing: false) }

    mutating func dates(_ addition: ExchangeItem.Addition, _ dates: inout [String]) {
        stored(addition.rawValue, &dates, keepsMissing: false)
    }

    mutating func occurrences(_ occurrences: inout [OccurrenceValue]) {}
    mutating func remainder(_ bytes: inout [UInt8]?) { stored("remainder", &bytes, keepsMissing: false) }

    // The store keeps them in other objects than the item.
    mutating func parent(_ uid: inout String?) {}
    mutating func blockers(_ uids: inout [String]) {}
    mutating func tags(_ tags: inout [String]) {}
    mutating func links(_ links: inout [LinkValue]) {}
    mutating func history(_ completions: inout [CompletionValue]) {}
    mutating func leads(_ name: String, _ leads: inout [Int]) {}
    mutating func alerts(_ alerts: inout [AlarmTime]) {}
    mutating func alertState(_ name: String, _ state: inout ExportedAlertState?) {}
}
