internal import CivilTime
internal import SQLiteDriver

/// A migration of an SQLite store.
///
/// If SQL statements can perform all mapping models, the store is changed in place, in one transaction. If
/// any mapping model needs objects, the whole chain is performed on a new file, which is synced and renamed
/// over the old one.
struct SQLiteMigrationRun: MigrationRun {
    /// The way to perform one mapping model of the chain.
    struct Change {
        /// The statements, or `nil` if objects have to be copied.
        let sql: SQLMigration?
        /// The reason why objects have to be copied, or `nil`.
        let obstacle: SQLMigration.Obstacle?

        init(_ mapping: ResolvedMapping) throws {
            do {
                sql = try SQLMigration(mapping)
                obstacle = nil
            } catch let found as SQLMigration.Obstacle {
                sql = nil
                obstacle = found
            }
        }
    }

    /// The number of rows in one UPDATE. Smaller updates allow progress to be reported.
    private static let rowsPerUpdate: Int64 = 50_000
    /// The maximum number of failures in one error.
    private static let failureLimit = 100

    private let path: String
    private let plan: MigrationPlan
    private let changes: [Change]
    private let meter: MigrationMeter
    let objectCount: Int

    init(path: String, plan: MigrationPlan, meter: MigrationMeter) throws {
        self.path = path
        self.plan = plan
        self.meter = meter
        changes = try plan.steps.map { step in try Change(step) }
        objectCount = try ReadingAccess.connection(to: path) { connection in
            try plan.source.entities.reduce(0) { sum, entity in
                let table = SQLFragment.quoted(entity.name)
                return sum + Int(try connection.integer("SELECT count(*) FROM \(table)") ?? 0)
            }
        }
    }

    private var stepCount: Double { Double(plan.steps.count) }

    var reasonsToCopy: [String?] { changes.map { $0.obstacle?.description } }

    /// Checks the structure of every page. The contents of a page may be damaged even if this succeeds,
    /// because SQLite has no checksums.
    func examine() throws {
        try SQLiteStore.translating(path) {
            meter.notify(.examining, 0, upTo: 1)
            let connection = try SQLiteConnection(path: path, mode: .readOnly)
            connection.observeProgress { meter.tick() }
            let finding = try connection.text("PRAGMA quick_check(1)") ?? "ok"
            guard finding == "ok" else {
                throw StoreError(
                    .damaged, "the database is damaged (\(finding)); stop, keep a copy, and",
                    restoring: "a backup", path: path)
            }
        }
    }

    func migrate(_ files: MigrationFiles) throws {
        try SQLiteStore.translating(path) {
            if changes.allSatisfy({ $0.obstacle == nil }) {
                try changeInPlace()
            } else {
                try rebuild(files)
            }
        }
    }

    // MARK: - In place

