import Glibc
import ObjectStore
import Synchronization

/// A migration of items against the same change written as plain SQL.
struct MigrationBenchmark {
    let directory: String
    let count: Int

    private let silence = Silence()

    /// The longest time between two progress reports of a migration.
    private final class Silence: Sendable {
        private let state = Mutex((last: ContinuousClock.now, longest: Duration.zero))

        var longest: Duration { state.withLock { $0.longest } }

        func begin() { state.withLock { $0 = (.now, .zero) } }

        func end() {
            state.withLock { $0 = (.now, max($0.longest, ContinuousClock.now - $0.last)) }
        }
    }

    private var fullPath: String { directory + "/old.sqlite" }
    private var path: String { directory + "/new.sqlite" }

    func run(_ filter: String, _ report: (String) -> Void) throws {
        let works: [(name: String, work: (String) throws -> Measurement)] = [
            ("migrate \(count) items in place", inPlace),
            ("migrate \(count) items one by one", oneByOne),
        ]
        let wanted = works.filter { filter.isEmpty || $0.name.contains(filter) }
        guard !wanted.isEmpty else { return }
        try fill()
        for (name, work) in wanted {
            let before = residentMegabytes()
            report(try work(name).line)
            report(
                "| longest time without progress | | \(text(ofSeconds: silence.longest / .seconds(1))) | | |")
            report("| memory that stays after it, MB | | \(rounded(residentMegabytes() - before)) | | |")
        }
        report("| keep a backup of it | | \(text(ofSeconds: try seconds { try backUp() })) | | |")
    }

    private static let first = Result {
        try ManagedObjectModel(
            versionIdentifiers: ["1"],
            entities: [
                EntityDescription(
                    "Item",
                    attributes: [
                        .string("name", .required), .date("dueDate"), .boolean("completed", default: false),
                    ],
                    relationships: [.toOne("list", destination: "List", inverse: "items")],
                    indexes: [.index("completed", "dueDate")]),
                EntityDescription(
                    "List", attributes: [.string("name")],
                    relationships: [.toMany("items", destination: "Item", inverse: "list")]),
            ])
    }

    private static let second = Result {
        try ManagedObjectModel(
            versionIdentifiers: ["2"],
            entities: [
                EntityDescription(
                    "Item",
                    attributes: [
                        .string("uid", .required, .unique), .string("name", .required), .date("dueDate"),
                        .boolean("completed", default: false), .integer16("priority", default: 0),
                        .date("createdDate", .required), .string("notes"),
                    ],
                    relationships: [.toOne("list", destination: "List", inverse: "items")],
                    indexes: [.index("completed", "dueDate")]),
                EntityDescription(
                    "List", attributes: [.string("name")],
                    relationships: [.toMany("items", destination: "Item", inverse: "list")]),
            ])
    }

    private func fill() throws {
        let coordinator = PersistentStoreCoordinator(model: try Self.first.get())
        try coordinator.addStore(.sqlite(path: fullPath))
        coordinator.close()
        let database = RawDatabase(fullPath)
        database.execute(
            """
            INSERT INTO List SELECT value, 'List ' || value FROM (WITH RECURSIVE n(value) AS
                (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 100) SELECT value FROM n);
            INSERT INTO Item (id, name, dueDate, completed, list) SELECT value, 'Something to be done, number ' || value,
                1.7e9 + value * 60, value % 3 = 0, 1 + value % 100 FROM (WITH RECURSIVE n(value) AS
                (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT \(count)) SELECT value FROM n);
            PRAGMA wal_checkpoint(TRUNCATE)
            """)
    }

    private func copyStore() {
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        system("cp '\(fullPath)' '\(path)' && sync '\(path)'")
    }

    private func backUp() throws {
        unlink(path)
        try SQLiteBackup.copy(fullPath, to: path)
    }

    /// Examines every object, as the policy for `MutePrefix=` does.
    private final class PlainPolicy: EntityMigrationPolicy {
        override var createsRelationships: Bool { false }
    }

    private func migrate(copying: Bool) throws {
        let (first, second) = (try Self.first.get(), try Self.second.get())
        var mapping = try MappingModel.inferred(
            from: first, to: second,
            given: ["Item": [.newUUID("uid"), .migrationDate("createdDate")]])
        if copying { mapping["Item"]?.policy = { PlainPolicy() } }
        let coordinator = PersistentStoreCoordinator(model: second)
        silence.begin()
        try coordinator.addStore(
            .sqlite(path: path),
            migrating: StoreMigration(
                versions: [first, second], mappings: [mapping], backups: .init(count: 0),
                progress: { [silence] _ in silence.end() }))
        silence.end()
        coordinator.close()
    }

    private static let newUUID =
        "hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-' || hex(randomblob(2)) || '-' || "
        + "hex(randomblob(2)) || '-' || hex(randomblob(6))"

    private static let indexes =
        "CREATE INDEX byUID ON Item (uid); CREATE INDEX byDue ON Item (completed, dueDate); "
        + "CREATE INDEX byList ON Item (list);"

    private func inPlace(_ name: String) throws -> Measurement {
        try measure(name) {
            let database = RawDatabase(path)
            database.execute(
                """
                BEGIN IMMEDIATE;
                ALTER TABLE Item ADD COLUMN uid TEXT; ALTER TABLE Item ADD COLUMN createdDate REAL;
                ALTER TABLE Item ADD COLUMN notes TEXT; ALTER TABLE Item ADD COLUMN priority INTEGER DEFAULT 0;
                UPDATE Item SET uid = \(Self.newUUID), createdDate = 1.7e9;
                CREATE INDEX byUID ON Item (uid);
                COMMIT; PRAGMA wal_checkpoint(TRUNCATE)
                """)
        } ours: {
            try migrate(copying: false)
        }
    }

    private func oneByOne(_ name: String) throws -> Measurement {
        try measure(name) {
            let database = RawDatabase(path)
            database.execute(
                """
                BEGIN IMMEDIATE;
                DROP INDEX "Item completed,dueDate"; DROP INDEX "Item list";
                ALTER TABLE Item RENAME TO Old;
                CREATE TABLE Item (id INTEGER PRIMARY KEY, uid TEXT, name TEXT, dueDate REAL, completed INTEGER,
                    priority INTEGER, createdDate REAL, notes TEXT, list INTEGER REFERENCES List (id)) STRICT;
                INSERT INTO Item SELECT id, \(Self.newUUID), name, dueDate, completed, 0, 1.7e9, NULL, list FROM Old;
                DROP TABLE Old; \(Self.indexes)
                COMMIT; PRAGMA wal_checkpoint(TRUNCATE)
                """)
        } ours: {
            try migrate(copying: true)
        }
    }

    /// Measures both in turns, each on a fresh copy of the store. Making the copy is not measured.
    private func measure(
        _ name: String, raw: () throws -> Void, ours: () throws -> Void
    ) rethrows -> Measurement {
        var times: (raw: [Double], ours: [Double]) = ([], [])
        for _ in 0..<3 {
            copyStore()
            times.raw.append(try seconds(raw))
            copyStore()
            times.ours.append(try seconds(ours))
        }
        return Measurement(name: name, raw: times.raw, ours: times.ours, limit: 2)
    }
}
