internal import CivilTime
internal import ObjectStore
internal import Phrases
internal import Reminders
internal import TodoAPI

/// The items that a client requests, their order, and their fields.
struct ItemQuery {
    let request: FetchRequest<ToDo>
    let columns: ItemColumns
    /// The index that finds the items, if there is one.
    let range: IndexRange
    /// The notes on the readings that were chosen for the times in the filter, as in `DatePhrase.Reading`.
    let note: String?

    /// The items of an index that a query selects from.
    enum IndexRange {
        /// All items, because no index finds those of the query.
        case none
        /// Consecutive open items, in the order of the query.
        case due
        case tag(Tag)
        case parent(ToDo)
    }

    /// The default order of a list: by due time, with items without one last.
    private static let defaultOrder = [FetchOrder(\ToDo.dueDate, nilIsLast: true)]

    /// The order of the children of an item.
    private static let orderOfChildren = [FetchOrder(\ToDo.place, nilIsLast: true), FetchOrder(\ToDo.id)]

    /// Creates the query of a list.
    ///
    /// - Throws: an error that names the wrong field. All fields are checked before anything is read.
    init(_ parameters: ListItems.Parameters, _ service: ServiceContext) throws {
        let zone = try service.times.zone(named: parameters.timeZone)
        let filter = Filter(service: service, zone: zone, now: service.times.now())
        columns = try ItemColumns(parameters.fields)
        let isFiltered =
            parameters.category != nil || parameters.tags != nil || parameters.text != nil
            || parameters.where != nil || parameters.priorities != nil || parameters.parent != nil
            || parameters.blocked != nil
        let isWaiting = parameters.state == .waiting
        let isAsStored = parameters.order == nil && parameters.offset == nil
        let isDue = isAsStored && !isFiltered && (parameters.state ?? .open) == .open
        let predicate = try filter.predicate(parameters)
        range = isDue ? .due : filter.lookups.range
        request = FetchRequest(
            matching: predicate,
            orderedBy: try parameters.order.map(Self.order)
                ?? (parameters.parent != nil
                    ? Self.orderOfChildren
                    : (isWaiting ? [FetchOrder(\ToDo.startDate)] : []) + Self.defaultOrder),
            limit: try Self.count(parameters.limit, "limit"),
            offset: try Self.count(parameters.offset, "offset") ?? 0)
        note = filter.notes.text
    }

    /// Creates a query for the open items that are due before `end` or, if `isIncluded`, until `end`.
    init(dueUntil end: Timestamp, isIncluded: Bool, fields: [String]?, note: String? = nil) throws {
        self.note = note
        columns = try ItemColumns(fields)
        range = .due
        var request = ToDo.where { !$0.completed && (isIncluded ? $0.dueDate <= end : $0.dueDate < end) }
        request.order = Self.defaultOrder
        self.request = request
    }

    private static func count(_ number: Int64?, _ field: String) throws(APIError) -> Int? {
        guard let number else { return nil }
        guard number >= 0, let count = Int(exactly: number) else {
            throw .invalidValue(field: field, reason: "it is negative")
        }
        return count
    }

    /// Parses an order such as `["-priority", "due"]`.
    private static func order(_ keys: [String]) throws(APIError) -> [FetchOrder] {
        guard keys.count <= ListItems.orderKeysLimit else {
            throw .invalidValue(field: "order", reason: "more than \(ListItems.orderKeysLimit) keys")
        }
        var order: [FetchOrder] = []
        for (index, key) in keys.enumerated() {
            let descends = key.hasPrefix("-")
            let field = try ItemField(orderedBy: key.dropFirst(descends ? 1 : 0), in: "order[\(index)]")
            order.append(
                FetchOrder(
                    field.key, options: [.caseInsensitive, .diacriticInsensitive], ascending: !descends,
                    nilIsLast: true, zeroIsNil: field == .priority || field == .percent))
        }
        return order
    }
}

/// The fields of a request that filter a list, combined in one predicate.
private struct Filter {
    let service: ServiceContext
    let zone: TimeZoneRules
    let now: Timestamp
    let notes = Notes()
    let lookups = Lookups()

    /// The objects of an index that the filter names.
    final class Lookups {
        var range = ItemQuery.IndexRange.none
    }

    /// Collects the notes on the times that were read.
    final class Notes {
        private var all: [String] = []

        /// All notes, or `nil` if there are none.
        var text: String? { all.isEmpty ? nil : all.joined(separator: "; ") }

        func add(_ note: String?) {
            if let note, !all.contains(note) { all.append(note) }
        }
    }

