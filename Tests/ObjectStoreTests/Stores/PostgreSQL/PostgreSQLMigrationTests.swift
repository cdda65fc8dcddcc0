import Foundation
import ObjectStore
import ObjectStorePostgreSQL
import PostgreSQLDriver
import TestServers
import TestSupport
import Testing

/// A migration of a store in PostgreSQL is one transaction, whatever other programs do meanwhile.
@Suite struct PostgreSQLMigrationTests: PostgreSQLSuite {
    let directory = TemporaryStore()

    private var path: String { directory.postgresql.path ?? "" }
    private var shared: StoreConfiguration { directory.configuration(.postgresql, shared: true) }

    /// Each relation, constraint and function of the schema, and the metadata.
    private func definitions(_ schema: String) throws -> [String] {
        try rows(
            """
            SELECT c.relkind::text || ' ' || c.relname || ' ' || coalesce(pg_get_indexdef(i.indexrelid), '')
            FROM pg_class AS c LEFT JOIN pg_index AS i ON i.indexrelid = c.oid
            WHERE c.relnamespace = '"\(schema)"'::regnamespace
            UNION ALL SELECT k.conrelid::regclass::text || ' ' || k.conname || ' ' || pg_get_constraintdef(k.oid)
            FROM pg_constraint AS k WHERE k.connamespace = '"\(schema)"'::regnamespace
            UNION ALL SELECT 'trigger ' || t.tgrelid::regclass::text || ' ' || t.tgname
            FROM pg_trigger AS t JOIN pg_class AS r ON r.oid = t.tgrelid
            WHERE r.relnamespace = '"\(schema)"'::regnamespace AND NOT t.tgisinternal
            UNION ALL SELECT 'column ' || a.attrelid::regclass::text || ' ' || a.attnum::text || ' ' || a.attname || ' '
                || format_type(a.atttypid, a.atttypmod) || a.attnotnull::text || a.attcollation::text
            FROM pg_attribute AS a JOIN pg_class AS r ON r.oid = a.attrelid
            WHERE r.relnamespace = '"\(schema)"'::regnamespace AND a.attnum > 0 AND r.relkind = 'r'
            ORDER BY 1
            """
        ).map { $0.replacing("\"\(schema)\".", with: "").replacing("\(schema).", with: "") }
    }

    /// A store with a history, a counter and entries with these numbers.
    private func makeLedger(_ numbers: ClosedRange<Int64> = 1...3) throws {
        try Ledger.make(shared)
        let context = try Ledger.context(shared, author: "first")
        for number in numbers { try Ledger.add(number, to: context) }
        context.coordinator.close()
    }

    private func storeError(_ body: () throws -> Void) -> StoreError? {
        #expect(throws: StoreError.self, performing: body)
    }

    // MARK: - Tables

    @Test func migratedTablesAreThoseOfNewStore() throws {
        let second = try Versions.second()
        try Versions.fill(directory.configuration(.postgresql))
        let coordinator = PersistentStoreCoordinator(model: second)
        let migration = StoreMigration(versions: [try Versions.first(), second])
        let report = try coordinator.addStore(directory.configuration(.postgresql), migrating: migration)
        #expect(report?.objectCount == 55)
        #expect(report?.steps.map(\.reasonToCopy) == ["the store is in a database server"])
        let other = PersistentStoreCoordinator(model: second)
        try other.addStore(directory.postgresql(named: "2"))
        let difference = try Set(definitions(schema)).symmetricDifference(definitions(schema + "2"))
        #expect(difference.sorted() == [])
    }

    @Test func chainOfVersionsIsOneMigration() throws {
        let versions = try (1...4).map { number in
            try ManagedObjectModel(
                versionIdentifiers: ["\(number)"],
                entities: [
                    EntityDescription(
                        "Item",
                        attributes: [.string("name")]
                            + (1..<number).map { .integer64("added\($0)", default: Int64($0)) })
                ])
        }
        let old = PersistentStoreCoordinator(model: versions[0])
        try old.addStore(directory.postgresql)
        let context = ManagedObjectContext(coordinator: old)
        try context.insert(entity: "Item").setValue(.string("a"), of: "name")
        try context.save()
        old.close()
        let new = PersistentStoreCoordinator(model: versions[3])
        let forecast = try new.forecast(directory.postgresql, migrating: StoreMigration(versions: versions))
        #expect(forecast?.steps.count == 3)
        #expect(try directory.postgresql.storedMetadata()?.versionIdentifiers == ["1"])
        let report = try new.addStore(directory.postgresql, migrating: StoreMigration(versions: versions))
        #expect(report == forecast)
        #expect(
            try rows(#"SELECT concat_ws(' ', name, added1, added2, added3) FROM "Item""#) == ["a 1 2 3"])
        #expect(
            try rows(
                "SELECT relname::text FROM pg_class WHERE relnamespace = '\"\(schema)\"'::regnamespace AND relname LIKE '\\_new%'"
            ).isEmpty)
    }

