internal import ObjectStore
internal import PostgreSQLDriver

/// The parameters of a statement that is being translated.
struct StatementBindings {
    private(set) var parameters = PostgreSQLParameters()
    /// The values before their conversion, for explanations.
    private(set) var values: [AttributeValue] = []

    /// Binds a value, and returns its parameter in SQL, such as `$1`, or `nil` if the column cannot store such a value.
    mutating func bind(_ value: AttributeValue, as type: PostgreSQLType) throws -> String? {
        guard let stored = ColumnValue(value, type) else { return nil }
        if case .null = stored { return nil }
        do {
            try parameters.append(stored, type)
        } catch {
            // A number with more digits than the server has.
            guard error.kind == .invalidValue else { throw error }
            return nil
        }
        values.append(value)
        return "$\(parameters.count)"
    }

    /// Binds a list, and returns its parameter, or `nil` if the column cannot store one of the values.
    mutating func bind(list: [AttributeValue], as type: PostgreSQLType) throws -> String? {
        var array = PostgreSQLArray(of: type)
        for value in list {
            guard let stored = ColumnValue(value, type) else { return nil }
            do {
                try array.append(stored)
            } catch {
                guard error.kind == .invalidValue else { throw error }
                return nil
            }
        }
        parameters.append(array)
        values += list
        return "$\(parameters.count)"
    }
}
