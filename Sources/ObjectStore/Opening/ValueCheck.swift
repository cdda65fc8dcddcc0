internal import SQLiteDriver

/// A check of the values in a database that another program may have written.
///
/// It reports numbers, texts and IDs that the model does not allow. `SQLiteBackup.problems` reports missing values and
/// infinite dates.
enum ValueCheck {
    static func problems(of path: String, _ model: ManagedObjectModel) throws -> [String] {
        do {
            return try ReadingAccess.connection(to: path) { connection in
                try model.entities.flatMap {
                    try problems(of: $0, model.derivedAttributes[$0.index], connection)
                        + problemsOfLargestID(of: $0, connection)
                }
            }
        } catch let error as SQLiteError {
            throw SQLiteStore.storeError(error, path: path)
        }
    }

    private static func problems(
        of entity: Entity, _ derived: [DerivedAttribute], _ connection: SQLiteConnection
    ) throws(SQLiteError) -> [String] {
        let columns = (["id"] + entity.columns.map(\.name)).map { SQLFragment.quoted($0) }
        let rows = try connection.prepare(
            "SELECT \(columns.joined(separator: ", ")) FROM \(SQLFragment.quoted(entity.name))")
        var problems: [String] = []
        while try rows.step() {
            let id = rows.integer(0)
            var validation = Validation()
            for (position, column) in entity.columns.enumerated() {
                let index = Int32(position + 1)
                guard !rows.isNull(index) else { continue }
                let value = value(index, column.type, of: rows)
                if value.isNull {
                    problems.append(
                        "\(entity.name) \(id): \(column.name) does not fit \(column.type.rawValue)")
                } else if case .date(let date) = value, !date.secondsSince1970.isFinite {
                    continue
                } else {
                    validation.check(value, column: position, of: entity, id: id)
                }
            }
            if !derived.isEmpty {
                let row = RowValues.make(
                    entity.columns.enumerated().map { rows.value(Int32($0 + 1), $1.type) })
                // An expression without a value at all, such as one with a slow pattern, is not compared.
                for derived in derived
                where derived.applies(to: row)
                    && (try? derived.value(id, row)) ?? row[derived.column] != row[derived.column]
                {
                    problems.append(
                        "\(entity.name) \(id): \(entity.columns[derived.column].name) differs from its expression"
                    )
                }
            }
            problems += validation.failures.map {
                "\(entity.name) \(id): \($0.property) is not allowed: \($0.detail)"
            }
        }
        return problems
    }

    /// Returns the value of a column even if it does not fit its type, or `.null` if it cannot be read.
    private static func value(_ index: Int32, _ type: AttributeType, of row: SQLiteStatement)
        -> AttributeValue
    {
        switch type {
        case .integer16, .integer32: .integer(row.integer(index))
        case .boolean: (0...1).contains(row.integer(index)) ? .boolean(row.integer(index) == 1) : .null
        default: row.value(index, type)
        }
    }

    private static func problemsOfLargestID(
        of entity: Entity, _ connection: SQLiteConnection
    ) throws(SQLiteError) -> [String] {
        let recorded = "SELECT \"id\" FROM \"_largestIDs\" WHERE \"entity\" = '\(entity.name)'"
        let used = "SELECT max(\"id\") FROM \(SQLFragment.quoted(entity.name))"
        let largest = try connection.integer("SELECT max(\"id\") FROM (\(recorded) UNION ALL \(used))") ?? 0
        guard largest == .max else { return [] }
        return ["\(entity.name): the largest ID is in use or recorded, so no object can be added"]
    }
}
