public import CivilTime
public import ObjectStore
internal import PostgreSQLDriver

extension PostgreSQLStore: HistoryRecording {
    public func beginHistory() throws {
        guard !recordsHistory else { return }
        guard !isReadOnly else {
            throw StoreError.noHistoryToRead(self)
        }
        try translating {
            try reader.endReading()
            try schema.change {
                if try !historyTables.exist() { try historyTables.make(writer: writerNumber) }
            }
        }
        recordsHistory = true
    }

    // MARK: - Recording

    public func record(_ save: HistoryRecord) throws {
        try translating {
            savesInTransaction += 1
            guard savesInTransaction < 1 << HistoryTables.positionBits else {
                throw StoreError(
                    .misuse, "a transaction has too many saves; divide it into several", path: name)
            }
            var parameters = PostgreSQLParameters()
            parameters.append(Int64(savesInTransaction))
            parameters.append(save.time.secondsSince1970)
            parameters.append(writerNumber)
            try parameters.append(save.author)
            try parameters.append(save.contextName)
            let number = try reader.statements.run(
                "INSERT INTO \"_transactions\" (\"number\", \"time\", \"writer\", \"author\", \"context\") "
                    + "VALUES (\(HistoryTables.current) + $1, $2, $3, $4, $5) RETURNING \"number\"",
                parameters)[0].integer(0)
            lastRecorded = number
            try recordChanges(save.entries, of: number)
        }
    }

    private func recordChanges(_ entries: [HistoryRecord.Entry], of number: Int64) throws {
        guard !entries.isEmpty else { return }
        var (kinds, entities) = (PostgreSQLArray(of: .text), PostgreSQLArray(of: .text))
        var (first, last) = (PostgreSQLArray(of: .integer), PostgreSQLArray(of: .integer))
        var properties = PostgreSQLArray(of: .text)
        for (position, entry) in entries.enumerated() {
            try kinds.append(entry.kind.rawValue)
            try entities.append(StoredText.encoded(entry.entity.name))
            first.append(entry.ids.lowerBound)
            last.append(entry.ids.upperBound)
            try properties.append(StoredText.encoded(entry.properties.joined(separator: ",")))
            try preserve(entry, of: number, position: Int64(position))
        }
        var parameters = PostgreSQLParameters()
        parameters.append(number)
        for array in [kinds, entities, first, last, properties] { parameters.append(array) }
        try reader.statements.run(
            "INSERT INTO \"_changes\" SELECT $1, n.position - 1, n.kind, n.entity, n.first, n.last, n.properties "
                + "FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[]) "
                + "WITH ORDINALITY AS n (kind, entity, first, last, properties, position)", parameters)
    }

    private func preserve(_ entry: HistoryRecord.Entry, of number: Int64, position: Int64) throws {
        for (property, value) in entry.preserved.sorted(by: { $0.key < $1.key }) {
            guard let column = entry.entity.columns.first(where: { $0.name == property }) else { continue }
            var parameters = PostgreSQLParameters()
            parameters.append(number)
            parameters.append(position)
            try parameters.append(StoredText.encoded(property))
            try parameters.append(column.type.rawValue)
            try parameters.append(PreservedValue(value))
            try reader.statements.run(
                "INSERT INTO \"_preserved\" VALUES ($1, $2, $3, $4, $5, $6, $7, $8)", parameters)
        }
    }

    // MARK: - Reading

    public func history(after token: HistoryToken?, limit: Int?) throws -> [HistoryTransaction] {
        try readingHistory {
            if let token { try require(token) }
            return try transactions(after: token?.number ?? 0, limit: limit)
        }
    }

    /// Returns the transactions after a number that a reader can read, in their order.
    private func transactions(after number: Int64, limit: Int? = nil) throws -> [HistoryTransaction] {
        var parameters = PostgreSQLParameters()
        parameters.append(number)
        parameters.append(Int64(limit ?? .max))
        let found = try reader.statements.run(
            "SELECT \(Self.description) FROM \"_transactions\" "
                + "WHERE \"number\" > $1 AND \"number\" < \(HistoryTables.end) ORDER BY \"number\" LIMIT $2",
            parameters)
        return try found.rows.map { transaction($0, try changes(of: $0.integer(0))) }
    }

    private static let description = "\"number\", \"time\", \"writer\", \"author\", \"context\", \"model\""

    private func transaction(_ row: PostgreSQLRow, _ changes: [HistoryChange]) -> HistoryTransaction {
        HistoryTransaction(
            token: HistoryToken(
                store: metadata.identifier, number: row.integer(0), writer: row.integer(2)),
            time: Timestamp(secondsSince1970: row.real(1)), author: row.text(3).map(StoredText.decoded),
            contextName: row.text(4).map(StoredText.decoded), isMigration: !row.isNull(5), changes: changes)
    }

