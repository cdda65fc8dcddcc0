internal import CivilTime
internal import SQLiteDriver

extension SQLiteStatement {
    /// Binds a value in the form in which its column keeps it.
    ///
    /// Dates are seconds since 1970, UUIDs their text, booleans 0 and 1. Text is brought into the canonical
    /// composed form, in which equal strings are equal bytes.
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

    func bind(_ fragment: SQLFragment) {
        for (position, value) in fragment.bindings.enumerated() {
            bind(value, at: Int32(position + 1))
        }
    }

    /// The value of a column that keeps values of `type`; nil when it holds something else.
    func value(_ column: Int32, _ type: AttributeType) -> AttributeValue? {
        let kind = kind(column)
        if kind == .null { return .null }
        switch type {
        case .string: return text(column).map { .string($0) }
        case .integer16, .integer32, .integer64: return kind == .integer ? .integer(integer(column)) : nil
        case .boolean: return kind == .integer ? .boolean(integer(column) != 0) : nil
        case .double: return .double(real(column))
        case .date: return .date(Timestamp(secondsSince1970: real(column)))
        case .decimal: return text(column).map { .decimal($0) }
        case .uri: return text(column).map { .uri($0) }
        case .uuid: return text(column).flatMap { UUIDValue($0) }.map { .uuid($0) }
        case .binary: return .binary(blob(column))
        }
    }

    /// The values of a row whose columns are those of the entity, from the second on.
    ///
    /// It throws when a column does not hold what the model says: somebody else wrote the row.
    func values(of entity: Entity) throws -> [AttributeValue] {
        var unfit: Int?
        let columns = entity.columns
        let values = [AttributeValue](unsafeUninitializedCapacity: columns.count) { buffer, count in
            for position in 0..<columns.count {
                let value = value(Int32(truncatingIfNeeded: position &+ 1), columns[position].type)
                if value == nil || (value == .null && !columns[position].isOptional) {
                    unfit = unfit ?? position
                }
                buffer.initializeElement(at: position, to: value ?? .null)
            }
            count = columns.count
        }
        if let unfit {
            let name = "\(ObjectID(entity: entity.name, id: integer(0))).\(columns[unfit].name)"
            throw StoreError(
                .damaged, "\(name) holds what the model does not allow; correct it or restore a backup")
        }
        return values
    }
}
