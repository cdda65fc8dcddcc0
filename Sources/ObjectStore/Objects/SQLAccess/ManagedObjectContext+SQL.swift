extension ManagedObjectContext {
    /// Returns the rows of a statement in SQL that reads, including unsaved changes.
    ///
    ///     let rows = try context.sql(
    ///         "SELECT genre, count(*) FROM Book WHERE pages > \(limit) GROUP BY genre", as: (Genre, Int).self)
    ///
    /// The values have the types of attributes, and are decoded as attributes of these types are stored. Only SQLite
    /// stores execute SQL.
    ///
    /// - Parameters:
    ///   - statement: One SELECT.
    ///   - types: The type of the rows: that of the only column, or a tuple with one for each column.
    ///   - store: The store to read, or `nil` for the only one that executes SQL.
    /// - Throws: An ``SQLError`` if the statement is not a query, would change the store, or has other columns. Throws a
    ///   ``FetchError`` if the store does not execute SQL.
    public func sql<each Value: AttributeValueConvertible>(
        _ statement: SQLStatement, as types: (repeat each Value).Type, in store: (any PersistentStore)? = nil
    ) throws -> [(repeat each Value)] {
        let (text, values) = try statement.resolved(in: self)
        let place = try placeForSQL(store)
        try beginReading()
        defer { endReading() }
        try deriveAllValues()
        guard let executing = place.store as? any SQLExecuting else { return [] }
        var rows: [(repeat each Value)] = []
        try executing.query(text, with: values) { row in
            var reader = SQLRowReader(row, text)
            let values = (repeat try reader.next((each Value).self))
            try reader.end()
            rows.append(values)
        }
        return rows
    }

    /// Executes an INSERT, UPDATE or DELETE in SQL as a save of its own, and returns the number of changed rows.
    ///
    /// The statement changes saved rows. Unsaved changes of the context stay unsaved. The rules of the model and the
    /// delete rules do not apply. A required attribute without a value, a number out of the range of its type, and a
    /// reference to a missing object are refused; to find them, all tables are read. All contexts read
    /// their objects again before they use them. Observers get a save without objects, because it is not known which of
    /// them have changed.
    ///
    /// - Throws: An ``SQLError`` if the statement is not one of these or is refused, or a ``FetchError`` if the store does
    ///   not execute SQL or records its history, which would lack the change.
    @discardableResult
    public func executeSQL(
        _ statement: SQLStatement, in store: (any PersistentStore)? = nil
    ) throws -> Int {
        let (text, values) = try statement.resolved(in: self, changesRows: true)
        let place = try placeForSQL(store)
        guard !place.store.isReadOnly else { throw StoreError.readOnly("the rows", place.store) }
        guard place.recorder == nil else {
            throw FetchError(
                .unsupported,
                "\(place.name) records its history, which would lack the changes of: \(text); use updateAll, "
                    + "updateEach or deleteAll")
        }
        var count = 0
        try saveDirectly(at: [place]) { place in
            guard let executing = place.store as? any SQLExecuting else { return ChangedIDs() }
            count = try executing.change(text, with: values)
            return ChangedIDs(isOfUnknownObjects: true)
        }
        coordinator.forgetLastIDs()
        coordinator.history.distrustObjects()
        refreshReadable(onlyOutdated: true)
        coordinator.reportToLiveResults(.discarded)
        coordinator.reportToLiveResults(.settled)
        return count
    }

    private func placeForSQL(_ store: (any PersistentStore)?) throws -> AddedStore {
        let places = coordinator.places.filter {
            store == nil ? $0.store is any SQLExecuting : $0.store === store
        }
        guard let place = places.first, place.store is any SQLExecuting else {
            let name = places.first?.name ?? coordinator.places.first?.name ?? "the coordinator"
            throw FetchError(.unsupported, "\(name) does not execute SQL; only SQLite stores do")
        }
        guard places.count == 1 else {
            throw FetchError(.unsupported, "several stores execute SQL; name one of them")
        }
        return place
    }
}

/// The values of a row of a statement, from left to right.
private struct SQLRowReader {
    private let row: any SQLRow
    private let statement: String
    private var position = 0

    init(_ row: any SQLRow, _ statement: String) {
        self.row = row
        self.statement = statement
    }

    mutating func next<Value: AttributeValueConvertible>(_ type: Value.Type) throws -> Value {
        let names = row.columnNames
        guard position < names.count else { throw wrongCount }
        defer { position += 1 }
        if let stored = row.value(at: position, as: Value.attributeTypes),
            let value = Value(attributeValue: stored)
        {
            return value
        }
        throw SQLError(
            in: statement,
            "the column \(position + 1) (\(names[position])) has a value that \(Value.self) cannot hold")
    }

    /// Requires that all columns were read.
    func end() throws {
        guard position == row.columnNames.count else { throw wrongCount }
    }

    private var wrongCount: SQLError {
        SQLError(
            in: statement, "the rows have \(row.columnNames.count) columns, which is not the number of types")
    }
}