    private func changes(of number: Int64) throws -> [HistoryChange] {
        var parameters = PostgreSQLParameters()
        parameters.append(number)
        let found = try reader.statements.run(
            "SELECT \"position\", \"kind\", \"entity\", \"first\", \"last\", \"properties\" FROM \"_changes\" "
                + "WHERE \"number\" = $1 ORDER BY \"position\"", parameters)
        var changes: [HistoryChange] = []
        for row in found.rows {
            guard let kind = row.text(1).flatMap({ HistoryChange.Kind(rawValue: $0) }),
                let entity = row.text(2).map(StoredText.decoded), row.integer(3) <= row.integer(4)
            else { throw damagedHistory(number) }
            let properties = StoredText.decoded(row.text(5) ?? "").split(separator: ",").map(String.init)
            let preserved = kind == .deleted ? try preservedValues(of: number, position: row.integer(0)) : [:]
            for id in row.integer(3)...row.integer(4) {
                changes.append(
                    HistoryChange(
                        ObjectID(entity: entity, id: id), kind, properties: properties, preserved: preserved))
            }
        }
        return changes
    }

    private func preservedValues(of number: Int64, position: Int64) throws -> [String: AttributeValue] {
        var parameters = PostgreSQLParameters()
        parameters.append(number)
        parameters.append(position)
        let found = try reader.statements.run(
            "SELECT \"property\", \"type\", \"integer\", \"double\", \"text\", \"bytes\" FROM \"_preserved\" "
                + "WHERE \"number\" = $1 AND \"position\" = $2", parameters)
        var values: [String: AttributeValue] = [:]
        for row in found.rows {
            guard let property = row.text(0).map(StoredText.decoded),
                let type = row.text(1).flatMap({ AttributeType(rawValue: $0) })
            else { throw damagedHistory(number) }
            values[property] = PreservedValue(row, from: 2).value(type)
        }
        return values
    }

    private func damagedHistory(_ number: Int64) -> StoreError {
        StoreError(
            .damaged, "the transaction \(number) of the history cannot be read;", restoring: "a backup",
            path: name)
    }

    public func lastHistoryToken() throws -> HistoryToken {
        try readingHistory {
            let last = try reader.statements.run(
                "SELECT \"number\", \"writer\" FROM \"_transactions\" WHERE \"number\" < \(HistoryTables.end) "
                    + "ORDER BY \"number\" DESC LIMIT 1")
            guard last.count > 0 else { throw damagedHistory(0) }
            return HistoryToken(
                store: metadata.identifier, number: last[0].integer(0), writer: last[0].integer(1))
        }
    }

    public func savesOfOthers(
        after number: Int64
    ) throws -> (transactions: [HistoryTransaction], last: Int64)? {
        try readingHistory {
            let state = try reader.statements.run(
                "SELECT \(HistoryTables.end), \"purged\" FROM \"_history\"")
            guard state.count > 0 else { throw damagedHistory(0) }
            guard state[0].integer(1) <= number else { return nil }
            let others = try transactions(after: number).filter { $0.token.writer != writerNumber }
            // All later saves have a number that is not smaller than the end.
            return (others, max(number, state[0].integer(0) - 1))
        }
    }

    public func lastSaveByOthers(of object: ObjectID) throws -> HistoryTransaction? {
        try readingHistory {
            var parameters = PostgreSQLParameters()
            try parameters.append(StoredText.encoded(object.entity))
            parameters.append(object.id)
            let last = try reader.statements.run(
                "SELECT \(Self.description) FROM \"_changes\" JOIN \"_transactions\" USING (\"number\") "
                    + "WHERE \"entity\" = $1 AND $2 BETWEEN \"first\" AND \"last\" ORDER BY \"number\" DESC LIMIT 1",
                parameters)
            guard last.count > 0, last[0].integer(2) != writerNumber else { return nil }
            return transaction(last[0], [])
        }
    }

    /// Throws if the history does not have the transaction of a token.
    private func require(_ token: HistoryToken) throws {
        guard token.store == metadata.identifier else {
            throw StoreError.tokenOfOtherStore(token, self)
        }
        var parameters = PostgreSQLParameters()
        parameters.append(token.number)
        let found = try reader.statements.run(
            "SELECT \"writer\" FROM \"_transactions\" WHERE \"number\" = $1", parameters)
        if found.count > 0, found[0].integer(0) == token.writer { return }
        let purged = try reader.statements.run("SELECT \"purged\" FROM \"_history\"")[0].integer(0)
        throw StoreError.transactionLost(of: token, purgedTo: purged, self)
    }

    /// Runs `body`, which reads one state of the history.
    private func readingHistory<Result>(_ body: () throws -> Result) throws -> Result {
        guard recordsHistory else {
            throw StoreError.noHistory(self)
        }
        return try reading {
            try reader.endReading()
            guard !connection.isInTransaction else { return try body() }
            try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            // Nothing is written, so a failure to end the transaction loses nothing.
            defer { try? connection.execute("ROLLBACK") }
            return try body()
        }
    }

    // MARK: - Purging