    /// Performs all mapping models in one transaction. The store is the old one until COMMIT is on disk.
    private func changeInPlace() throws {
        let connection = try SQLiteSchema.connect(path)
        defer { connection.close() }
        connection.observeProgress { meter.tick() }
        try connection.execute("BEGIN IMMEDIATE")
        // `finish` creates them again.
        if changes.contains(where: { $0.sql?.steps.isEmpty == false }) {
            try SQLiteSchema.dropSearchTables(connection)
        }
        for (position, change) in changes.enumerated() {
            if let sql = change.sql { try self.change(connection, sql, step: position) }
        }
        try finish(connection)
        meter.notify(.committing, 0)
        try connection.execute("COMMIT")
        meter.notify(.committing, 1)
        // The transaction may have made the WAL large. If another connection is reading, a later checkpoint
        // truncates it.
        _ = try? connection.integer("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private func change(_ connection: SQLiteConnection, _ migration: SQLMigration, step position: Int) throws
    {
        for (number, step) in migration.steps.enumerated() {
            let share = 1 / Double(migration.steps.count)
            let begin = (Double(position) + Double(number) * share) / stepCount
            meter.notify(.changing, begin, upTo: begin + share / stepCount)
            switch step {
            case .statement(let sql): try connection.execute(sql)
            case .dropIndexes(let table, let kept): try dropIndexes(connection, of: table, keeping: kept)
            case .update(let table, let assignments):
                try update(connection, table: table, assignments: assignments) { part in
                    let done = begin + part * share / stepCount
                    meter.notify(.changing, done, upTo: begin + share / stepCount)
                }
            }
        }
        for check in migration.checks { try validate(connection, check) }
    }

    private func dropIndexes(
        _ connection: SQLiteConnection, of table: String, keeping kept: Set<String>
    ) throws {
        let listing = try connection.prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL")
        listing.bind(table, at: 1)
        var names: [String] = []
        while try listing.step() { listing.text(0).map { names.append($0) } }
        for name in names where !kept.contains(name) {
            try connection.execute("DROP INDEX \(SQLFragment.quoted(name))")
        }
    }

    /// Runs `UPDATE "Book" SET … WHERE "id" > ? AND "id" <= ?` for one batch of rows at a time.
    private func update(
        _ connection: SQLiteConnection, table: String, assignments: SQLFragment,
        progress: (Double) -> Void
    ) throws {
        let name = SQLFragment.quoted(table)
        let total = max(try connection.integer("SELECT count(*) FROM \(name)") ?? 0, 1)
        let bound = try connection.prepare(
            "SELECT max(\"id\") FROM (SELECT \"id\" FROM \(name) WHERE \"id\" > ? ORDER BY \"id\" LIMIT ?)")
        var last = try connection.integer("SELECT min(\"id\") - 1 FROM \(name)") ?? 0
        var done: Int64 = 0
        while true {
            bound.bind(last, at: 1)
            bound.bind(Self.rowsPerUpdate, at: 2)
            guard try bound.step(), !bound.isNull(0) else { return }
            let next = bound.integer(0)
            bound.reset()
            let sql =
                SQLFragment("UPDATE \(name) ") + assignments
                + SQLFragment(" WHERE \"id\" > ? AND \"id\" <= ?", [.integer(last), .integer(next)])
            let statement = try connection.prepare(sql.text)
            statement.bind(sql.bindings)
            try statement.run()
            last = next
            done += Self.rowsPerUpdate
            progress(min(1, Double(done) / Double(total)))
        }
    }

    // MARK: - Beside

    /// Performs all mapping models on temporary files. The last file replaces the store.
    private func rebuild(_ files: MigrationFiles) throws {
        let path = files.path
        let original = try SQLiteSchema.connect(path)
        defer { original.close() }
        // Other programs cannot write while the objects are copied, but they can read.
        try original.execute("BEGIN IMMEDIATE")
        let state = try original.integer("PRAGMA data_version")
        var current = path
        do {
            for (position, step) in plan.steps.enumerated() {
                let next = files.work(position)
                if let sql = changes[position].sql {
                    if current == path { try SQLiteBackup.copy(path, to: next, isChecked: false) }
                    let file = current == path ? next : current
                    try changeWork(file, sql, step: position)
                    current = file
                } else {
                    try copyObjects(step, from: current, to: next, position)
                    if current != path { try StoreFiles.remove(current) }
                    current = next
                }
            }
            try finishWork(current, original: path)
            try replace(path, original: original, state: state, by: current)
        } catch {
            try? files.removeLeftovers()
            throw error
        }
    }

    private func changeWork(_ file: String, _ migration: SQLMigration, step position: Int) throws {
        let connection = try SQLiteSchema.connectToWork(file, canRollBack: false)
        defer { connection.close() }
        connection.observeProgress { meter.tick() }
        try connection.execute("BEGIN IMMEDIATE")
        try change(connection, migration, step: position)
        try connection.execute("COMMIT")
    }

    private func copyObjects(
        _ step: ResolvedMapping, from: String, to file: String, _ position: Int
    ) throws {
        let source = PersistentStoreCoordinator(model: step.model.source)
        let reader = try SQLiteStore(reading: from, model: step.model.source)
        try source.addStore(reader)
        let destination = PersistentStoreCoordinator(model: step.model.destination)
        let writer = try SQLiteStore(building: file, model: step.model.destination, metadata: reader.metadata)
        try destination.addStore(writer)
        defer {
            destination.close()
            source.close()
        }
        let manager = try MigrationManager(step, from: source, to: destination) { part in
            meter.notify(.copying, (Double(position) + part) / stepCount)
        }
        try manager.migrate()
        for (from, to) in step.survivors { try writer.recordLargestID(reader.largestID(of: from), of: to) }
    }

    private func finishWork(_ file: String, original: String) throws {
        let connection = try SQLiteSchema.connectToWork(file, canRollBack: false)
        connection.observeProgress { meter.tick() }
        try SQLiteSchema.copyHistory(from: original, to: connection)
        try connection.execute("BEGIN IMMEDIATE")
        try finish(connection)
        try connection.execute("COMMIT")
        connection.close()
        try StoreFiles.synchronize(file)
    }

    /// Replaces the store with the new file. The old store leaves WAL mode first, because a remaining `-wal`
    /// file would belong to the wrong database.
    private func replace(
        _ path: String, original: SQLiteConnection, state: Int64?, by file: String
    ) throws {
        try original.execute("ROLLBACK")
        guard try original.text("PRAGMA journal_mode=DELETE") == "delete",
            try original.integer("PRAGMA data_version") == state
        else {
            throw StoreError(
                .locked,
                "another program used the database during the migration; nothing was changed, try again",
                path: path)
        }
        // The journal of that change must be removed from the disk before the new file gets the name of the
        // database.
        try StoreFiles.synchronizeDirectory(of: path)
        meter.notify(.committing, 0)
        try StoreFiles.rename(file, to: path)
        meter.notify(.committing, 1)
    }

    // MARK: - At the end

    /// Does the final work, which is the same for a store changed in place and for a new file.
    private func finish(_ connection: SQLiteConnection) throws {
        guard let model = plan.steps.last?.model.destination else { return }
        meter.notify(.checking, 0, upTo: 0.5)
        let references = try connection.prepare("PRAGMA foreign_key_check")
        if try references.step() {
            throw StoreError(
                .danglingReference,
                "\(references.text(0) ?? "an object") \(references.integer(1)) refers to an object of "
                    + "\(references.text(2) ?? "another entity") that does not exist; nothing was changed, correct it "
                    + "with the program that wrote the store, then try again",
                path: path)
        }
        references.reset()
        var metadata = try SQLiteSchema.readMetadata(connection, path: path)
        metadata.versionHash = model.versionHash
        metadata.versionIdentifiers = model.versionIdentifiers
        try SQLiteSchema.writeMetadata(metadata, connection)
        try SQLiteSchema.recordMigration(connection, to: model)
        meter.notify(.checking, 0.5, upTo: 1)
        try SQLiteSchema.updateIndexes(connection, model: model)
        for entity in model.entities { try requireUniqueness(of: entity, connection) }
        meter.notify(.checking, 1)
    }

    /// Throws if two objects have the same values in properties that are unique together.
    private func requireUniqueness(of entity: Entity, _ connection: SQLiteConnection) throws {
        for rule in entity.constraints {
            let names = rule.columns.map { SQLFragment.quoted(entity.columns[$0].name) }
            let rows = try connection.prepare(
                "SELECT min(\"id\"), max(\"id\") FROM \(SQLFragment.quoted(entity.name)) WHERE "
                    + names.map { $0 + " IS NOT NULL" }.joined(separator: " AND ")
                    + " GROUP BY \(names.joined(separator: ", ")) HAVING count(*) > 1 ORDER BY 1 LIMIT 1")
            guard try rows.step() else { continue }
            let other = ObjectID(entity: entity.name, id: rows.integer(1), store: nil)
            throw ValidationError([
                .init(of: entity, id: rows.integer(0), notUnique: rule.columns, other: other)
            ])
        }
    }

    private func validate(_ connection: SQLiteConnection, _ check: SQLMigration.Check) throws {
        let columns = check.columns.map { check.entity.columns[$0] }
        let names = columns.map { SQLFragment.quoted($0.name) }.joined(separator: ", ")
        let rows = try connection.prepare(
            "SELECT \"id\", \(names) FROM \(SQLFragment.quoted(check.entity.name))")
        var validation = Validation()
        while try rows.step(), validation.failures.count < Self.failureLimit {
            for (position, column) in columns.enumerated() {
                let value = rows.value(Int32(position + 1), column.type)
                validation.check(
                    value, column: check.columns[position], of: check.entity, id: rows.integer(0))
            }
        }
        guard validation.failures.isEmpty else { throw ValidationError(validation.failures) }
    }
}
