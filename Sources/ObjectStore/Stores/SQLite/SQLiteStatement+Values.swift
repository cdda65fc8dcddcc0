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
        switch type {
        case .string: return text(column).map { .string($0) } ?? .null
        case .integer64: return integerIfAny(column).map { .integer($0) } ?? .null
        case .integer16:
            return integerIfAny(column).flatMap { Int16(exactly: $0) }.map { .integer(Int64($0)) } ?? .null
        case .integer32:
            return integerIfAny(column).flatMap { Int32(exactly: $0) }.map { .integer(Int64($0)) } ?? .null
        case .boolean: return integerIfAny(column).map { .boolean($0 != 0) } ?? .null
        case .double: return realIfAny(column).map { .double($0) } ?? .null
        case .date:
            return realIfAny(column).map { .date(Timestamp(secondsSince1970: $0)) } ?? .null
        case .decimal: return text(column).map { .decimal($0) } ?? .null
        case .uri: return text(column).map { .uri($0) } ?? .null
        case .uuid: return text(column).flatMap { UUIDValue($0) }.map { .uuid($0) } ?? .null
        case .binary: return isNull(column) ? .null : .binary(blob(column))
        }
    }

    /// Returns the values of the current row. Its columns from the second on are those of the entity.
    ///
    /// - Throws: a `StoreError` if a column has a value that the model does not allow. Another program wrote
    ///   such a row.
    func values(of entity: Entity) throws -> RowValues {
        var nulls = ColumnSet.none
        let types = entity.columnTypes
        let row = RowValues.make(count: types.count) { row in
            for position in 0..<types.count {
                let value = value(Int32(truncatingIfNeeded: position &+ 1), types[position])
                if value.isNull { nulls.insert(position) }
                row.append(value)
            }
        }
        if nulls.intersects(entity.columnsToCheck) { try checkNulls(row, of: entity) }
        return row
    }

    private func checkNulls(_ row: RowValues, of entity: Entity) throws {
        for (position, column) in entity.columns.enumerated() where row[position].isNull {
            if column.isOptional && isNull(Int32(position + 1)) { continue }
            let name = "\(ObjectID(entity: entity.name, id: integer(0))).\(column.name)"
            throw StoreError(
                .damaged, "\(name) has a value that the model does not allow; correct it or",
                restoring: "a backup")
        }
    }
}
