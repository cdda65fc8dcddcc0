// Rows of typed columns, which may be aggregates.
extension ManagedObjectContext {
    /// Returns rows of one typed column, which may be aggregates of all objects or of each group.
    @inlinable
    public func rows<
        Object: ManagedObject,
        First: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: TypedColumn<Object, First>,
        groupedBy groups: [PartialKeyPath<Object>] = [],
        having condition: (GroupKeys<Object>) throws -> FetchPredicate = { _ in .all },
        distinct: Bool = false
    ) throws -> [First] {
        var rows: [First] = []
        try forEachRow(
            request, of: [first.column], groupedBy: groups,
            having: condition, distinct: distinct
        ) { row in
            rows.append(try first.value(in: row, at: 0))
        }
        return rows
    }

    /// Returns rows of several typed columns, which may be aggregates of all objects or of each group.
    ///
    ///     try context.rows(
    ///         Book.all.ordered(byColumn: .count, ascending: false), of: .key(\.genre), .average(\.pages),
    ///         groupedBy: [\.genre], having: { $0.count > 3 })
    ///
    /// `having` is a condition for the groups.
    // Inlinable, so that the compiler makes a version for the types of the caller. Otherwise a row takes twice as long.
    @inlinable
    public func rows<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible,
        each Rest: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: TypedColumn<Object, First>,
        _ second: TypedColumn<Object, Second>,
        _ rest: repeat TypedColumn<Object, each Rest>,
        groupedBy groups: [PartialKeyPath<Object>] = [],
        having condition: (GroupKeys<Object>) throws -> FetchPredicate = { _ in .all },
        distinct: Bool = false
    ) throws -> [(First, Second, repeat each Rest)] {
        try packedRows(
            request, of: first, second, repeat each rest, groupedBy: groups,
            having: condition, distinct: distinct)
    }

    // In a pack, the compiler of Swift 6.3.1 cannot infer the type of a column such as `.max(\.publisher?.rank)`. So three
    // to six columns have methods of their own.

    /// Returns rows of three typed columns, which may be aggregates of all objects or of each group.
    @inlinable
    public func rows<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible,
        Third: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: TypedColumn<Object, First>,
        _ second: TypedColumn<Object, Second>,
        _ third: TypedColumn<Object, Third>,
        groupedBy groups: [PartialKeyPath<Object>] = [],
        having condition: (GroupKeys<Object>) throws -> FetchPredicate = { _ in .all },
        distinct: Bool = false
    ) throws -> [(First, Second, Third)] {
        try packedRows(
            request, of: first, second, third, groupedBy: groups,
            having: condition, distinct: distinct)
    }

    /// Returns rows of four typed columns, which may be aggregates of all objects or of each group.
    @inlinable
    public func rows<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible,
        Third: AttributeValueConvertible,
        Fourth: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: TypedColumn<Object, First>,
        _ second: TypedColumn<Object, Second>,
        _ third: TypedColumn<Object, Third>,
        _ fourth: TypedColumn<Object, Fourth>,
        groupedBy groups: [PartialKeyPath<Object>] = [],
        having condition: (GroupKeys<Object>) throws -> FetchPredicate = { _ in .all },
        distinct: Bool = false
    ) throws -> [(First, Second, Third, Fourth)] {
        try packedRows(
            request, of: first, second, third, fourth, groupedBy: groups,
            having: condition, distinct: distinct)
    }

    /// Returns rows of five typed columns, which may be aggregates of all objects or of each group.
    @inlinable
    public func rows<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible,
        Third: AttributeValueConvertible,
        Fourth: AttributeValueConvertible,
        Fifth: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: TypedColumn<Object, First>,
        _ second: TypedColumn<Object, Second>,
        _ third: TypedColumn<Object, Third>,
        _ fourth: TypedColumn<Object, Fourth>,
        _ fifth: TypedColumn<Object, Fifth>,
        groupedBy groups: [PartialKeyPath<Object>] = [],
        having condition: (GroupKeys<Object>) throws -> FetchPredicate = { _ in .all },
        distinct: Bool = false
    ) throws -> [(First, Second, Third, Fourth, Fifth)] {
        try packedRows(
            request, of: first, second, third, fourth, fifth, groupedBy: groups,
            having: condition, distinct: distinct)
    }

    /// Returns rows of six typed columns, which may be aggregates of all objects or of each group.
    @inlinable
    public func rows<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible,
        Third: AttributeValueConvertible,
        Fourth: AttributeValueConvertible,
        Fifth: AttributeValueConvertible,
        Sixth: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: TypedColumn<Object, First>,
        _ second: TypedColumn<Object, Second>,
        _ third: TypedColumn<Object, Third>,
        _ fourth: TypedColumn<Object, Fourth>,
        _ fifth: TypedColumn<Object, Fifth>,
        _ sixth: TypedColumn<Object, Sixth>,
        groupedBy groups: [PartialKeyPath<Object>] = [],
        having condition: (GroupKeys<Object>) throws -> FetchPredicate = { _ in .all },
        distinct: Bool = false
    ) throws -> [(First, Second, Third, Fourth, Fifth, Sixth)] {
        try packedRows(
            request, of: first, second, third, fourth, fifth, sixth, groupedBy: groups,
            having: condition, distinct: distinct)
    }

    @inlinable
    func packedRows<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible,
        each Rest: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: TypedColumn<Object, First>,
        _ second: TypedColumn<Object, Second>,
        _ rest: repeat TypedColumn<Object, each Rest>,
        groupedBy groups: [PartialKeyPath<Object>],
        having condition: (GroupKeys<Object>) throws -> FetchPredicate,
        distinct: Bool
    ) throws -> [(First, Second, repeat each Rest)] {
        var columns = [first.column, second.column]
        for column in repeat each rest { columns.append(column.column) }
        var rows: [(First, Second, repeat each Rest)] = []
        try forEachRow(
            request, of: columns, groupedBy: groups, having: condition, distinct: distinct
        ) { row in
            var position = 1
            rows.append(
                (
                    try first.value(in: row, at: 0),
                    try second.value(in: row, at: 1),
                    repeat try (each rest).next(in: row, after: &position)
                ))
        }
        return rows
    }

    @usableFromInline
    func forEachRow<Object: ManagedObject>(
        _ request: FetchRequest<Object>, of columns: [FetchColumn],
        groupedBy groups: [PartialKeyPath<Object>],
        having condition: (GroupKeys<Object>) throws -> FetchPredicate, distinct: Bool,
        _ body: (any StoreRow) throws -> Void
    ) throws {
        let having = try condition(GroupKeys())
        if groups.isEmpty, !distinct, having == .all { return try forEachRow(request, of: columns, body) }
        let names = groups.map { KnownKeys.key(of: $0, of: Object.self).text }
        for row in try rows(request, of: columns, groupedBy: names, having: having, distinct: distinct) {
            try body(row)
        }
    }
}