    func predicate(_ parameters: ListItems.Parameters) throws -> FetchPredicate {
        var request = ToDo.all
        let condition = try condition(parameters)
        switch parameters.state ?? (condition?.namesCompletion == true ? .all : .open) {
        case .open:
            request = request.where { !$0.completed }
            if parameters.state == .open || condition?.namesStart != true {
                request = request.where { $0.startDate == nil || $0.startDate <= now }
            }
        case .waiting: request = request.where { !$0.completed && $0.startDate > now }
        case .completed: request = request.where { $0.completed }
        case .all: break
        }
        if let name = parameters.category {
            let category = try service.store.category(named: name)
            request = request.where { $0.category == category }
        }
        for name in try TypedValue.tags(parameters.tags ?? [], field: "tags") {
            let tag = try service.store.tag(named: name)
            lookups.range = .tag(tag)
            request = request.where { $0.tags.contains(tag) }
        }
        if let parent = parameters.parent {
            let item = try service.store.item(parent, field: "parent")
            lookups.range = .parent(item)
            request = request.where { $0.parent == item }
        }
        if let isBlocked = parameters.blocked {
            request = request.where {
                isBlocked ? $0.blockers.contains { !$0.completed } : $0.blockers.count { !$0.completed } == 0
            }
        }
        if let priorities = parameters.priorities {
            let priorities = try Self.priorities(priorities)
            request = request.where { $0.priority.isIn(priorities) }
        }
        for word in try words(parameters.text ?? "").map(String.init) {
            let options: StringOptions = [.caseInsensitive, .diacriticInsensitive]
            request = request.where {
                $0.name.contains(word, options: options) || $0.notes.contains(word, options: options)
            }
        }
        if let text = parameters.dueBefore {
            let moment = try moment(text, field: "dueBefore")
            request = request.where { $0.dueDate < moment }
        }
        if let text = parameters.dueAfter {
            let moment = try moment(text, field: "dueAfter")
            request = request.where { $0.dueDate >= moment }
        }
        if let text = parameters.within {
            let end = try service.times.moment(within: text, field: "within", in: zone)
            request = request.where { $0.dueDate.isBetween(now, and: end) }
        }
        if let condition { request = request.where { _ in condition.predicate } }
        return request.predicate
    }

    private func words(_ text: String) throws(APIError) -> [Substring] {
        let words = text.split(maxSplits: ListItems.wordsLimit, whereSeparator: \.isWhitespace)
        guard words.count <= ListItems.wordsLimit else {
            throw .invalidValue(field: "text", reason: "there are more than \(ListItems.wordsLimit) words")
        }
        return words
    }

    private func moment(_ text: String, field: String) throws(APIError) -> Timestamp {
        try bound(text, field: field).moment
    }

    private func bound(_ text: String, field: String) throws(APIError) -> FilterBound {
        let bound = try service.times.filterBound(text, field: field, in: zone)
        notes.add(bound.note)
        return bound
    }

    private static func priorities(_ numbers: [Int64]) throws(APIError) -> [Int16] {
        guard !numbers.isEmpty else { throw .invalidValue(field: "priorities", reason: "it is empty") }
        guard numbers.count <= ListItems.argumentsLimit else {
            throw .invalidValue(
                field: "priorities", reason: "there are more than \(ListItems.argumentsLimit)")
        }
        for (index, number) in numbers.enumerated() {
            do throws(APIError) {
                _ = try TypedValue.priority(number)
            } catch .invalidValue(_, let reason) {
                throw .invalidValue(field: "priorities[\(index)]", reason: reason)
            }
        }
        return numbers.compactMap { Int16(exactly: $0) }
    }

    private func condition(_ parameters: ListItems.Parameters) throws -> ItemPredicate? {
        let arguments = parameters.arguments ?? []
        guard let format = parameters.where else {
            if parameters.arguments == nil { return nil }
            throw APIError.invalidValue(field: "arguments", reason: "they need 'where'")
        }
        guard format.utf8.count <= ListItems.whereBytesLimit else {
            throw APIError.invalidValue(
                field: "where", reason: "it is longer than \(ListItems.whereBytesLimit) bytes")
        }
        guard arguments.count <= ListItems.argumentsLimit else {
            throw APIError.invalidValue(
                field: "arguments", reason: "there are more than \(ListItems.argumentsLimit)")
        }
        let values = try arguments.enumerated().map { index, argument in
            try value(argument, "arguments[\(index)]")
        }
        return try ItemPredicate(format, values, in: service.store.context.model, now: now, zone: zone) {
            (text) throws(APIError) in
            try bound(text, field: "where")
        }
    }

    private func value(_ argument: Argument, _ field: String) throws(APIError) -> (any PredicateArgument)? {
        let time: Timestamp? = try argument.moment.map { (text) throws(APIError) in
            try moment(text, field: "\(field).moment")
        }
        let values: [(any PredicateArgument)?] = [
            argument.text, argument.integer, argument.number, argument.flag, time, argument.texts,
            argument.integers,
        ]
        let given = values.compactMap { $0 }
        guard given.count <= 1 else {
            throw .invalidValue(field: field, reason: "an argument has one value, not \(given.count)")
        }
        return given.first
    }
}
