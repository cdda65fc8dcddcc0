internal import ObjectStore
internal import PostgreSQLDriver

/// The schema of a store: its tables, its indexes and its metadata.
///
/// One schema has one store, and no other tables. Every connection has the schema as its `search_path`.
struct StoreSchema {
    /// The version of the layout of the tables.
    private static let formatVersion = 1
    /// The first number of the advisory locks of stores, "OBST". The second one is that of the schema.
    static let lockClass = 0x4F42_5354

    private static let identifierKey = "identifier"
    static let hashKey = "versionHash"
    private static let versionsKey = "versionIdentifiers"
    private static let formatKey = "format"

    let connection: PostgreSQLConnection
    /// The name of the schema, without quotes.
    let name: String
    /// The store in messages.
    let place: String

    init(on connection: PostgreSQLConnection, place: StorePlace) {
        self.connection = connection
        name = place.schema
        self.place = place.description(connection)
    }

    // MARK: - Creation

    /// The state of the schema before the store is opened.
    private enum State {
        case missing, empty, store, foreign
    }

    private func state() throws -> State {
        var parameters = PostgreSQLParameters()
        try parameters.append(name)
        let found = try connection.query(
            """
            SELECT (SELECT count(*) FROM pg_catalog.pg_class WHERE relnamespace = s.oid), \
            EXISTS (SELECT FROM pg_catalog.pg_class WHERE relnamespace = s.oid AND relname = '_metadata') \
            FROM pg_catalog.pg_namespace AS s WHERE s.nspname = $1
            """, parameters)
        guard found.count > 0 else { return .missing }
        if found[0].boolean(1) { return .store }
        return found[0].integer(0) == 0 ? .empty : .foreign
    }

    /// Makes the schema the `search_path` of the connection.
    func beginSession() throws(PostgreSQLError) {
        try connection.execute("SET search_path TO \(PostgreSQLName.quoted(name)); SET jit TO off")
    }

    /// Creates the store if there is none.
    ///
    /// Of several programs that do this at once, one creates the store, and the others wait for it.
    ///
    /// - Returns: Whether the store was created.
    func open(_ layout: Layout, _ new: NewStore, isReadOnly: Bool) throws -> Bool {
        if try exists() { return false }
        guard !isReadOnly else { throw StoreError.nothingToRead(place) }
        return try change {
            let state = try state()
            switch state {
            case .missing, .empty:
                if state == .missing {
                    try connection.execute("CREATE SCHEMA \(PostgreSQLName.quoted(name))")
                }
                try make(layout, StoreMetadata(of: layout.model, identifier: new.identifier))
                return true
            case .store: return false
            case .foreign:
                throw StoreError(
                    .foreign, "the schema belongs to another program; choose another schema", path: place)
            }
        }
    }

    /// Whether there is a store.
    func exists() throws -> Bool { try state() == .store }

