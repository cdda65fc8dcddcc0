import Foundation
import ObjectStore
import ObjectStoreXML
import TestSupport
import Testing

/// A store that is rewritten as one of another kind has the same contents.
@Suite struct StoreCopyTests {
    let directory = TemporaryStore()

    private static let kinds: [StoreKind] = [.sqlite, .xml, .binary, .memory, .lines]
    private static let pairs = kinds.flatMap { from in kinds.map { (from, $0) } }

    private func configuration(_ kind: StoreKind, _ name: String) -> StoreConfiguration {
        kind == .memory
            ? .memory : StoreConfiguration(kind, path: "\(directory.directory)/\(name).\(kind)")
    }

    @Test(arguments: pairs)
    func everythingIsCopied(_ kinds: (StoreKind, StoreKind)) throws {
        let model = try Sample.model()
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(configuration(kinds.0, "old"))
        let context = ManagedObjectContext(coordinator: coordinator)
        try Sample.fill(context)
        let old = try context.store
        try old.setMetadataEntries(["lead": "300"])
        let before = try context.contents()
        let metadata = old.metadata
        let largest = try context.largestIDs()
        let unsaved = try context.insert(entity: "Sample")
        try unsaved.setValue(.string("unsaved"), of: "text")
        _ = try context.count(FetchRequest<ManagedObject>(entity: "Sample"))

        let new = try coordinator.migrate(store: old, to: configuration(kinds.1, "new"))
        #expect(try context.store === new)
        #expect(new.metadata == metadata)
        let other = ManagedObjectContext(coordinator: coordinator)
        #expect(try other.contents() == before)
        #expect(try other.largestIDs() == largest)
        // The contexts continue, with their changes.
        try unsaved.setValue(.integer(1), of: "number")
        try unsaved.setValue(.boolean(true), of: "flag")
        try context.save()
        #expect(try other.contents().count == before.count + 2)
        let after = try other.contents()
        coordinator.close()

        guard kinds.1 != .memory else { return }
        let again = PersistentStoreCoordinator(model: model)
        try again.addStore(configuration(kinds.1, "new"))
        #expect(again.store?.metadata == metadata)
        #expect(try ManagedObjectContext(coordinator: again).contents() == after)
    }

    @Test func storeIsCopiedToCustomStore() throws {
        let context = try TestedStore.sqlite.shelf(in: directory)
        let before = try context.contents()
        let own = SnapshotStore(model: context.model)
        try context.coordinator.migrate(store: context.store, to: own)
        #expect(try context.store === own)
        #expect(try context.contents() == before)
    }

    @Test func storeWithObjectsIsNotOverwritten() throws {
        let context = try TestedStore.sqlite.shelf(in: directory)
        let old = try context.store
        try TestedStore.xml.shelf(in: directory).coordinator.close()
        let path = TestedStore.xml.path(in: directory)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(throws: StoreError.self) { try context.coordinator.migrate(store: old, to: .xml(path: path)) }
        #expect(try context.store === old)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try context.count(FetchRequest<Book>()) == 5)
    }

    @Test func failedCopyLeavesNothing() throws {
        let model = try Library.model()
        let coordinator = PersistentStoreCoordinator(model: model)
        let broken = BrokenStore(try SQLiteStore(path: directory.path, model: model))
        try coordinator.addStore(broken)
        let context = ManagedObjectContext(coordinator: coordinator)
        try context.insert(Author.self).name = "Jane"
        try context.save()
        broken.failsToRead = true
        let path = directory.directory + "/new.binary"
        #expect(throws: BrokenStore.Failure.self) {
            try coordinator.migrate(store: broken, to: .binary(path: path))
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        broken.failsToRead = false
        #expect(try context.count(FetchRequest<Author>()) == 1)
    }

    @Test func copyInsideBatchIsRefused() throws {
        let context = try TestedStore.memory.shelf(in: directory)
        let store = try context.store
        #expect(throws: StoreError.self) {
            try context.coordinator.batch { try context.coordinator.migrate(store: store, to: .memory) }
        }
        #expect(throws: StoreError.self) {
            try context.coordinator.migrate(store: MemoryStore(model: context.model), to: .memory)
        }
    }
}
