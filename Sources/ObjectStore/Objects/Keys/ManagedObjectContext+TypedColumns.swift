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

    /// Returns rows of two typed columns, which may be aggregates of all objects or of each group.
    ///
    ///     try context.rows(
    ///         Book.all.ordered(byColumn: .count, ascending: false), of: .key(\.genre), .average(\.pages),
    ///         groupedBy: [\.genre], having: { $0.count > 3 })
    ///
    /// `having` is a condition for the groups.
    @inlinable
    public func rows<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: TypedColumn<Object, First>,
        _ second: TypedColumn<Object, Second>,
        groupedBy groups: [PartialKeyPath<Object>] = [],
        having condition: (GroupKeys<Object>) throws -> FetchPredicate = { _ in .all },
        distinct: Bool = false
    ) throws -> [(First, Second)] {
        var rows: [(First, Second)] = []
        try forEachRow(
            request, of: [first.column, second.column], groupedBy: groups,
            having: condition, distinct: distinct
        ) { row in
            rows.append(
                (
                    try first.value(in: row, at: 0),
                    try second.value(in: row, at: 1)
                ))
        }
        return rows
    }

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
        var rows: [(First, Second, Third)] = []
        try forEachRow(
            request, of: [first.column, second.column, third.column], groupedBy: groups,
            having: condition, distinct: distinct
        ) { row in
            rows.append(
                (
                    try first.value(in: row, at: 0),
                    try second.value(in: row, at: 1),
                    try third.value(in: row, at: 2)
                ))
        }
        return rows
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
        var rows: [(First, Second, Third, Fourth)] = []
        try forEachRow(
            request, of: [first.column, second.column, third.column, fourth.column], groupedBy: groups,
            having: condition, distinct: distinct
        ) { row in
            rows.append(
                (
                    try first.value(in: row, at: 0),
                    try second.value(in: row, at: 1),
                    try third.value(in: row, at: 2),
                    try fourth.value(in: row, at: 3)
                ))
        }
        return rows
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
        var rows: [(First, Second, Third, Fourth, Fifth)] = []
        try forEachRow(
            request, of: [first.column, second.column, third.column, fourth.column, fifth.column],
            groupedBy: groups,
            having: condition, distinct: distinct
        ) { row in
            rows.append(
                (
                    try first.value(in: row, at: 0),
                    try second.value(in: row, at: 1),
                    try third.value(in: row, at: 2),
                    try fourth.value(in: row, at: 3),
                    try fifth.value(in: row, at: 4)
                ))
        }
        return rows
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
        var rows: [(First, Second, Third, Fourth, Fifth, Sixth)] = []
        try forEachRow(
            request,
            of: [first.column, second.column, third.column, fourth.column, fifth.column, sixth.column],
            groupedBy: groups,
            having: condition, distinct: distinct
        ) { row in
            rows.append(
                (
                    try first.value(in: row, at: 0),
                    try second.value(in: row, at: 1),
                    try third.value(in: row, at: 2),
                    try fourth.value(in: row, at: 3),
                    try fifth.value(in: row, at: 4),
                    try sixth.value(in: row, at: 5)
                ))
        }
        return rows
    }

    /// Returns rows of seven or more typed columns, which may be aggregates of all objects or of each group.
    ///
    /// It takes longer for each row than the methods for up to six columns.
    public func rows<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible,
        Third: AttributeValueConvertible,
        Fourth: AttributeValueConvertible,
        Fifth: AttributeValueConvertible,
        Sixth: AttributeValueConvertible,
        Seventh: AttributeValueConvertible,
        each Rest: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: TypedColumn<Object, First>,
        _ second: TypedColumn<Object, Second>,
        _ third: TypedColumn<Object, Third>,
        _ fourth: TypedColumn<Object, Fourth>,
        _ fifth: TypedColumn<Object, Fifth>,
        _ sixth: TypedColumn<Object, Sixth>,
        _ seventh: TypedColumn<Object, Seventh>,
        _ rest: repeat TypedColumn<Object, each Rest>,
        groupedBy groups: [PartialKeyPath<Object>] = [],
        having condition: (GroupKeys<Object>) throws -> FetchPredicate = { _ in .all },
        distinct: Bool = false
    ) throws -> [(First, Second, Third, Fourth, Fifth, Sixth, Seventh, repeat each Rest)] {
        var columns = [
            first.column, second.column, third.column, fourth.column, fifth.column, sixth.column,
            seventh.column,
        ]
        for column in repeat each rest { columns.append(column.column) }
        var rows: [(First, Second, Third, Fourth, Fifth, Sixth, Seventh, repeat each Rest)] = []
        try forEachRow(
            request, of: columns, groupedBy: groups, having: condition, distinct: distinct
        ) { row in
            var position = 6
            rows.append(
                (
                    try first.value(in: row, at: 0),
                    try second.value(in: row, at: 1),
                    try third.value(in: row, at: 2),
                    try fourth.value(in: row, at: 3),
                    try fifth.value(in: row, at: 4),
                    try sixth.value(in: row, at: 5),
                    try seventh.value(in: row, at: 6),
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