    public func purgeHistory(before token: HistoryToken) throws {
        try readingHistory {
            try require(token)
            try purgeHistory(before: token.number)
        }
    }

    public func purgeHistory(before time: Timestamp) throws {
        try readingHistory {
            var parameters = PostgreSQLParameters()
            parameters.append(time.secondsSince1970)
            // The clocks of programs differ, so a later transaction can have an earlier time.
            let last = try reader.statements.run(
                """
                SELECT max("number") FROM "_transactions" WHERE "number" < coalesce( \
                (SELECT min("number") FROM "_transactions" WHERE "number" > 0 AND "time" >= $1), \
                9223372036854775807)
                """, parameters)
            try purgeHistory(before: last[0].integer(0))
        }
    }

    private func purgeHistory(before number: Int64) throws {
        var parameters = PostgreSQLParameters()
        parameters.append(number)
        for table in ["_preserved", "_changes"] {
            try reader.statements.run("DELETE FROM \"\(table)\" WHERE \"number\" < $1", parameters)
        }
        try reader.statements.run(
            "WITH gone AS (DELETE FROM \"_transactions\" WHERE \"number\" < $1 RETURNING \"number\") "
                + "UPDATE \"_history\" SET \"purged\" = greatest(\"purged\", (SELECT max(\"number\") FROM gone))",
            parameters)
    }

    public func discardHistory() throws {
        guard !isShared else {
            throw StoreError(
                .misuse, "programs that share a store need its history; open it alone", path: name)
        }
        try readingHistory { try historyTables.remove() }
        recordsHistory = false
    }
}

extension PostgreSQLStore: SharedStore {
    /// Returns a number that changes when another program may have saved, or `nil` if no other program can.
    ///
    /// The number changes after a notification and once a second, because a program may end between its save and its notification.
    public func externalVersion() throws -> Int64? {
        guard isShared || isReadOnly else { return nil }
        return try reading {
            let now = ContinuousClock.now
            if try connection.takeNotifications() > 0 || now >= nextCheck {
                try requireModel()
                externalChanges += 1
                nextCheck = now + Self.checkInterval
            }
            return externalChanges
        }
    }

    private static let checkInterval = Duration.seconds(1)

    public func reserveIDs(
        of entity: Entity, count: Int64, above number: Int64
    ) throws -> ClosedRange<Int64> {
        // Numbers that are reserved twice are lost, which is harmless.
        try reading {
            var parameters = PostgreSQLParameters()
            try parameters.append(layout.table(of: entity).sequence)
            parameters.append(count)
            parameters.append(number)
            let first = try reader.statements.run("SELECT \"_reserveIDs\"($1, $2, $3)", parameters)[0]
                .integer(0)
            return first...(first + count - 1)
        }
    }
}

/// A value that a deleted object leaves, in one of four columns.
private struct PreservedValue {
    var integer: Int64?
    var double: Double?
    var text: String?
    var bytes: [UInt8]?

    init(_ value: AttributeValue) {
        switch value {
        case .null: break
        case .boolean(let flag): integer = flag ? 1 : 0
        case .integer(let number): integer = number
        case .double(let number): double = number
        case .date(let moment): double = moment.secondsSince1970
        case .string(let text), .decimal(let text), .uri(let text): self.text = StoredText.encoded(text)
        case .binary(let bytes): self.bytes = bytes
        case .uuid(let identifier): text = identifier.description
        }
    }

    init(_ row: PostgreSQLRow, from column: Int) {
        if !row.isNull(column) { integer = row.integer(column) }
        if !row.isNull(column + 1) { double = row.real(column + 1) }
        text = row.text(column + 2)
        if !row.isNull(column + 3) { bytes = row.blob(column + 3) }
    }

    func value(_ type: AttributeType) -> AttributeValue {
        let text = text.map(StoredText.decoded)
        let value: AttributeValue? =
            switch type {
            case .string: text.map { .string($0) }
            case .uri: text.map { .uri($0) }
            case .decimal: text.map { .decimal($0) }
            case .uuid: text.flatMap { UUIDValue($0) }.map { .uuid($0) }
            case .integer16, .integer32, .integer64: integer.map { .integer($0) }
            case .boolean: integer.map { .boolean($0 != 0) }
            case .double: double.map { .double($0) }
            case .date: double.map { .date(Timestamp(secondsSince1970: $0)) }
            case .binary: bytes.map { .binary($0) }
            }
        return value ?? .null
    }
}

extension PostgreSQLParameters {
    fileprivate mutating func append(_ text: String?) throws(PostgreSQLError) {
        if let text { try append(StoredText.encoded(text)) } else { appendNull(.text) }
    }

    fileprivate mutating func append(_ value: PreservedValue) throws(PostgreSQLError) {
        if let number = value.integer { append(number) } else { appendNull(.integer) }
        if let number = value.double { append(number) } else { appendNull(.double) }
        if let text = value.text { try append(text) } else { appendNull(.text) }
        if let bytes = value.bytes { append(bytes) } else { appendNull(.bytes) }
    }
}
