extension ManagedObjectContext {
    /// Returns the values of one property of the objects that match a request, without creating the objects.
    ///
    ///     let titles = try context.rows(Book.where { $0.pages > 3 }, of: \.title)
    @inlinable
    public func rows<
        Object: ManagedObject,
        First: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: KeyPath<Object, First>,
        distinct: Bool = false
    ) throws -> [First] {
        try rows(
            request, of: .key(first), distinct: distinct)
    }

    /// Returns the values of two properties of the objects that match a request, without creating the objects.
    ///
    ///     for (title, name) in try context.rows(Book.all, of: \.title, \.publisher?.name) { … }
    @inlinable
    public func rows<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: KeyPath<Object, First>,
        _ second: KeyPath<Object, Second>,
        distinct: Bool = false
    ) throws -> [(First, Second)] {
        try rows(
            request, of: .key(first), .key(second), distinct: distinct)
    }

    /// Returns the values of three properties of the objects that match a request, without creating the objects.
    @inlinable
    public func rows<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible,
        Third: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: KeyPath<Object, First>,
        _ second: KeyPath<Object, Second>,
        _ third: KeyPath<Object, Third>,
        distinct: Bool = false
    ) throws -> [(First, Second, Third)] {
        try rows(
            request, of: .key(first), .key(second), .key(third), distinct: distinct)
    }

    /// Returns the values of four properties of the objects that match a request, without creating the objects.
    @inlinable
    public func rows<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible,
        Third: AttributeValueConvertible,
        Fourth: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: KeyPath<Object, First>,
        _ second: KeyPath<Object, Second>,
        _ third: KeyPath<Object, Third>,
        _ fourth: KeyPath<Object, Fourth>,
        distinct: Bool = false
    ) throws -> [(First, Second, Third, Fourth)] {
        try rows(
            request, of: .key(first), .key(second), .key(third), .key(fourth), distinct: distinct)
    }

    /// Returns the values of five properties of the objects that match a request, without creating the objects.
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
        of first: KeyPath<Object, First>,
        _ second: KeyPath<Object, Second>,
        _ third: KeyPath<Object, Third>,
        _ fourth: KeyPath<Object, Fourth>,
        _ fifth: KeyPath<Object, Fifth>,
        distinct: Bool = false
    ) throws -> [(First, Second, Third, Fourth, Fifth)] {
        try rows(
            request, of: .key(first), .key(second), .key(third), .key(fourth), .key(fifth), distinct: distinct
        )
    }

    /// Returns the values of six properties of the objects that match a request, without creating the objects.
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
        of first: KeyPath<Object, First>,
        _ second: KeyPath<Object, Second>,
        _ third: KeyPath<Object, Third>,
        _ fourth: KeyPath<Object, Fourth>,
        _ fifth: KeyPath<Object, Fifth>,
        _ sixth: KeyPath<Object, Sixth>,
        distinct: Bool = false
    ) throws -> [(First, Second, Third, Fourth, Fifth, Sixth)] {
        try rows(
            request, of: .key(first), .key(second), .key(third), .key(fourth), .key(fifth), .key(sixth),
            distinct: distinct)
    }
}

// Columns that may be aggregates.
extension ManagedObjectContext {
    /// Returns rows of one typed column, which may be aggregates of all objects or of each group.
    @inlinable
    public func rows<
        Object: ManagedObject,
        First: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: TypedColumn<Object, First>,
        groupedBy groups: [PartialKeyPath<Object>] = [], distinct: Bool = false
    ) throws -> [First] {
        var rows: [First] = []
        try forEachRow(
            request, of: [first.column], groupedBy: groups, distinct: distinct
        ) { row in
            rows.append(try first.value(in: row, at: 0))
        }
        return rows
    }

    /// Returns rows of two typed columns, which may be aggregates of all objects or of each group.
    ///
    ///     try context.rows(
    ///         Book.all, of: .key(\.publisher?.name), .average(\.pages), groupedBy: [\.publisher?.name])
    @inlinable
    public func rows<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: TypedColumn<Object, First>,
        _ second: TypedColumn<Object, Second>,
        groupedBy groups: [PartialKeyPath<Object>] = [], distinct: Bool = false
    ) throws -> [(First, Second)] {
        var rows: [(First, Second)] = []
        try forEachRow(
            request, of: [first.column, second.column], groupedBy: groups, distinct: distinct
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
        groupedBy groups: [PartialKeyPath<Object>] = [], distinct: Bool = false
    ) throws -> [(First, Second, Third)] {
        var rows: [(First, Second, Third)] = []
        try forEachRow(
            request, of: [first.column, second.column, third.column], groupedBy: groups, distinct: distinct
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
        groupedBy groups: [PartialKeyPath<Object>] = [], distinct: Bool = false
    ) throws -> [(First, Second, Third, Fourth)] {
        var rows: [(First, Second, Third, Fourth)] = []
        try forEachRow(
            request, of: [first.column, second.column, third.column, fourth.column], groupedBy: groups,
            distinct: distinct
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
        groupedBy groups: [PartialKeyPath<Object>] = [], distinct: Bool = false
    ) throws -> [(First, Second, Third, Fourth, Fifth)] {
        var rows: [(First, Second, Third, Fourth, Fifth)] = []
        try forEachRow(
            request, of: [first.column, second.column, third.column, fourth.column, fifth.column],
            groupedBy: groups, distinct: distinct
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
        groupedBy groups: [PartialKeyPath<Object>] = [], distinct: Bool = false
    ) throws -> [(First, Second, Third, Fourth, Fifth, Sixth)] {
        var rows: [(First, Second, Third, Fourth, Fifth, Sixth)] = []
        try forEachRow(
            request,
            of: [first.column, second.column, third.column, fourth.column, fifth.column, sixth.column],
            groupedBy: groups, distinct: distinct
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

    @usableFromInline
    func forEachRow<Object: ManagedObject>(
        _ request: FetchRequest<Object>, of columns: [FetchColumn],
        groupedBy groups: [PartialKeyPath<Object>],
        distinct: Bool, _ body: (any StoreRow) throws -> Void
    ) throws {
        if groups.isEmpty, !distinct { return try forEachRow(request, of: columns, body) }
        let names = groups.map { KnownKeys.key(of: $0, of: Object.self).text }
        for row in try rows(request, of: columns, groupedBy: names, distinct: distinct) { try body(row) }
    }
}
