import Foundation
import ObjectStore
import ObjectStorePostgreSQL
import ObjectStoreXML
import Synchronization
import TestSupport
import Testing

/// Stores in XML and binary files are migrated as databases are, with the same refusals.
@Suite struct FileMigrationTests {
    private static let kinds: [StoreKind] = [.xml, .binary]

    private static func model(
        _ version: String, _ attributes: [AttributeDescription] = []
    ) throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: [version],
            entities: [EntityDescription("Item", attributes: [.string("name", .required)] + attributes)])
    }

    private static func versions() throws -> [ManagedObjectModel] {
        [
            try model("1"), try model("2", [.string("note")]),
            try model("3", [.string("note", .required, default: "none"), .integer16("rank")]),
        ]
    }

    /// A store of three items in a file of one kind.
    private struct Case {
        let directory = TemporaryStore()
        let store: StoreConfiguration
        private var path: String { store.path ?? "" }

        init(_ kind: StoreKind, _ model: ManagedObjectModel, _ names: [String] = ["a", "b", "c"]) throws {
            store = StoreConfiguration(kind, path: "\(directory.directory)/store.\(kind)")
            let context = try context(model)
            for name in names {
                let item = try context.insert(entity: "Item")
                try item.setValue(.string(name), of: "name")
            }
            try context.save()
            context.coordinator.close()
        }

        func context(_ model: ManagedObjectModel) throws -> ManagedObjectContext {
            let coordinator = PersistentStoreCoordinator(model: model)
            try coordinator.addStore(store)
            return ManagedObjectContext(coordinator: coordinator)
        }

        @discardableResult
        func migrate(to model: ManagedObjectModel, _ migration: StoreMigration) throws -> MigrationReport? {
            let coordinator = PersistentStoreCoordinator(model: model)
            defer { coordinator.close() }
            return try coordinator.addStore(store, migrating: migration)
        }

        /// The values of all items, one row for each.
        func items(_ model: ManagedObjectModel, _ names: String...) throws -> [[AttributeValue]] {
            let context = try context(model)
            defer { context.coordinator.close() }
            return try context.fetch(
                FetchRequest<ManagedObject>(entity: "Item", orderedBy: [FetchOrder("id")])
            ).map { item in try names.map { try item.value(of: $0) } }
        }

        var bytes: Data {
            get throws { try Data(contentsOf: URL(filePath: path)) }
        }

        /// Expects that a migration throws and changes nothing.
        func requireRefusal<Failure: Error>(
            _ type: Failure.Type, to model: ManagedObjectModel, _ migration: StoreMigration
        ) throws -> Failure? {
            let before = try bytes
            let error = #expect(throws: Failure.self) { try migrate(to: model, migration) }
            #expect(try bytes == before)
            #expect(try directory.files().filter { $0.hasSuffix(".new") } == [])
            return error
        }
    }

    // MARK: - Results

    @Test(arguments: kinds + [.postgresql]) func fileMigrationEqualsDatabaseMigration(kind: StoreKind) throws
    {
        let (first, second) = (try Versions.first(), try Versions.second())
        let database = TemporaryStore()
        try Versions.fill(database)
        let file = database.configuration(kind)
        let copy = try database.coordinator(first)
        try copy.store?.setMetadataEntries(["key": "value"])
        let original = try #require(copy.store)
        try copy.migrate(store: original, to: file)
        copy.close()

        let migration = StoreMigration(versions: [first, second])
        func migrated(_ store: StoreConfiguration) throws -> ManagedObjectContext {
            let coordinator = PersistentStoreCoordinator(model: second)
            let report = try #require(try coordinator.addStore(store, migrating: migration))
            #expect(report.objectCount == 55)
            return ManagedObjectContext(coordinator: coordinator)
        }
        let (changed, copied) = (try migrated(.sqlite(path: database.path)), try migrated(file))
        #expect(try copied.contents() == changed.contents())
        #expect(try copied.largestIDs() == changed.largestIDs())
        #expect(try copied.store.metadata == changed.store.metadata)
        #expect(try copied.insert(entity: "Page").id == 42)
    }

    @Test(arguments: kinds) func migrationFollowsChainsAndDirectMappings(kind: StoreKind) throws {
        let versions = try Self.versions()
        let chained = try Case(kind, versions[0])
        let report = try chained.migrate(to: versions[2], StoreMigration(versions: versions))
        #expect(report?.steps.map(\.destination) == [["2"], ["3"]])
        #expect(
            report?.steps.map(\.reasonToCopy) == Array(repeating: "the file is written as a whole", count: 2))
        #expect(
            try chained.items(versions[2], "name", "note", "rank").last == [
                .string("c"), .string("none"), .null,
            ])

        let direct = try Case(kind, versions[0])
        let mapping = try MappingModel.inferred(
            from: versions[0], to: versions[2], given: ["Item": [.constant("rank", .integer(7))]])
        try direct.migrate(to: versions[2], StoreMigration(versions: versions, mappings: [mapping]))
        #expect(try direct.items(versions[2], "rank") == [[.integer(7)], [.integer(7)], [.integer(7)]])
        #expect(try direct.migrate(to: versions[2], StoreMigration(versions: versions)) == nil)
    }

    @Test(arguments: kinds) func oldFileIsKept(kind: StoreKind) throws {
        let versions = try Self.versions()
        let old = try Case(kind, versions[0])
        let before = try old.bytes
        let report = try old.migrate(to: versions[2], StoreMigration(versions: versions))
        #expect(try Data(contentsOf: URL(filePath: #require(report?.backupPath))) == before)
    }

    @Test(arguments: kinds) func forecastWritesNothing(kind: StoreKind) throws {
        let versions = try Self.versions()
        let old = try Case(kind, versions[0])
        let before = try old.bytes
        let forecast = try PersistentStoreCoordinator(model: versions[2]).forecast(
            old.store, migrating: StoreMigration(versions: versions))
        #expect(forecast?.objectCount == 3)
        #expect(forecast?.backupPath == nil)
        #expect(try old.bytes == before)
    }

    // MARK: - Refusals

    @Test(arguments: kinds) func newerAndUnknownStoresAreRefused(kind: StoreKind) throws {
        let versions = try Self.versions()
        let newer = try Case(kind, versions[2])
        let known = try newer.requireRefusal(
            StoreError.self, to: versions[1], StoreMigration(versions: versions))
        #expect(known?.code == .newer)
        let unknown = try newer.requireRefusal(
            StoreError.self, to: versions[1], StoreMigration(versions: Array(versions.dropLast())))
        #expect(unknown?.code == .newer)
        let other = try Case(kind, Self.model("1", [.date("other")]))
        let foreign = try other.requireRefusal(
            StoreError.self, to: versions[2], StoreMigration(versions: versions))
        #expect(foreign?.code == .modelMismatch)
        #expect(foreign?.message.contains("that this program does not know") == true)
    }

    @Test(arguments: kinds) func rowRefusedByNewModelIsNamed(kind: StoreKind) throws {
        let first = try Self.model("1", [.string("note")])
        let second = try ManagedObjectModel(
            versionIdentifiers: ["2"],
            entities: [
                EntityDescription(
                    "Item",
                    attributes: [.string("name", .required, .length(1...3)), .string("note", .required)])
            ])
        let old = try Case(kind, first, ["fits", "abc"])
        let mapping = try MappingModel.inferred(from: first, to: second, given: ["Item": [.copy("note")]])
        let error = try old.requireRefusal(
            ValidationError.self, to: second, StoreMigration(versions: [first, second], mappings: [mapping]))
        #expect(
            error?.failures.map { "\($0.entity) \($0.id ?? 0) \($0.property) \($0.rule)" }.sorted()
                == ["Item 1 name length", "Item 1 note required", "Item 2 note required"])
    }

    @Test(arguments: kinds) func migrationStopsIfPolicyThrows(kind: StoreKind) throws {
        let versions = try Self.versions()
        let old = try Case(kind, versions[0])
        var mapping = try MappingModel.inferred(from: versions[0], to: versions[1])
        mapping["Item"]?.policy = { MigrationPolicyTests.ThrowingPolicy() }
        _ = try old.requireRefusal(
            MigrationPolicyTests.Refusal.self, to: versions[1],
            StoreMigration(versions: versions, mappings: [mapping]))
    }

    @Test(arguments: kinds) func migrationStopsWithoutBackup(kind: StoreKind) throws {
        let versions = try Self.versions()
        let old = try Case(kind, versions[0])
        // A file has the name of the directory, so the directory cannot be made.
        let backups = StoreMigration.Backups(directory: (old.store.path ?? "") + "/backups")
        let error = try old.requireRefusal(
            StoreError.self, to: versions[2], StoreMigration(versions: versions, backups: backups))
        #expect(error?.code == .unreachable)
    }

    @Test(arguments: kinds) func fileEditedDuringMigrationIsKept(kind: StoreKind) throws {
        let versions = try Self.versions()
        let old = try Case(kind, versions[0])
        let path = try #require(old.store.path)
        let edited = Data("edited".utf8)
        let migration = StoreMigration(versions: versions) { progress in
            if progress.activity == .checking { try? edited.write(to: URL(filePath: path)) }
        }
        let error = #expect(throws: StoreError.self) { try old.migrate(to: versions[2], migration) }
        #expect(error?.message.contains("another program changed the file during the migration") == true)
        #expect(try old.bytes == edited)
    }

    @Test(arguments: kinds) func concurrentMigrationsAreRefused(kind: StoreKind) throws {
        let versions = try Self.versions()
        let old = try Case(kind, versions[0])
        let store = old.store
        let messages = Mutex<[String]>.Reference([])
        let migration = StoreMigration(versions: versions) { progress in
            guard progress.activity == .copying else { return }
            do {
                try PersistentStoreCoordinator(model: versions[2]).addStore(
                    store, migrating: StoreMigration(versions: versions))
            } catch {
                messages.value.withLock { $0.append("\(error)") }
            }
        }
        try old.migrate(to: versions[2], migration)
        let found = messages.value.withLock { $0 }
        #expect(!found.isEmpty)
        #expect(found.allSatisfy { $0.contains("the process \(getpid()) has the store open") })
    }

    // MARK: - Documents of other programs

    @Test func documentOfAnotherProgramIsMigrated() throws {
        let versions = [
            try Self.model("1"), try Self.model("2", [.boolean("done", default: false)]),
        ]
        let directory = TemporaryStore()
        try FileManager.default.createDirectory(
            atPath: directory.directory, withIntermediateDirectories: true)
        let store = StoreConfiguration.xml(path: "\(directory.directory)/foreign.xml")
        let document = """
            <?xml version="1.0" standalone="yes"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
            <database><databaseInfo>
                <UUID>343C8D7F-A000-42C4-8463-43FA1E5EF3FB</UUID><nextObjectID>104</nextObjectID>
                <metadata><plist version="1.0"><dict>
                    <key>theirs</key><string>stays</string>
                </dict></plist></metadata>
            </databaseInfo>
            <object type="ITEM" id="z104"><attribute name="name" type="string">old</attribute></object>
            </database>
            """
        try Data(document.utf8).write(to: URL(filePath: "\(directory.directory)/foreign.xml"))
        let coordinator = PersistentStoreCoordinator(model: versions[1])
        let report = try coordinator.addStore(store, migrating: StoreMigration(versions: versions))
        #expect(report?.source == ["1"])
        let context = ManagedObjectContext(coordinator: coordinator)
        let item = try #require(try context.object(ObjectID(entity: "Item", id: 104)))
        #expect(try item.value(of: "done") == .boolean(false))
        #expect(try context.store.metadata.identifier.description == "343C8D7F-A000-42C4-8463-43FA1E5EF3FB")
        #expect(try context.insert(entity: "Item").id == 105)
        coordinator.close()
        let text = try String(contentsOfFile: "\(directory.directory)/foreign.xml", encoding: .utf8)
        #expect(text.contains("<key>theirs</key>"))
    }
}
