internal import Platform
internal import SQLiteDriver

/// The tables, the indexes and the header of a store in an SQLite database.
///
///     CREATE TABLE "Book" ("id" INTEGER PRIMARY KEY, "title" TEXT, "publisher" INTEGER
///         REFERENCES "Publisher" ("id") DEFERRABLE INITIALLY DEFERRED) STRICT
///     CREATE TABLE "Author_books" ("owner" INTEGER NOT NULL REFERENCES …, "other" …) STRICT, WITHOUT ROWID
enum SQLiteSchema {
    /// The application ID in the header of every store, "OBST".
    static let applicationID: Int64 = 0x4F42_5354
    /// The version of the layout of a store without a history.
    static let plainVersion: Int64 = 1
    /// The version of the layout of a store with a history. An older library, which would save without recording, does
    /// not open such a store.
    static let historyVersion: Int64 = 2

    /// The time to wait for another writer, such as the `sqlite3` shell, in milliseconds.
    static let busyTimeout: Int32 = 5000

    // MARK: - Before SQLite touches the file

    /// Throws if the first bytes of the file show that it is not a store of this library.
    ///
    /// A missing or empty file is accepted, unless the log or the journal of another database is beside it.
    static func examine(_ path: String) throws(StoreError) {
        // SQLite would lose its locks if the file were opened and closed here.
        guard !LockFile.isSharedHere(path) else { return }
        let header = try StoreFiles.beginning(of: path, count: 100) ?? []
        try requireFiles(beside: path)
        guard !header.isEmpty else { return try refuseRemains(path) }
        // Until the journal is rolled back, the header may be half changed.
        guard !FileSystem.exists(FileSystem.target(path) + "-journal") else { return }
        guard header.count == 100, header.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw StoreError(.notADatabase, "the file is not a database; choose another path", path: path)
        }
        try check(applicationID: integer(header, at: 68), formatVersion: integer(header, at: 60), path: path)
    }

    /// Throws if a directory or a device has the name of a file that SQLite uses beside the database.
    private static func requireFiles(beside path: String) throws(StoreError) {
        for suffix in ["-wal", "-shm", "-journal"] {
            let companion = FileSystem.target(path) + suffix
            do throws(StoreError) {
                _ = try FileStamp(of: companion)
            } catch {
                throw StoreError(
                    .unreachable, "\(companion) is not a file that SQLite can use; move it away", path: path)
            }
        }
    }

    /// Throws if the log or the journal of another database is at the path of a new one. SQLite would use it
    /// for the new database.
    private static func refuseRemains(_ path: String) throws(StoreError) {
        for (suffix, name) in [("-wal", "log"), ("-journal", "journal")] {
            let remains = FileSystem.target(path) + suffix
            guard let stamp = try FileStamp(of: remains), !stamp.isEmpty else { continue }
            throw StoreError(
                .unreachable,
                "the file is missing, but its \(name) exists; put the file back, or remove \(remains) to begin with an empty store",
                path: path)
        }
    }

    /// Throws if an open database is not a store of this library. Its journal may have changed the header.
    static func check(_ connection: SQLiteConnection, path: String) throws {
        try check(
            applicationID: connection.integer("PRAGMA application_id") ?? 0,
            formatVersion: connection.integer("PRAGMA user_version") ?? 0, path: path)
    }

    private static func integer(_ header: [UInt8], at offset: Int) -> Int64 {
        header[offset..<offset + 4].reduce(0) { $0 << 8 | Int64($1) }
    }

    private static func check(applicationID: Int64, formatVersion: Int64, path: String) throws(StoreError) {
        guard applicationID == Self.applicationID else {
            throw StoreError(
                .foreign, "the database belongs to another program; choose another path", path: path)
        }
        guard formatVersion <= Self.historyVersion else {
            throw StoreError(
                .newer, "the store was written by a newer version; install that version again to open it",
                path: path)
        }
    }

    // MARK: - Opening

    /// Configures the connection, checks that the database is a store of the model, and updates the indexes.
    ///
    /// - Returns: the metadata of the store.
    static func prepare(
        _ connection: SQLiteConnection, model: ManagedObjectModel, path: String
    ) throws -> StoreMetadata {
        connection.setBusyTimeout(milliseconds: busyTimeout)
        try SQLFunctions.define(on: connection)
        // The triggers of search indexes write to tables of FTS5, which only a trusted schema may use. Another program may
        // have declared the index. No function of this library can be called by a schema, trusted or not. With recursive
        // triggers, REPLACE removes the words of the replaced object.
        try connection.execute(
            "PRAGMA foreign_keys=ON; PRAGMA trusted_schema=ON; PRAGMA recursive_triggers=ON; PRAGMA temp_store=MEMORY"
        )
        try check(connection, path: path)
        let metadata = try readMetadata(connection, path: path)
        try metadata.require(model, path: path)
        try connection.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL")
        try updateIndexes(connection, model: model)
        return metadata
    }

    /// Creates the tables in one transaction, before WAL is turned on. This way, the header identifies the
    /// file as a store from the first moment.
    static func make(
        _ connection: SQLiteConnection, model: ManagedObjectModel, _ metadata: StoreMetadata
    ) throws {
        try connection.execute("BEGIN EXCLUSIVE")
        try connection.execute("PRAGMA application_id=\(applicationID); PRAGMA user_version=\(plainVersion)")
        try connection.execute(
            "CREATE TABLE \"_metadata\" (\"key\" TEXT PRIMARY KEY, \"value\" TEXT NOT NULL) STRICT, WITHOUT ROWID;"
                + "CREATE TABLE \"_largestIDs\" (\"entity\" TEXT PRIMARY KEY, \"id\" INTEGER NOT NULL) STRICT, WITHOUT ROWID"
        )
        for entity in model.entities {
            try connection.execute(table(of: entity, model))
        }
        for link in model.links {
            try connection.execute(table(of: link, model))
        }
        try writeMetadata(metadata, connection)
        try connection.execute("COMMIT")
    }

    // MARK: - Tables

    static func table(of entity: Entity, _ model: ManagedObjectModel) -> String {
        var columns = ["\"id\" INTEGER PRIMARY KEY"]
        columns += entity.columns.map { column($0, model) }
        return "CREATE TABLE \(SQLFragment.quoted(entity.name)) (\(columns.joined(separator: ", "))) STRICT"
    }

    static func column(_ column: Entity.Column, _ model: ManagedObjectModel) -> String {
        let text = "\(SQLFragment.quoted(column.name)) \(storageClass(of: column.type))"
        guard case .toOne(let relationship) = column.content else { return text }
        return text + " " + reference(to: model.destination(of: relationship).name)
    }

    static func table(of link: ManagedObjectModel.LinkTable, _ model: ManagedObjectModel) -> String {
        let owner = reference(to: model.entities[link.ownerIndex].name)
        let other = reference(to: model.entities[link.otherIndex].name)
        return "CREATE TABLE \(SQLFragment.quoted(link.name)) (\"owner\" INTEGER NOT NULL \(owner), "
            + "\"other\" INTEGER NOT NULL \(other), PRIMARY KEY (\"owner\", \"other\")) STRICT, WITHOUT ROWID"
    }

    private static func reference(to entity: String) -> String {
        "REFERENCES \(SQLFragment.quoted(entity)) (\"id\") DEFERRABLE INITIALLY DEFERRED"
    }

    static func storageClass(of type: AttributeType) -> String {
        switch type {
        case .integer16, .integer32, .integer64, .boolean: "INTEGER"
        case .double, .date: "REAL"
        case .string, .decimal, .uuid, .uri: "TEXT"
        case .binary: "BLOB"
        }
    }

    // MARK: - Indexes

    /// Creates the indexes of the model and drops all others, in the open transaction if there is one.
    ///
    /// Indexes are not part of a model version, so they may change from one start to the next.
    static func updateIndexes(_ connection: SQLiteConnection, model: ManagedObjectModel) throws {
        var wanted: [String: String] = [:]
        for entity in model.entities {
            for index in try SQLiteIndex.all(of: entity, in: model) { wanted[index.name] = index.sql }
        }
        for link in model.links {
            let name = "\(link.name) other"
            wanted[name] =
                "CREATE INDEX \(SQLFragment.quoted(name)) ON \(SQLFragment.quoted(link.name)) (\"other\", \"owner\")"
        }
        let listing = try connection.prepare(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
        var dropped: [String] = []
        while try listing.step() {
            guard let name = listing.text(0), let sql = listing.text(1) else { continue }
            if wanted[name] == sql { wanted[name] = nil } else { dropped.append(name) }
        }
        let searchTables = try searchTableChanges(connection, model: model)
        guard !wanted.isEmpty || !dropped.isEmpty || !searchTables.isEmpty else { return }
        let isAlone = !connection.isInTransaction
        if isAlone { try connection.execute("BEGIN IMMEDIATE") }
        for name in dropped { try connection.execute("DROP INDEX \(SQLFragment.quoted(name))") }
        for (_, sql) in wanted.sorted(by: { $0.key < $1.key }) { try connection.execute(sql) }
        try searchTables.perform(connection)
        if isAlone { try connection.execute("COMMIT") }
    }
}
