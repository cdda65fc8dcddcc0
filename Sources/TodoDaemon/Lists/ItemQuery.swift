internal import CivilTime
internal import ObjectStore
internal import Phrases
internal import Reminders
internal import TodoAPI

/// Which items a client wants, in which order, and what of them.
struct ItemQuery {
    let request: FetchRequest<ToDo>
    let columns: ItemColumns
    /// Whether the index of open items by due time has the items in their order, one beside the other.
    let isRange: Bool

    /// The order of a list of which nothing else is said: by due time, what has none last.
    private static let customaryOrder = [FetchOrder("dueDate", nilIsLast: true)]

    /// - Throws: what is wrong with a field, by its name; all of it is checked before anything is read.
    init(_ parameters: ListItems.Parameters, _ workspace: Workspace) throws {
        let zone = try workspace.zone(named: parameters.timeZone)
        let filter = Filter(workspace: workspace, zone: zone, now: workspace.now())
        columns = try ItemColumns(parameters.fields)
        let isFiltered = parameters.category != nil || parameters.text != nil || parameters.where != nil
        let isAsStored = parameters.order == nil && parameters.offset == nil
        isRange = isAsStored && !isFiltered && (parameters.state ?? .open) == .open
        request = FetchRequest(
            matching: try filter.predicate(parameters),
            orderedBy: try parameters.order.map(Self.order) ?? Self.customaryOrder,
            limit: try Self.count(parameters.limit, "limit"),
            offset: try Self.count(parameters.offset, "offset") ?? 0)
    }

    /// The open items that are due before `horizon`.
    init(dueBefore horizon: Timestamp) throws {
        columns = try ItemColumns()
        isRange = true
        request = FetchRequest(
            matching: try FetchPredicate("completed == NO AND dueDate <= %@", horizon),
            orderedBy: Self.customaryOrder)
    }

    private static func count(_ number: Int64?, _ field: String) throws(APIError) -> Int? {
        guard let number else { return nil }
        guard number >= 0, let count = Int(exactly: number) else {
            throw .invalidValue(field: field, reason: "it is negative")
        }
        return count
    }

    /// `["-priority", "due"]`
    private static func order(_ keys: [String]) throws(APIError) -> [FetchOrder] {
        guard keys.count <= ListItems.orderKeysLimit else {
            throw .invalidValue(field: "order", reason: "more than \(ListItems.orderKeysLimit) keys")
        }
        var order: [FetchOrder] = []
        for (index, key) in keys.enumerated() {
            let descends = key.hasPrefix("-")
            let field = try ItemField(named: key.dropFirst(descends ? 1 : 0), in: "order[\(index)]")
            order.append(
                FetchOrder(
                    field.key, options: [.caseInsensitive, .diacriticInsensitive], ascending: !descends,
                    nilIsLast: true, zeroIsNil: field == .priority))
        }
        return order
    }
}

/// The fields of a list that choose items, as one predicate.
private struct Filter {
    let workspace: Workspace
    let zone: TimeZoneRules
    let now: Timestamp

    func predicate(_ parameters: ListItems.Parameters) throws -> FetchPredicate {
        var parts: [FetchPredicate] = []
        switch parameters.state ?? .open {
        case .open: parts.append(try FetchPredicate("completed == NO"))
        case .completed: parts.append(try FetchPredicate("completed == YES"))
        case .all: break
        }
        if let name = parameters.category {
            parts.append(try FetchPredicate("category == %@", workspace.category(named: name).id))
        }
        for word in try words(parameters.text ?? "") {
            parts.append(try FetchPredicate("name CONTAINS[cd] %@ OR notes CONTAINS[cd] %@", word, word))
        }
        if let text = parameters.dueBefore {
            parts.append(try FetchPredicate("dueDate < %@", moment(text, "dueBefore")))
        }
        if let text = parameters.dueAfter {
            parts.append(try FetchPredicate("dueDate >= %@", moment(text, "dueAfter")))
        }
        if let text = parameters.within {
            let end = now + (try Workspace.timeSpan(text, field: "within")).seconds
            parts.append(try FetchPredicate("dueDate BETWEEN {%@, %@}", now, end))
        }
        if let format = parameters.where {
            parts.append(try condition(format, parameters.arguments ?? []))
        } else if parameters.arguments != nil {
            throw APIError.invalidValue(field: "arguments", reason: "there is no 'where' that they belong to")
        }
        return parts.dropFirst().reduce(parts.first ?? .all) { $0 && $1 }
    }

    private func words(_ text: String) throws(APIError) -> [Substring] {
        let words = text.split(maxSplits: ListItems.wordsLimit, whereSeparator: \.isWhitespace)
        guard words.count <= ListItems.wordsLimit else {
            throw .invalidValue(field: "text", reason: "there are more than \(ListItems.wordsLimit) words")
        }
        return words
    }

    private func moment(_ text: String, _ field: String) throws(APIError) -> Timestamp {
        try workspace.filterBound(text, field: field, in: zone).moment
    }

    private func condition(_ format: String, _ arguments: [Argument]) throws -> FetchPredicate {
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
        let predicate = try FetchPredicate(format: format, arguments: values).binding(variables())
        let model = workspace.context.model
        guard let entity = model.entity(of: ToDo.self) else { return predicate }
        try predicate.check(against: entity, in: model)
        return predicate
    }

    /// `$now`, and the beginnings of `$today` and `$tomorrow` where the client is.
    private func variables() throws(APIError) -> [String: AttributeValue] {
        [
            "now": .date(now), "today": .date(try moment("today", "where")),
            "tomorrow": .date(try moment("tomorrow", "where")),
        ]
    }

    private func value(_ argument: Argument, _ field: String) throws(APIError) -> (any PredicateArgument)? {
        let time: Timestamp? = try argument.moment.map { (text) throws(APIError) in
            try moment(text, "\(field).moment")
        }
        let values: [(any PredicateArgument)?] = [
            argument.text, argument.integer, argument.number, argument.flag, time, argument.texts,
            argument.integers,
        ]
        let given = values.compactMap { $0 }
        guard given.count <= 1 else {
            throw .invalidValue(field: field, reason: "an argument is one value, these are \(given.count)")
        }
        return given.first
    }
}
