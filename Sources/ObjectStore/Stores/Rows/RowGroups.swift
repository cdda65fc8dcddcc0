/// The groups of an aggregate query: objects are added to them, and each group becomes a row of the result.
struct RowGroups {
    /// The keys that are read of each object: those of the groups, then those of the columns.
    let keys: [FetchKey]

    private let query: StoreQuery
    private let columns: [QueryColumn]
    private let order: RowOrder
    private let entity: Entity
    /// The condition for the groups, or `nil` if there is none.
    private let having: CompiledPredicate?
    private var groups: [RowGroup] = []
    private var positions: [[ComparisonKey?]: Int] = [:]

    init(_ query: StoreQuery, in model: ManagedObjectModel) throws {
        self.query = query
        let shape = try QueryGroups(query, in: model)
        columns = shape.columns
        entity = shape.entity
        order = try RowOrder(shape.order, of: entity, in: shape.model)
        having =
            query.having.root == .constant(true)
            ? nil : CompiledPredicate(try shape.having.resolved(against: entity, in: shape.model))
        var keys: [FetchKey] = []
        for key in query.groupedBy { keys.append(try FetchKey(key, of: query.request.entity, in: model)) }
        self.keys = keys + columns.compactMap(\.key)
        if query.groupedBy.isEmpty {
            positions[[]] = 0
            groups.append(RowGroup(columns))
        }
    }

    /// Adds an object. `value` returns the object's value for the key at a position in `keys`.
    mutating func add(_ value: (Int) throws -> AttributeValue) rethrows {
        let groupCount = query.groupedBy.count
        let group = try (0..<groupCount).map { ComparisonKey(try value($0)) }
        let position = positions[group] ?? groups.count
        if position == groups.count {
            positions[group] = position
            groups.append(RowGroup(columns))
        }
        try groups[position].add(columns) { try value(groupCount + $0) }
    }

    func rows() throws -> FetchedRows {
        var sorted: [(keys: [ComparisonKey?], values: [AttributeValue])] = []
        for group in groups {
            let values = try group.values(columns)
            if let having, try !having.matches(GroupSubject(entity: entity, values: values)) { continue }
            let keys = order.keys { $0.column.map { values[$0] } ?? .null }
            sorted.append((keys, values))
        }
        if !query.groupedBy.isEmpty { sorted.sort { order.precedes($0.keys, $1.keys) ?? false } }
        var rows = RowCollector(query)
        for group in sorted { rows.add(Array(group.values.prefix(query.columns.count))) }
        return rows.fetched(cutBy: query.request)
    }
}

/// The values of a group, to which the condition for groups applies.
private struct GroupSubject: PredicateSubject {
    let entity: Entity
    let values: [AttributeValue]

    var predicateEntity: Entity? { entity }
    var predicateIdentity: Int64 { 0 }

    func predicateValue(at column: Int) -> AttributeValue { values[column] }
    func predicateTarget(at column: Int) throws -> (any PredicateSubject)? { nil }
    func predicateMembers(at position: Int) throws -> [any PredicateSubject] { [] }
}

/// The aggregate values of one group.
private struct RowGroup {
    private var accumulators: [AggregateAccumulator]
    private var firstValues: [AttributeValue]
    private var count = 0

    init(_ columns: [QueryColumn]) {
        accumulators = columns.map { _ in AggregateAccumulator(isDistinct: false) }
        firstValues = columns.map { _ in .null }
    }

    /// Adds an object.
    ///
    /// - Parameter value: returns the object's value for a column, given its position among the columns that
    ///   have a key.
    mutating func add(_ columns: [QueryColumn], _ value: (Int) throws -> AttributeValue) rethrows {
        count += 1
        var next = 0
        for (position, column) in columns.enumerated() where column.key != nil {
            if case .key = column.column {
                if count == 1 { firstValues[position] = try value(next) }
            } else {
                accumulators[position].add(try value(next))
            }
            next += 1
        }
    }

    func values(_ columns: [QueryColumn]) throws -> [AttributeValue] {
        try columns.enumerated().map { position, column in
            let accumulator = accumulators[position]
            switch column.column {
            case .key, .values: return firstValues[position]
            case .count: return .integer(Int64(count))
            case .min: return accumulator.result(of: .min)
            case .max: return accumulator.result(of: .max)
            case .average: return accumulator.result(of: .avg)
            case .sum:
                // A sum of no values is null here, but 0 in a predicate.
                guard accumulator.result(of: .count) != .integer(0) else { return .null }
                let sum = accumulator.result(of: .sum)
                if column.type == .integer64, case .double = sum {
                    throw StoreError(
                        .other, "\(column.column.name) does not fit in 64 bits; add up fewer values")
                }
                return sum
            }
        }
    }
}

/// The rows of a result, without duplicates if the query is distinct.
struct RowCollector {
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

    /// Returns the rows after applying the offset and the limit of a request, or all rows if it is `nil`.
    func fetched(cutBy request: StoreRequest?) -> FetchedRows {
        var left = rows[...]
        if let request {
            left = left.dropFirst(request.rowOffset)
            if let limit = request.rowLimit { left = left.prefix(limit) }
        }
        var fetched = FetchedRows(columns: columns)
        for row in left { fetched.append { row[$0] } }
        return fetched
    }
}