    /// Runs `body`, which changes tables of the store, in a transaction of its own.
    func change<Result>(_ body: () throws -> Result) throws -> Result {
        try connection.execute("BEGIN")
        do {
            try lockTables()
            let result = try body()
            try connection.execute("COMMIT")
            return result
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }

    /// Keeps other programs from changing the tables of the store, and from saving in it, until the end of the open transaction.
    func lockTables() throws(PostgreSQLError) {
        _ = try connection.query(
            "SELECT pg_catalog.pg_advisory_xact_lock($1::int, pg_catalog.hashtext($2))", lockParameters())
    }

    /// Removes the store after a failure to fill it.
    func remove() throws {
        try connection.execute("DROP SCHEMA \(PostgreSQLName.quoted(name)) CASCADE")
    }

    private func make(_ layout: Layout, _ metadata: StoreMetadata) throws {
        try connection.execute(
            """
            CREATE TABLE "_metadata" ("key" text COLLATE "C" PRIMARY KEY, "value" text COLLATE "C" NOT NULL);
            CREATE FUNCTION "_countVersion"() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN NEW."_version" := OLD."_version" + 1; RETURN NEW; END'
            """)
        try connection.execute(Self.reservation)
        try connection.execute(Commits.definition)
        let tables = SchemaTables(connection: connection, layout: layout)
        try tables.make()
        try tables.finish()
        try write(metadata)
    }

    /// A function that reserves IDs. Sequences are not part of transactions, so no program waits for the end of one, and no ID
    /// is reserved twice after a rollback. The lock is needed because two calls change the sequence.
    private static let reservation = """
        CREATE FUNCTION "_reserveIDs"(name text, wanted bigint, above bigint) RETURNS bigint LANGUAGE plpgsql AS $$
        DECLARE
            ids regclass := format('%I', name)::regclass;
            first bigint;
        BEGIN
            PERFORM pg_advisory_lock(\(lockClass), ids::oid::int);
            BEGIN
                first := greatest(nextval(ids), above + 1);
                PERFORM setval(ids, first + wanted - 1);
            EXCEPTION WHEN OTHERS THEN
                PERFORM pg_advisory_unlock(\(lockClass), ids::oid::int);
                RAISE;
            END;
            PERFORM pg_advisory_unlock(\(lockClass), ids::oid::int);
            RETURN first;
        END $$
        """

    // MARK: - Locks

    /// The end of a lock of the store.
    enum LockEnd {
        case session, transaction
    }

    /// Locks the store for this connection, until it is closed or until the open transaction ends.
    ///
    /// - Parameter isShared: Whether other programs that share the store may have it open, too.
    /// - Throws: A `StoreError` if another program has the store open for writing.
    func lock(isShared: Bool, untilEndOf end: LockEnd = .session) throws {
        // The server may notice the end of a killed program a moment later.
        try connection.execute("SET\(end == .session ? "" : " LOCAL") lock_timeout TO '2s'")
        let lock = "pg_advisory\(end == .session ? "" : "_xact")_lock\(isShared ? "_shared" : "")"
        let statement = """
            SELECT pg_catalog.\(lock)($1::int, (oid::bigint - 2147483648)::int) \
            FROM pg_catalog.pg_namespace WHERE nspname = $2
            """
        let parameters = try lockParameters()
        do {
            _ = try connection.query(statement, parameters)
        } catch {
            guard error.kind == .locked else { throw error }
            throw StoreError(.inUse, "a program has the store open", path: place)
        }
    }

    /// The parameters of statements that lock the schema.
    private func lockParameters() throws(PostgreSQLError) -> PostgreSQLParameters {
        var parameters = PostgreSQLParameters()
        parameters.append(Int64(Self.lockClass))
        try parameters.append(name)
        return parameters
    }

    // MARK: - Notifications

    /// The quoted name of the channel on which programs that share the store report their saves.
    var channel: String {
        get throws { try StoredName.quoted("objectstore \(name)") }
    }

    // MARK: - Indexes

    /// Creates the indexes of the model and drops all others, because indexes are not part of a model version.
    func updateIndexes(of layout: Layout) throws {
        let tables = SchemaTables(connection: connection, layout: layout)
        guard try !tables.indexChanges(inSchema: name).isEmpty else { return }
        // Another program may have made the same changes meanwhile.
        try change {
            for change in try tables.indexChanges(inSchema: name) { try connection.execute(change) }
        }
    }

    // MARK: - Metadata

    func readMetadata() throws -> StoreMetadata {
        let rows = try connection.query("SELECT \"key\", \"value\" FROM \"_metadata\"")
        var entries: [String: String] = [:]
        for row in 0..<rows.count {
            guard let key = rows[row].text(0), let value = rows[row].text(1) else { continue }
            entries[StoredText.decoded(key)] = StoredText.decoded(value)
        }
        guard let format = entries[Self.formatKey].flatMap({ Int($0) }) else {
            throw StoreError(
                .foreign, "the schema belongs to another program; choose another schema", path: place)
        }
        guard format <= Self.formatVersion else {
            throw StoreError(
                .newer, "the store was written by a newer version; install that version again to open it",
                path: place)
        }
        guard let identifier = entries[Self.identifierKey].flatMap({ UUIDValue($0) }),
            let hash = entries[Self.hashKey]
        else {
            throw StoreError(
                .damaged, "the store does not say which model wrote it;", restoring: "a backup", path: place)
        }
        let versions = entries[Self.versionsKey].map { $0.split(separator: "\n").map(String.init) } ?? []
        // The keys of a program's own entries begin with a dot.
        let own = entries.filter { $0.key.hasPrefix(".") }.map { (String($0.key.dropFirst()), $0.value) }
        return StoreMetadata(
            identifier: identifier, versionHash: hash, versionIdentifiers: versions,
            entries: Dictionary(uniqueKeysWithValues: own))
    }

    /// Replaces the metadata in the open transaction.
    func write(_ metadata: StoreMetadata) throws {
        var entries = Dictionary(uniqueKeysWithValues: metadata.entries.map { (".\($0.key)", $0.value) })
        entries[Self.formatKey] = String(Self.formatVersion)
        entries[Self.identifierKey] = metadata.identifier.description
        entries[Self.hashKey] = metadata.versionHash
        entries[Self.versionsKey] = metadata.versionIdentifiers.joined(separator: "\n")
        var (keys, values) = (PostgreSQLArray(of: .text), PostgreSQLArray(of: .text))
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
            try keys.append(StoredText.encoded(key))
            try values.append(StoredText.encoded(value))
        }
        try connection.execute("DELETE FROM \"_metadata\"")
        var parameters = PostgreSQLParameters()
        parameters.append(keys)
        parameters.append(values)
        _ = try connection.query(
            "INSERT INTO \"_metadata\" SELECT * FROM unnest($1::text[], $2::text[])", parameters)
    }
}
