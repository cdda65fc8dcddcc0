import Foundation
import ObjectStore
import Synchronization
import Testing

/// A store that cannot be migrated is not changed, and the error names the remedy.
@Suite struct MigrationSafetyTests {
    private static func model(
        _ version: String, _ attributes: [AttributeDescription]
    ) throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: [version],
            entities: [EntityDescription("Item", attributes: [.string("name", .required)] + attributes)])
    }

    private static func versions() throws -> [ManagedObjectModel] {
        [
            try model("1", []), try model("2", [.string("note")]),
            try model("3", [.string("note", .required, default: "none"), .integer16("rank")]),
        ]
    }

    private static func fill(
        _ store: TemporaryStore, _ model: ManagedObjectModel, _ names: [String] = ["a", "b", "c"]
    ) throws {
        let context = try store.context(model)
        for name in names {
            let item = try context.insert(entity: "Item")
            try item.setValue(.string(name), of: "name")
        }
        try context.save()
        context.coordinator.close()
    }

    @discardableResult
    private static func migrate(
        _ store: TemporaryStore, to model: ManagedObjectModel, _ migration: StoreMigration
    ) throws -> MigrationReport? {
        let coordinator = PersistentStoreCoordinator(model: model)
        defer { coordinator.close() }
        return try coordinator.addStore(.sqlite(path: store.path), migrating: migration)
    }

    private static func bytes(_ store: TemporaryStore) throws -> Data {
        try Data(contentsOf: URL(filePath: store.path))
    }

    // MARK: - Steps

    @Test func migrationFollowsChainsAndDirectMappings() throws {
        let versions = try Self.versions()
        let chained = TemporaryStore()
        try Self.fill(chained, versions[0])
        let report = try Self.migrate(chained, to: versions[2], StoreMigration(versions: versions))
        #expect(report?.steps.map(\.source) == [["1"], ["2"]])
        #expect(report?.steps.map(\.destination) == [["2"], ["3"]])
        #expect(
            try chained.rows("SELECT name, note, rank FROM Item") == [
                "a|none|NULL", "b|none|NULL", "c|none|NULL",
            ])

        let direct = TemporaryStore()
        try Self.fill(direct, versions[0])
        let mapping = try MappingModel.inferred(
            from: versions[0], to: versions[2], given: ["Item": [.constant("rank", .integer(7))]])
        let oneStep = try Self.migrate(
            direct, to: versions[2], StoreMigration(versions: versions, mappings: [mapping]))
        #expect(oneStep?.steps.count == 1)
        #expect(try direct.rows("SELECT name, note, rank FROM Item LIMIT 1") == ["a|none|7"])
    }

    @Test func migrationOfCurrentStoreWritesNothing() throws {
        let versions = try Self.versions()
        let store = TemporaryStore()
        #expect(try Self.migrate(store, to: versions[2], StoreMigration(versions: versions)) == nil)
        #expect(try Self.migrate(store, to: versions[2], StoreMigration(versions: versions)) == nil)
        #expect(try store.files().filter { $0.hasSuffix(".backup") } == [])
    }

    @Test func forecastWritesNothing() throws {
        let versions = try Self.versions()
        let store = TemporaryStore()
        try Self.fill(store, versions[0])
        let before = try Self.bytes(store)
        let forecast = try PersistentStoreCoordinator(model: versions[2])
            .forecast(.sqlite(path: store.path), migrating: StoreMigration(versions: versions))
        #expect(forecast?.objectCount == 3)
        #expect(forecast?.steps.count == 2)
        #expect(try Self.bytes(store) == before)
    }

    @Test func migrationWithoutInferenceRequiresMapping() throws {
        let versions = try Self.versions()
        let store = TemporaryStore()
        try Self.fill(store, versions[0])
        let before = try Self.bytes(store)
        let error = #expect(throws: StoreError.self) {
            try Self.migrate(
                store, to: versions[2], StoreMigration(versions: versions, infersMappings: false))
        }
        #expect(error?.message.contains("model 1, this is model 3, and no mapping model leads") == true)
        #expect(try Self.bytes(store) == before)
    }

    // MARK: - Refusals

    @Test func newerStoresAreRefused() throws {
        let versions = try Self.versions()
        let known = TemporaryStore()
        try Self.fill(known, versions[2])
        let unknown = TemporaryStore()
        try Self.fill(unknown, Self.model("4", [.date("when")]))
        for store in [known, unknown] {
            let before = try Self.bytes(store)
            let error = #expect(throws: StoreError.self) {
                try Self.migrate(
                    store, to: versions[1],
                    StoreMigration(versions: versions.dropLast(store === known ? 0 : 1)))
            }
            #expect(error?.code == .newer)
            #expect(try Self.bytes(store) == before)
            #expect(try store.files().filter { $0.hasSuffix(".backup") } == [])
        }
    }

    @Test func unknownModelIsRefused() throws {
        let versions = try Self.versions()
        let store = TemporaryStore()
        try Self.fill(store, Self.model("1", [.date("other")]))
        let before = try Self.bytes(store)
        let error = #expect(throws: StoreError.self) {
            try Self.migrate(store, to: versions[2], StoreMigration(versions: versions))
        }
        #expect(error?.code == .modelMismatch)
        #expect(error?.message.contains("that this program does not know") == true)
        #expect(try Self.bytes(store) == before)
    }

    @Test(arguments: [false, true]) func rowRefusedByNewModelIsNamed(copying: Bool) throws {
        let first = try Self.model("1", [.string("note")])
        let second = try ManagedObjectModel(
            versionIdentifiers: ["2"],
            entities: [
                EntityDescription(
                    "Item",
                    attributes: [.string("name", .required, .length(1...3)), .string("note", .required)])
            ])
        let store = TemporaryStore()
        try Self.fill(store, first, ["fits", "abc"])
        let before = try Self.bytes(store)
        var mapping = try MappingModel.inferred(from: first, to: second, given: ["Item": [.copy("note")]])
        if copying { mapping["Item"]?.policy = { EntityMigrationPolicy() } }
        let error = #expect(throws: ValidationError.self) {
            try Self.migrate(
                store, to: second, StoreMigration(versions: [first, second], mappings: [mapping]))
        }
        #expect(
            error?.failures.map { "\($0.entity) \($0.id ?? 0) \($0.property) \($0.rule)" }.sorted()
                == ["Item 1 name length", "Item 1 note required", "Item 2 note required"])
        #expect(try Self.bytes(store) == before)
        #expect(try store.files().filter { $0.contains("migrating") } == [])
    }

    @Test(arguments: [false, true]) func danglingReferenceIsNamed(copying: Bool) throws {
        let (first, second) = (try Versions.first(), try Versions.second())
        let store = TemporaryStore()
        try Versions.fill(store)
        try store.execute("PRAGMA foreign_keys=OFF; UPDATE Note SET folder = 99 WHERE id = 7")
        var mapping = try MappingModel.inferred(from: first, to: second)
        mapping["Page"]?[property: "folders"] = nil
        mapping["Folder"]?[property: "pages"] = .objects("pages", from: "notes")
        let before = try store.contents()
        if copying {
            // Objects that are made again only refer to objects that were made, so no reference dangles.
            mapping["Tag"]?.policy = { EntityMigrationPolicy() }
            try Self.migrate(
                store, to: second, StoreMigration(versions: [first, second], mappings: [mapping]))
            #expect(try store.rows("PRAGMA foreign_key_check") == [])
        } else {
            let error = #expect(throws: StoreError.self) {
                try Self.migrate(
                    store, to: second, StoreMigration(versions: [first, second], mappings: [mapping]))
            }
            #expect(error?.code == .danglingReference)
            #expect(try store.contents() == before)
        }
    }

    @Test func concurrentMigrationsAreRefused() throws {
        let versions = try Self.versions()
        let store = TemporaryStore()
        try Self.fill(store, versions[0])
        let path = store.path
        let codes = Mutex<[StoreError.Code?]>.Reference([])
        let migration = StoreMigration(versions: versions) { progress in
            guard progress.activity == .changing else { return }
            do {
                try PersistentStoreCoordinator(model: versions[2]).addStore(
                    .sqlite(path: path), migrating: StoreMigration(versions: versions))
            } catch {
                codes.value.withLock { $0.append((error as? StoreError)?.code) }
            }
        }
        try Self.migrate(store, to: versions[2], migration)
        let found = codes.value.withLock { $0 }
        #expect(!found.isEmpty)
        #expect(found.allSatisfy { $0 == .inUse })
    }

    // MARK: - Progress

    /// Counts the progress reports. Each of these activities is one statement or a few, so many reports show
    /// that no statement runs long without one.
    @Test(arguments: [false, true]) func longStatementsReportProgress(copying: Bool) throws {
        let first = try Self.model("1", [.string("code")])
        let second = try ManagedObjectModel(
            versionIdentifiers: ["2"],
            entities: [
                EntityDescription(
                    "Item", attributes: [.string("name", .required), .string("code"), .string("note")],
                    indexes: [.index("code")])
            ])
        let store = TemporaryStore()
        try Self.fill(store, first)
        try store.execute(
            """
            INSERT INTO Item (id, name, code) SELECT value, 'Item ' || value, hex(randomblob(8)) FROM
                (WITH RECURSIVE n(value) AS (SELECT 4 UNION ALL SELECT value + 1 FROM n LIMIT 60000) SELECT value FROM n)
            """)
        var mapping = try MappingModel.inferred(
            from: first, to: second, given: ["Item": [.computed("note", try .init(format: "name"))]])
        if copying { mapping["Item"]?.policy = { EntityMigrationPolicy() } }
        let reports = Mutex<[MigrationProgress]>.Reference([])
        let migration = StoreMigration(versions: [first, second], mappings: [mapping]) { progress in
            reports.value.withLock { $0.append(progress) }
        }
        try Self.migrate(store, to: second, migration)
        let sent = reports.value.withLock { $0 }
        #expect(sent.map(\.fraction) == sent.map(\.fraction).sorted())
        for activity in [.examining, copying ? .copying : .changing, .checking]
            as [MigrationProgress.Activity]
        {
            let fractions = sent.filter { $0.activity == activity }.map(\.fraction)
            #expect(fractions.count >= 10, "\(activity)")
            #expect(Set(fractions).count > fractions.count / 2, "\(activity)")
        }
    }

    /// Waits in a hook until progress is reported from elsewhere.
    private final class WaitingPolicy: EntityMigrationPolicy {
        let isSent: DispatchSemaphore

        init(_ isSent: DispatchSemaphore) { self.isSent = isSent }

        override func performCustomValidation(of: EntityMapping, with: MigrationManager) throws {
            while isSent.wait(timeout: .now()) == .success {}
            for _ in 0..<2 where isSent.wait(timeout: .now() + 30) == .timedOut {
                Issue.record("a migration that waits reports no progress")
            }
        }
    }

    @Test func progressMovesWhileACallTakesLong() throws {
        let versions = try Self.versions()
        let store = TemporaryStore()
        try Self.fill(store, versions[0])
        let isSent = DispatchSemaphore(value: 0)
        var mapping = try MappingModel.inferred(from: versions[0], to: versions[1])
        mapping["Item"]?.policy = { WaitingPolicy(isSent) }
        let fractions = Mutex<[Double]>.Reference([])
        let migration = StoreMigration(versions: versions, mappings: [mapping]) { progress in
            fractions.value.withLock { $0.append(progress.fraction) }
            isSent.signal()
        }
        try Self.migrate(store, to: versions[1], migration)
        let sent = fractions.value.withLock { $0 }
        #expect(sent == sent.sorted())
    }

    // MARK: - Backups

    /// The clock may have been set to the future when the other backups were made.
    @Test(arguments: ["2020", "2999"]) func oldBackupsAreRemoved(year: String) throws {
        let versions = try Self.versions()
        let store = TemporaryStore()
        let directory = store.directory + "/kept"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let names = (1...4).map { "library.sqlite.\(year)010\($0)T000000Z.model1.backup" }
        for name in names + [
            "other.backup", "library.sqlite.20200101T000000Z.model1.backup.0123456789abc.partial",
        ] {
            #expect(FileManager.default.createFile(atPath: "\(directory)/\(name)", contents: nil))
        }
        try Self.fill(store, versions[0])
        let report = try Self.migrate(
            store, to: versions[2],
            StoreMigration(versions: versions, backups: .init(count: 3, directory: directory)))
        let backup = try #require(report?.backupPath)
        let left = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
        #expect(
            left == (names.suffix(2) + [URL(filePath: backup).lastPathComponent, "other.backup"]).sorted())
    }

    @Test func backupCountOfZeroMakesNoBackup() throws {
        let versions = try Self.versions()
        let store = TemporaryStore()
        try Self.fill(store, versions[0])
        let report = try Self.migrate(
            store, to: versions[2], StoreMigration(versions: versions, backups: .init(count: 0)))
        #expect(report?.backupPath == nil)
        #expect(try store.files().filter { $0.hasSuffix(".backup") } == [])
    }

    @Test func backupThatCannotBeMadeStopsTheMigration() throws {
        let versions = try Self.versions()
        let store = TemporaryStore()
        try Self.fill(store, versions[0])
        let before = try Self.bytes(store)
        #expect(throws: StoreError.self) {
            // A file has the name of the directory, so the directory cannot be made.
            try Self.migrate(
                store, to: versions[2],
                StoreMigration(versions: versions, backups: .init(directory: store.path + "/backups")))
        }
        #expect(try Self.bytes(store) == before)
    }

    @Test func migrationKeepsSymbolicLink() throws {
        let (first, second) = (try Versions.first(), try Versions.second())
        let (real, link) = (TemporaryStore(), TemporaryStore())
        try Versions.fill(real)
        try FileManager.default.createDirectory(atPath: link.directory, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: real.path)
        var mapping = try MappingModel.inferred(from: first, to: second)
        mapping["Tag"]?.policy = { EntityMigrationPolicy() }
        try Self.migrate(link, to: second, StoreMigration(versions: [first, second], mappings: [mapping]))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == real.path)
        #expect(try real.rows("SELECT count(*) FROM Page") == ["40"])
    }

    // MARK: - Damage

    @Test(arguments: [false, true]) func damagedPagesAreReportedAndLeftAlone(copying: Bool) throws {
        let (first, second) = (try Versions.first(), try Versions.second())
        var mapping = try MappingModel.inferred(from: first, to: second)
        if copying { mapping["Tag"]?.policy = { EntityMigrationPolicy() } }
        let migration = StoreMigration(versions: [first, second], mappings: [mapping])
        let whole = TemporaryStore()
        try Versions.fill(whole, count: 300)
        try whole.execute("PRAGMA journal_mode=DELETE")
        let sound = try Self.bytes(whole)
        var refused = 0
        for page in 0..<(sound.count / 4_096) {
            let store = TemporaryStore()
            try FileManager.default.createDirectory(
                atPath: store.directory, withIntermediateDirectories: true)
            var damaged = sound
            damaged.replaceSubrange(
                page * 4_096..<(page + 1) * 4_096, with: Data(repeating: 0xA5, count: 4_096))
            try damaged.write(to: URL(filePath: store.path))
            do {
                try Self.migrate(store, to: second, migration)
            } catch is StoreError {
                refused += 1
                #expect(try Self.bytes(store) == damaged, "page \(page)")
            }
        }
        #expect(refused >= sound.count / 4_096 / 2)
    }
}
