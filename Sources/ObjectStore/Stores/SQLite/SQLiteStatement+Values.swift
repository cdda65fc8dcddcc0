internal import CivilTime
internal import SQLiteDriver

extension SQLiteStatement {
    /// Binds a value in the form in which its column stores it.
    ///
    /// Dates are seconds since 1970, UUIDs are text, Booleans are 0 and 1. Text is in Unicode normalization
    /// form NFC, in which equal strings have equal bytes.
    func bind(_ value: AttributeValue, at index: Int32) {
        switch value {
        case .null: bindNull(index)
        case .boolean(let value): bind(value ? 1 : 0 as Int64, at: index)
        case .integer(let value): bind(value, at: index)
        case .double(let value): bind(value, at: index)
        case .date(let value): bind(value.secondsSince1970, at: index)
        case .string(let text), .uri(let text): bind(text.normalized, at: index)
        case .decimal(let text): bind(text, at: index)
        case .binary(let bytes): bind(bytes, at: index)
        case .uuid(let value): bind(value.description, at: index)
        }
    }

    /// Binds the values to the parameters in order, beginning with the first one.
    func bind(_ values: [AttributeValue]) {
        for (position, value) in values.enumerated() {
            bind(value, at: Int32(position + 1))
        }
    }

    /// Returns the value of a column that stores values of `type`, or `.null` if there is none or it cannot be read.
    func value(_ column: Int32, _ type: AttributeType) -> AttributeValue {
        var value = AttributeValue.null
        decode(column, type) { value = $0 }
        return value
    }

    /// Calls `use` with the value of a column that stores values of `type`, unless there is none or it cannot be read.
    ///
    /// It is inlined for each row, with a call of `use` for each type: a result would have to be examined again.
    ///
    /// - Returns: whether `use` was called.
    @inline(__always)
    @discardableResult
    private func decode(
        _ column: Int32, _ type: AttributeType, _ use: (consuming AttributeValue) -> Void
    ) -> Bool {
        switch type {
        case .string:
            guard let text = text(column) else { return false }
            use(.string(text))
        case .integer64:
            guard let number = integerIfAny(column) else { return false }
            use(.integer(number))
        case .integer16:
            guard let number = integerIfAny(column), let number = Int16(exactly: number) else { return false }
            use(.integer(Int64(number)))
        case .integer32:
            guard let number = integerIfAny(column), let number = Int32(exactly: number) else { return false }
            use(.integer(Int64(number)))
        case .boolean:
            guard let number = integerIfAny(column) else { return false }
            use(.boolean(number != 0))
        case .double:
            guard let number = realIfAny(column) else { return false }
            use(.double(number))
        case .date:
            guard let number = realIfAny(column) else { return false }
            use(.date(Timestamp(secondsSince1970: number)))
        case .decimal, .uri, .uuid, .binary:
            let value = decodeOthers(column, type)
            if value.isNull { return false }
            use(value)
        }
        return true
    }

    private func decodeOthers(_ column: Int32, _ type: AttributeType) -> AttributeValue {
        switch type {
        case .decimal: text(column).map { .decimal($0) } ?? .null
        case .uri: text(column).map { .uri($0) } ?? .null
        case .uuid: text(column).flatMap { UUIDValue($0) }.map { .uuid($0) } ?? .null
        case .binary: isNull(column) ? .null : .binary(blob(column))
        // Unreachable: `decode` has decoded them.
        case .string, .integer16, .integer32, .integer64, .boolean, .double, .date: .null
        }
    }

    /// Returns the values of the current row. Its columns from the second on are those of the entity.
    ///
    /// - Throws: a `StoreError` if a column has a value that the model does not allow. Another program wrote
    ///   such a row.
    func values(of entity: Entity) throws -> RowValues {
        var nulls = ColumnSet.none
        let types = entity.columnTypes
        let row = RowValues.make(count: types.count) {
            nulls = appendValues(of: types, from: 1, to: &$0)
        }
        if nulls.intersects(entity.columnsToCheck) { try checkNulls(row, of: entity) }
        return row
    }

    /// Appends the values of the columns from `first` on to a row, and returns the positions of the values that are nil.
    @discardableResult
    @inline(__always)
    func appendValues(
        of types: [AttributeType], from first: Int, to row: inout OutputSpan<AttributeValue>
    ) -> ColumnSet {
        var nulls = ColumnSet.none
        for position in types.indices {
            let column = Int32(truncatingIfNeeded: position &+ first)
            if decode(column, types[position], { row.append($0) }) { continue }
            row.append(.null)
            nulls.insert(position)
        }
        return nulls
    }

    /// Throws if a column of a row without a value should have one, or has one that cannot be read.
    func checkNulls(_ row: RowValues, of entity: Entity) throws {
        for (position, column) in entity.columns.enumerated() where row[position].isNull {
            if column.isOptional && isNull(Int32(position + 1)) { continue }
            let name = "\(ObjectID(entity: entity.name, id: integer(0))).\(column.name)"
            throw StoreError(
                .damaged, "\(name) has a value that the model does not allow; correct it or",
                restoring: "a backup")
        }
    }
}
