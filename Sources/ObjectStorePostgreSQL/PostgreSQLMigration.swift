internal import ObjectStore
internal import PostgreSQLDriver

/// A migration of a store in one transaction.
///
/// The objects are copied to tables with other names, which get the names of the old tables at the end. So other programs read
/// the old tables until then. Afterwards, those that have the old model refuse to write.
final class PostgreSQLMigration: MigrationTransaction {
    private let storePlace: StorePlace
    private let isShared: Bool
    private let waitingTime: Double
    private let connection: PostgreSQLConnection
    private let schema: StoreSchema
    let place: String
    /// The store before the migration.
    private var old: PostgreSQLStore?
    /// The stores that were made, one for each step.
    private var made: [PostgreSQLStore] = []

    /// Connects to the server of a store.
    init(_ configuration: StoreConfiguration) throws {
        storePlace = StorePlace(path: try configuration.requirePath())
        isShared = configuration.isShared
        waitingTime = configuration.lockTimeout ?? PostgreSQLStore.defaultWaitingTime
        connection = try PostgreSQLStore.connect(storePlace)
        place = storePlace.description(connection)
        schema = StoreSchema(on: connection, place: storePlace)
        try PostgreSQLStore.translating(place) { try schema.beginSession() }
    }

    func metadata() throws -> StoreMetadata? {
        try PostgreSQLStore.translating(place) { try schema.exists() ? try schema.readMetadata() : nil }
    }

    // MARK: - The transaction

    func begin() throws {
        try PostgreSQLStore.translating(place) {
            try connection.execute("BEGIN")
            try schema.lockTables()
            // A program that has the store alone does not wait for the tables.
            try schema.lock(isShared: isShared, untilEndOf: .transaction)
            try connection.execute("SET LOCAL lock_timeout TO \(Int(waitingTime * 1000))")
        }
    }

    func oldStore(_ model: ManagedObjectModel) throws -> any PersistentStore {
        try PostgreSQLStore.translating(place) {
            let layout = try Layout(model)
            if connection.isInTransaction {
                // Programs without this library, such as psql.
                try lock(layout, "EXCLUSIVE")
            }
            let store = try PostgreSQLStore(
                on: connection, storePlace, layout, schema.readMetadata(), isInMigration: true)
            old = store
            return store
        }
    }

    private func lock(_ layout: Layout, _ mode: String) throws(PostgreSQLError) {
        let tables = layout.names.map(\.table).joined(separator: ", ")
        try connection.execute("LOCK TABLE \(tables) IN \(mode) MODE")
    }

    func makeStore(_ model: ManagedObjectModel) throws -> any MigratedStore {
        try PostgreSQLStore.translating(place) {
            let layout = try Layout(model, prefix: "_new\(made.count) ")
            try SchemaTables(connection: connection, layout: layout).make()
            var metadata = try schema.readMetadata()
            metadata.versionHash = model.versionHash
            metadata.versionIdentifiers = model.versionIdentifiers
            let store = try PostgreSQLStore(on: connection, storePlace, layout, metadata, isInMigration: true)
            made.append(store)
            return store
        }
    }

    func finish() throws {
        guard let old, let new = made.last else { return }
        try PostgreSQLStore.translating(place) {
            // A table cannot be dropped while a cursor reads it.
            try connection.execute("CLOSE ALL")
            for store in made.dropLast() {
                try SchemaTables(connection: connection, layout: store.layout).drop()
            }
            try replace(old.layout, by: new.layout)
            let tables = SchemaTables(connection: connection, layout: try Layout(new.model))
            try requireUniqueness(tables.layout)
            do throws(PostgreSQLError) {
                try tables.finish()
            } catch {
                guard error.kind == .reference else { throw error }
                throw danglingReference(error, try SchemaReferences(tables.layout))
            }
            try schema.write(new.metadata)
            if try HistoryTables(connection: connection).exist() {
                try HistoryTables(connection: connection).recordMigration(to: new.model)
            }
        }
    }

    private func replace(_ old: Layout, by new: Layout) throws(PostgreSQLError) {
        // Readers lock this table first, so none of them waits here for another one.
        try connection.execute("LOCK TABLE \"_metadata\" IN ACCESS EXCLUSIVE MODE")
        try lock(old, "ACCESS EXCLUSIVE")
        let tables = SchemaTables(connection: connection, layout: old)
        try tables.drop()
        try tables.dropSequences()
        try SchemaTables(connection: connection, layout: new).rename(to: Layout(new.model))
    }

    func commit() throws {
        try PostgreSQLStore.translating(place) {
            try connection.execute("COMMIT")
            // Programs that have the store open notice the migration.
            try? connection.execute("NOTIFY \(schema.channel)")
        }
    }

    func close() {
        connection.close()
    }

    // MARK: - Checks

    /// Throws if two objects have the same values in properties that are unique.
    private func requireUniqueness(_ layout: Layout) throws {
        for table in layout.tables {
            for unique in try UniqueConstraint.all(of: table) {
                let columns = unique.columns.joined(separator: ", ")
                let isThere = unique.columns.map { $0 + " IS NOT NULL" }.joined(separator: " AND ")
                let found = try connection.query(
                    "SELECT min(\"id\"), max(\"id\") FROM \(table.name) WHERE \(isThere) "
                        + "GROUP BY \(columns) HAVING count(*) > 1 ORDER BY 1 LIMIT 1")
                guard found.count > 0 else { continue }
                let other = ObjectID(entity: table.entity.name, id: found[0].integer(1))
                throw ValidationError([
                    .init(
                        of: table.entity, id: found[0].integer(0), notUnique: unique.rule.columns,
                        other: other)
                ])
            }
        }
    }

    private func danglingReference(_ error: PostgreSQLError, _ references: SchemaReferences) -> StoreError {
        let constraint = error.constraint ?? ""
        let owner = (try? references.reference(ofConstraint: constraint))??.owner.description ?? constraint
        return StoreError(
            .danglingReference,
            "\(owner) refers to an object that does not exist; nothing was changed, correct it with the program "
                + "that wrote the store, then try again", path: place, cause: error)
    }
}

extension PostgreSQLStore: MigratedStore {}
