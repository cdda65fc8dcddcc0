extension RowQuery {
    /// The rows of a query, in order.
    public static func rows(
        _ query: StoreQuery, in source: some RowSource, model: ManagedObjectModel
    ) throws -> FetchedRows {
        let columns = try query.checkedColumns(in: model)
        return query.isAggregate
            ? try groups(query, columns, source, model) : try objects(query, columns, source, model)
    }

    // MARK: - A row for each object

    private static func objects(
        _ query: StoreQuery, _ columns: [QueryColumn], _ source: some RowSource, _ model: ManagedObjectModel
    ) throws -> FetchedRows {
        let request = try RowQuery(query.request, model: model)
        // Only rows that differ count against a limit.
        let unlimited = query.isDistinct ? try request.withoutLimit() : request
        var rows = RowCollector(query)
        try unlimited.forEachSubject(in: source) { subject in
            rows.add(try columns.map { try $0.key.map(subject.value) ?? .null })
        }
        return rows.fetched(from: query.isDistinct ? request : nil)
    }

    private func withoutLimit() throws -> RowQuery {
        var request = request
        request.limit = nil
        request.offset = 0
        return try RowQuery(request, model: model)
    }

    // MARK: - A row for each group

    private static func groups<Source: RowSource>(
        _ query: StoreQuery, _ columns: [QueryColumn], _ source: Source, _ model: ManagedObjectModel
    ) throws -> FetchedRows {
        let request = try RowQuery(query.request, model: model)
        let entity = query.request.entity
        let keys = try query.groupedBy.map { try FetchKey($0, of: entity, in: model) }
        // A group has no id to decide between equals; its keys do.
        let terms = query.request.order + query.groupedBy.map { FetchOrder($0) }
        let order = try RowOrder(terms, of: entity, in: model)
        var groups: [RowGroup] = []
        var positions: [[ComparisonKey?]: Int] = [:]
        if keys.isEmpty {
            positions[[]] = 0
            groups.append(RowGroup(columns, order: []))
        }
        try request.forEachMatch(in: source) { subject in
            let group = try keys.map { ComparisonKey(try subject.value(of: $0)) }
            let position = positions[group] ?? groups.count
            if position == groups.count {
                positions[group] = position
                groups.append(RowGroup(columns, order: try order.keys(of: subject)))
            }
            try groups[position].add(subject, columns)
            return true
        }
        if !keys.isEmpty { groups.sort { order.precedes($0.order, $1.order) ?? false } }
        var rows = RowCollector(query)
        for group in groups { rows.add(try group.values(columns)) }
        return rows.fetched(from: request)
    }
}

/// The objects of one group, added up.
private struct RowGroup {
    /// What the order of the groups looks at, taken of the first object.
    let order: [ComparisonKey?]
    private var accumulators: [AggregateAccumulator]
    private var firstValues: [AttributeValue]
    private var count = 0

    init(_ columns: [QueryColumn], order: [ComparisonKey?]) {
        self.order = order
        accumulators = columns.map { _ in AggregateAccumulator(isDistinct: false) }
        firstValues = columns.map { _ in .null }
    }

    mutating func add(_ subject: RowSubject<some RowSource>, _ columns: [QueryColumn]) throws {
        count += 1
        for (position, column) in columns.enumerated() {
            guard let key = column.key else { continue }
            if case .key = column.column {
                if count == 1 { firstValues[position] = try subject.value(of: key) }
            } else {
                accumulators[position].add(try subject.value(of: key))
            }
        }
    }

    func values(_ columns: [QueryColumn]) throws -> [AttributeValue] {
        try columns.enumerated().map { position, column in
            let accumulator = accumulators[position]
            switch column.column {
            case .key: return firstValues[position]
            case .count: return .integer(Int64(count))
            case .min: return accumulator.result(of: .min)
            case .max: return accumulator.result(of: .max)
            case .average: return accumulator.result(of: .avg)
            case .sum:
                // Nothing to add up is nil here, and 0 in a predicate.
                guard accumulator.result(of: .count) != .integer(0) else { return .null }
                let sum = accumulator.result(of: .sum)
                if column.type == .integer64, case .double = sum {
                    throw StoreError(.other, "\(column.column.name) does not fit in 64 bits; add up fewer")
                }
                return sum
            }
        }
    }
}

/// The rows of a result, without those that are there already when they have to differ.
private struct RowCollector {
    private var rows: [[AttributeValue]] = []
    private var seen: Set<[ComparisonKey?]>?
    private let columns: [FetchColumn]

    init(_ query: StoreQuery) {
        columns = query.columns
        seen = query.isDistinct ? [] : nil
    }

    mutating func add(_ row: [AttributeValue]) {
        if seen?.insert(row.map { ComparisonKey($0) }).inserted == false { return }
        rows.append(row)
    }

    /// The rows, cut by the limit and the offset of a request unless that was done before.
    func fetched(from request: RowQuery?) -> FetchedRows {
        var left = rows[...]
        if let request {
            left = left.dropFirst(request.offset)
            if let limit = request.limit { left = left.prefix(limit) }
        }
        var fetched = FetchedRows(columns: columns)
        for row in left { fetched.append { row[$0] } }
        return fetched
    }
}
