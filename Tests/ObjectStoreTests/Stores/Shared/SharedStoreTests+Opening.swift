import ObjectStore
import TestSupport
import Testing

// Programs that open a shared store, and its way to other kinds of store.
extension SharedStoreTests {
    @Test func exclusiveAndSharedOpeningExcludeEachOther() throws {
        try Ledger.make(.sqlite(path: store.path))
        let alone = try Ledger.context(.sqlite(path: store.path), author: "alone")
        var error = try #require(throws: StoreError.self) { try context() }
        #expect(error.code == .inUse)
        alone.coordinator.close()
        let sharing = try context()
        error = try #require(throws: StoreError.self) {
            try Ledger.context(.sqlite(path: store.path), author: "alone")
        }
        #expect(error.code == .inUse)
        #expect(error.message.contains("a program that shares it"))
        sharing.coordinator.close()
        try Ledger.context(.sqlite(path: store.path), author: "alone").coordinator.close()
    }

    @Test func readerThatAssumesNoWriterKeepsSharingProgramsOut() throws {
        try Ledger.make(shared)
        let reader = try Ledger.context(.sqlite(path: store.path, readOnly: true), author: "reader")
        let error = try #require(throws: StoreError.self) { try context() }
        #expect(error.code == .locked)
        reader.coordinator.close()
        try context().coordinator.close()
    }

    @Test func processSharesStoreOnce() throws {
        try Ledger.make(shared)
        let first = try context()
        let error = try #require(throws: StoreError.self) { try context() }
        #expect(error.code == .inUse)
        // The refused attempt leaves the locks of the first one.
        try run(count: 2)
        #expect(try first.count(Ledger.entries) == 2)
        _ = try StoreConfiguration.sqlite(path: store.path).storedMetadata()
        try StoreBackup.copy(.sqlite(path: store.path), to: store.directory + "/copy.sqlite")
        try run(author: "third")
        try Ledger.add(1, to: first)
        #expect(try Ledger.total(first) == 4)
        first.coordinator.close()
        try context().coordinator.close()
    }

    @Test func sharedStoreIsNeitherReadOnlyNorOfAnotherKind() throws {
        #expect(throws: StoreError.self) {
            try Ledger.context(.sqlite(path: store.path, readOnly: true, shared: true), author: "reader")
        }
        let error = try #require(throws: StoreError.self) {
            try Ledger.context(StoreConfiguration(.memory, path: "", shared: true), author: "memory")
        }
        #expect(error.message.contains("cannot be shared by several programs"))
    }

    @Test func sharedStoreOfCurrentModelIsAddedWithMigration() throws {
        try Ledger.make(shared)
        let writer = try SharingProgram(store.path, author: "other", count: 1_000_000)
        writer.wait(for: 1)
        let coordinator = PersistentStoreCoordinator(model: try Ledger.model())
        let report = try coordinator.addStore(
            shared, migrating: StoreMigration(versions: [try Ledger.model()]))
        #expect(report == nil)
        writer.kill()
    }

    @Test func historyOfSharedStoreIsNotDiscarded() throws {
        try Ledger.make(shared)
        let context = try context()
        #expect(throws: StoreError.self) { try context.coordinator.discardHistory() }
        #expect(try context.coordinator.beginBackgroundWrite() == nil)
    }

    @Test func sharedStoreMovesToAnotherKindAndBack() throws {
        try Ledger.make(shared)
        let context = try context()
        let first = try #require(context.coordinator.store)
        try Ledger.add(1, to: context)
        try context.coordinator.migrate(store: first, to: .memory)
        try Ledger.add(2, to: context)
        let second = try #require(context.coordinator.store)
        try context.coordinator.migrate(
            store: second, to: .sqlite(path: store.directory + "/b.sqlite", shared: true))
        try Ledger.add(3, to: context)
        let entries = try context.rows(Ledger.entries, of: ["number"])
        #expect(entries.map { $0[0] } == [.integer(1), .integer(2), .integer(3)])
        #expect(try context.coordinator.history().map(\.number) == [1])
        #expect(try context.coordinator.mergeSavesOfOtherPrograms(into: [context]) == [])
    }

    @Test func coordinatorSharesOneStore() throws {
        let context = try context()
        #expect(throws: StoreError.self) {
            try context.coordinator.addStore(.sqlite(path: store.directory + "/b.sqlite", shared: true))
        }
    }
}
