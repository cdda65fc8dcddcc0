internal import SQLiteDriver

extension SQLiteStore: SQLExecuting {
    public func query(
        _ text: String, with values: [AttributeValue], _ body: (any SQLRow) throws -> Void
    ) throws {
        let statement = try prepare(text, values, .query)
        guard statement.isReadOnly else {
            throw SQLError(in: text, "the statement would change the store; use executeSQL")
        }
        let row = SQLiteQueryRow(statement)
        defer { statement.reset() }
        while try translating(text, statement.step) { try body(row) }
    }

    public func change(_ text: String, with values: [AttributeValue]) throws -> Int {
        let statement = try prepare(text, values, .change)
        try translating { try setSpilling(transactionDepth == 1) }
        defer { statement.reset() }
        guard !statement.isReadOnly else {
            throw SQLError(in: text, "the statement changes nothing; use sql")
        }
        while try translating(text, statement.step) {}
        let changed = connection.changedRows
        for (index, entity) in model.entities.enumerated() {
            newLargestIDs[index] = try largestID(of: entity)
            try refuseDamage(of: entity, by: text)
        }
        return changed
    }

    /// Throws if a row has a value with which it could not be read as an object.
    private func refuseDamage(of entity: Entity, by text: String) throws {
        let conditions = entity.columns.compactMap { column in
            let name = SQLFragment.quoted(column.name)
            let range: String? =
                switch column.type {
                case .integer16: "\(name) NOT BETWEEN \(Int16.min) AND \(Int16.max)"
                case .integer32: "\(name) NOT BETWEEN \(Int32.min) AND \(Int32.max)"
                default: nil
                }
            let missing = column.isOptional ? nil : "\(name) IS NULL"
            let parts = [missing, range].compactMap(\.self)
            return parts.isEmpty ? nil : parts.joined(separator: " OR ")
        }
        guard !conditions.isEmpty else { return }
        let table = SQLFragment.quoted(entity.name)
        try run(
            SQLFragment("SELECT \"id\" FROM \(table) WHERE \(conditions.joined(separator: " OR ")) LIMIT 1")
        ) {
            throw SQLError(
                in: text, "\(entity.name) \($0.integer(0)) would have a value that the model does not allow")
        }
    }

    /// Prepares the only statement of a text. Other statements, such as COMMIT and PRAGMA, are not even compiled, because
    /// SQLite executes some of them then.
    private func prepare(
        _ text: String, _ values: [AttributeValue], _ use: SQLUse
    ) throws -> SQLiteStatement {
        let scan = SQLScan(text)
        try use.require(scan.keyword(), in: text)
        guard !text.utf8.contains(0) else { throw SQLError(in: text, "a statement has no NUL") }
        let (statement, end) = try translating(text) { try connection.prepareFirst(text) }
        guard scan.isEmpty(from: end) else {
            throw SQLError(in: text, "there is a second statement; execute it by itself", offset: end)
        }
        guard statement.parameterCount == values.count else {
            throw SQLError(in: text, "\(statement.parameterCount) parameters have \(values.count) values")
        }
        statement.bind(values)
        return statement
    }

    /// Runs `body` and translates an error of SQLite about the statement itself.
    private func translating<Result>(_ text: String, _ body: () throws -> Result) throws -> Result {
        try translating {
            do {
                return try body()
            } catch let error as SQLiteError where error.functionError == nil {
                switch error.kind {
                case .other, .constraint:
                    throw SQLError(in: text, error.message, offset: error.offset)
                default: throw error
                }
            }
        }
    }
}

/// A method that executes a statement, and the statements that it executes.
private struct SQLUse {
    static let query = SQLUse(method: "sql", keywords: ["SELECT", "WITH", "VALUES", "EXPLAIN"])
    static let change = SQLUse(
        method: "executeSQL", keywords: ["INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"])

    let method: String
    /// The first words of the statements.
    let keywords: [String]

    /// Throws if the method does not execute statements that begin with a word.
    func require(_ keyword: String, in text: String) throws {
        guard !keywords.contains(keyword) else { return }
        let others = keywords.dropLast().joined(separator: ", ")
        let statement = keyword.isEmpty ? "this text" : keyword
        throw SQLError(
            in: text,
            "\(method) executes \(others) and \(keywords.last ?? ""), but not \(statement)")
    }
}

/// The words of a statement, without comments.
private struct SQLScan {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    /// Returns the first word in upper case.
    func keyword() -> String {
        let start = skip(from: 0)
        let word = bytes[start...].prefix { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 & 0xDF }
        return String(decoding: word, as: UTF8.self).uppercased()
    }

    /// Whether nothing but spaces, comments and semicolons follows a position.
    func isEmpty(from position: Int) -> Bool {
        var position = skip(from: position)
        while position < bytes.count, bytes[position] == UInt8(ascii: ";") {
            position = skip(from: position + 1)
        }
        return position == bytes.count
    }

    private func skip(from start: Int) -> Int {
        var position = start
        while position < bytes.count {
            if [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(bytes[position]) {
                position += 1
            } else if bytes[position...].starts(with: "--".utf8) {
                position = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
            } else if bytes[position...].starts(with: "/*".utf8) {
                position += 2
                while position < bytes.count, !bytes[position...].starts(with: "*/".utf8) { position += 1 }
                position = min(position + 2, bytes.count)
            } else {
                break
            }
        }
        return position
    }
}

/// The current row of a statement that a program has written.
private struct SQLiteQueryRow: SQLRow {
    let columnNames: [String]
    private let statement: SQLiteStatement

    init(_ statement: SQLiteStatement) {
        self.statement = statement
        columnNames = statement.columnNames
    }

    func value(at column: Int, as types: [AttributeType]) -> AttributeValue? {
        let column = Int32(truncatingIfNeeded: column)
        let kind = statement.kind(column)
        if kind == .null { return .null }
        for type in types where type.isStored(as: kind) {
            let value = statement.value(column, type)
            if !value.isNull, type.admits(value) { return value }
        }
        return nil
    }
}

extension AttributeType {
    fileprivate func isStored(as kind: ColumnKind) -> Bool {
        switch self {
        case .string, .decimal, .uuid, .uri: kind == .text
        case .integer16, .integer32, .integer64, .boolean: kind == .integer
        // A computed number may be an integer.
        case .double, .date: kind == .real || kind == .integer
        case .binary: kind == .blob
        }
    }
}