    @Test func historyContinuesAfterMigration() throws {
        try makeLedger()
        let old = try Ledger.context(shared, author: "old")
        let token = try old.coordinator.lastHistoryToken()
        old.coordinator.close()
        let (context, hasMigrated) = try Ledger.migrated(shared)
        #expect(hasMigrated)
        try context.insert(entity: "Counter").setValue(.integer(1), of: "total")
        try context.save()
        var saves: [HistoryTransaction] = []
        let deadline = ContinuousClock.now + .seconds(60)
        while saves.count < 2, ContinuousClock.now < deadline {
            saves = try context.coordinator.history(after: token)
        }
        #expect(saves.map(\.isMigration) == [true, false])
        #expect(try context.count(FetchRequest<ManagedObject>(entity: "Entry")) == 3)
    }

    // MARK: - Several programs

    @Test func oneOfTenProgramsMigrates() throws {
        try makeLedger(1...200)
        let programs = try (0..<10).map { _ in try SharingProgram(["migrate", path]) }
        for program in programs { #expect(program.end() == "") }
        #expect(programs.filter { $0.reported == 1 }.count == 1)
        #expect(programs.filter { $0.reported == 2 }.count == 9)
        #expect(try rows(#"SELECT count(*)::text FROM "Entry" WHERE "memo" = 'none'"#) == ["210"])
        #expect(try rows(#"SELECT count("model")::text FROM "_transactions""#) == ["1"])
    }

    @Test(arguments: ["copying", "checking", "committing"])
    func killedMigrationChangesNothing(_ activity: String) throws {
        try makeLedger()
        let before = try definitions(schema)
        let reader = try Ledger.context(shared, author: "reader")
        let program = try SharingProgram(["migrate", path, activity])
        program.wait(for: 1)
        #expect(program.reported == 1)
        // Until the old tables are removed, programs read them.
        if activity == "copying" { #expect(try Ledger.total(reader) == 3) }
        program.kill()
        #expect(try definitions(schema) == before)
        #expect(try Ledger.total(reader) == 3)
        try Ledger.add(4, to: reader)
        reader.coordinator.close()
        let (context, hasMigrated) = try Ledger.migrated(shared)
        #expect(hasMigrated)
        #expect(try Ledger.total(context) == 4)
    }

    @Test func runningProgramRefusesToWriteAfterMigration() throws {
        try makeLedger()
        let (writer, reader) = (
            try Ledger.context(shared, author: "writer"), try Ledger.context(shared, author: "reader")
        )
        #expect(try Ledger.total(writer) == 3)
        let counter = try writer.fetch(Ledger.counters)[0]
        let (new, _) = try Ledger.migrated(shared)
        try counter.setValue(.integer(9), of: "total")
        let error = storeError { try writer.save() }
        #expect(error?.code == .newer)
        #expect(error?.message.contains("to model ledger 2, and this program has model ledger;") == true)
        #expect(try writer.store.damage?.code == .newer)
        #expect(try Ledger.total(new) == 3)
        let deadline = ContinuousClock.now + .seconds(60)
        var refusal: (any Error)?
        while refusal == nil, ContinuousClock.now < deadline {
            do { _ = try reader.count(Ledger.counters) } catch { refusal = error }
        }
        #expect((refusal as? StoreError)?.code == .newer)
    }

    @Test func streamsOfOldModelAreRefusedAfterMigration() throws {
        try makeLedger()
        let context = try Ledger.context(shared, author: "old")
        _ = try Ledger.migrated(shared)
        #expect(storeError { _ = try context.stream(Ledger.counters) }?.code == .newer)
    }

    /// A stream sees its state until its end, so its tables cannot be removed.
    @Test func migrationWaitsForStreams() throws {
        try makeLedger()
        let context = try Ledger.context(shared, author: "reader")
        let before = try definitions(schema)
        do {
            let stream = try context.stream(Ledger.entries)
            let impatient = StoreConfiguration(.postgresql, path: path, shared: true, lockTimeout: 0.1)
            #expect(storeError { _ = try Ledger.migrated(impatient) }?.code == .locked)
            #expect(try definitions(schema) == before)
            var count = 0
            while try stream.next() != nil { count += 1 }
            #expect(count == 3)
        }
        #expect(try Ledger.migrated(shared).hasMigrated)
    }

    @Test func storeThatIsOpenAloneIsNotMigrated() throws {
        try Ledger.make(directory.postgresql)
        let context = try Ledger.context(directory.postgresql, author: "alone")
        #expect(storeError { _ = try Ledger.migrated(directory.postgresql) }?.code == .inUse)
        #expect(storeError { _ = try Ledger.migrated(shared) }?.code == .inUse)
        #expect(try Ledger.total(context) == 0)
    }

    // MARK: - Refusals

    @Test func olderProgramIsRefused() throws {
        try makeLedger()
        _ = try Ledger.migrated(shared)
        let coordinator = PersistentStoreCoordinator(model: try Ledger.model())
        let migration = StoreMigration(versions: [try Ledger.model()])
        let unknown = storeError { try coordinator.addStore(shared, migrating: migration) }
        #expect(unknown?.code == .modelMismatch)
        #expect(unknown?.message.contains("model ledger 2") == true)
        let newer = StoreMigration(versions: [try Ledger.model(), try Ledger.nextModel()])
        let error = storeError { try coordinator.addStore(shared, migrating: newer) }
        #expect(error?.code == .newer)
        #expect(error?.message.contains("model ledger 2, which is newer than model ledger of this") == true)
    }

    /// Migrates a store of two books with the same title, one of which has an author, and requires that it fails and that
    /// nothing changes.
    private func requireRefusal<Failure: Error>(
        _ type: Failure.Type, _ title: AttributeDescription, after change: String? = nil
    ) throws -> Failure? {
        func model(_ version: String, _ title: AttributeDescription) throws -> ManagedObjectModel {
            try ManagedObjectModel(
                versionIdentifiers: [version],
                entities: [
                    EntityDescription(
                        "Book", attributes: [title, .string("note\(version)")],
                        relationships: [.toOne("author", destination: "Author", inverse: "books")]),
                    EntityDescription(
                        "Author", attributes: [.string("name")],
                        relationships: [.toMany("books", destination: "Book", inverse: "author")]),
                ])
        }
        let (first, second) = (try model("1", .string("title")), try model("2", title))
        let old = PersistentStoreCoordinator(model: first)
        try old.addStore(directory.postgresql)
        let context = ManagedObjectContext(coordinator: old)
        let author = try context.insert(entity: "Author")
        for name in ["same", "Same"] {
            let book = try context.insert(entity: "Book")
            try book.setValue(.string(name), of: "title")
            try book.setTarget(author, of: "author")
        }
        _ = try context.insert(entity: "Book")
        try context.save()
        old.close()
        if let change { try connection().execute(change) }
        let before = try definitions(schema)
        let mapping = try MappingModel.inferred(
            from: first, to: second,
            given: title.isOptional && title.rules.isEmpty ? [:] : ["Book": [.copy("title", from: "title")]])
        let new = PersistentStoreCoordinator(model: second)
        let error = #expect(throws: Failure.self) {
            try new.addStore(
                directory.postgresql,
                migrating: StoreMigration(versions: [first, second], mappings: [mapping]))
        }
        #expect(try definitions(schema) == before)
        #expect(
            try rows(#"SELECT coalesce("title", '-') FROM "Book" ORDER BY "id""#) == ["same", "Same", "-"])
        return error
    }

    @Test func missingRequiredValueIsRefused() throws {
        let error = try requireRefusal(ValidationError.self, .string("title", .required))
        #expect(error?.failures.map(\.property) == ["title"])
        #expect(error?.failures.map(\.id) == [3])
    }

    @Test func equalValuesOfNewUniqueRuleAreRefused() throws {
        let error = try requireRefusal(ValidationError.self, .string("title", .uniqueIgnoringCase))
        #expect(error?.failures.map(\.rule) == [.unique])
        #expect(error?.failures.map(\.id) == [1])
        #expect(error?.description.contains("Book 2 has the same value") == true)
    }

    @Test func referenceToMissingObjectIsRefused() throws {
        let error = try requireRefusal(
            StoreError.self, .string("title"),
            after: #"ALTER TABLE "Book" DROP CONSTRAINT "Book.author reference"; DELETE FROM "Author""#)
        #expect(error?.code == .danglingReference)
        #expect(error?.message.hasPrefix("Book.author refers to an object that does not exist") == true)
    }
}
