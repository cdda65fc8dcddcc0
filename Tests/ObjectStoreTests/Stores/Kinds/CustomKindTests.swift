import Foundation
import ObjectStore
import TestSupport
import Testing

/// A kind of store of another package is opened, copied, restored and migrated like the kinds of this one.
@Suite struct CustomKindTests {
    let directory = TemporaryStore()
    private var store: StoreConfiguration {
        StoreConfiguration(.lines, path: TestedStore.lines.path(in: directory))
    }
    private var copy: String { "\(directory.directory)/copy" }

    private func contents(_ store: StoreConfiguration) throws -> [String] {
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        defer { coordinator.close() }
        try coordinator.addStore(store)
        return try ManagedObjectContext(coordinator: coordinator).contents()
    }

    @Test func customFormatIsCopiedAndRestored() throws {
        let context = try TestedStore.lines.shelf(in: directory)
        let expected = try context.contents()
        try StoreBackup.copy(store, to: copy)
        #expect(try StoreBackup.problems(of: store) == [])
        try context.insert(Author.self).name = "late"
        try context.save()
        context.coordinator.close()
        try StoreBackup.restore(store, from: copy, keeping: "\(directory.directory)/old")
        #expect(try contents(store) == expected)
        let metadata = try #require(try store.storedMetadata())
        #expect(metadata.versionHash == (try Library.model()).versionHash)
    }

    @Test func damagedFileOfCustomFormatIsReported() throws {
        try TestedStore.lines.shelf(in: directory).coordinator.close()
        let url = URL(filePath: try #require(store.path))
        let text = try String(contentsOf: url, encoding: .utf8)
        try Data(text.utf8.dropLast(3)).write(to: url)
        #expect(try StoreBackup.problems(of: store).count == 1)
        #expect(throws: StoreError.self) { try contents(store) }
    }

    @Test func customFormatIsLockedAndReadOnly() throws {
        let context = try TestedStore.lines.shelf(in: directory)
        let error = #expect(throws: StoreError.self) { try contents(store) }
        #expect(error?.code == .inUse)
        let reader = StoreConfiguration(.lines, path: try #require(store.path), readOnly: true)
        #expect(try contents(reader) == context.contents())
    }

    @Test func customFormatIsMigrated() throws {
        func model(_ version: String, _ attributes: [AttributeDescription]) throws -> ManagedObjectModel {
            try ManagedObjectModel(
                versionIdentifiers: [version],
                entities: [EntityDescription("Item", attributes: [.string("name")] + attributes)])
        }
        let versions = [try model("1", []), try model("2", [.integer16("rank", default: 7)])]
        let before = PersistentStoreCoordinator(model: versions[0])
        try before.addStore(store)
        let context = ManagedObjectContext(coordinator: before)
        try context.insert(entity: "Item").setValue(.string("one"), of: "name")
        try context.save()
        before.close()
        let after = PersistentStoreCoordinator(model: versions[1])
        let report = try after.addStore(store, migrating: StoreMigration(versions: versions))
        #expect(report?.objectCount == 1)
        let item = try #require(
            try ManagedObjectContext(coordinator: after).fetch(FetchRequest<ManagedObject>(entity: "Item"))
                .first)
        #expect(try item.value(of: "rank") == .integer(7))
    }

    /// A kind that only opens stores cannot be copied by this library. The error names the kind.
    @Test func storeWithoutKnownFileIsNotCopied() throws {
        let store = StoreConfiguration(.snapshot, path: "\(directory.directory)/snapshot")
        let error = #expect(throws: StoreError.self) { try StoreBackup.copy(store, to: copy) }
        #expect(error?.message.contains("the kind snapshot") == true)
        let context = try TestedStore.memory.shelf(in: directory)
        let expected = try context.contents()
        let new = try context.coordinator.migrate(store: context.store, to: store)
        #expect(new is SnapshotStore)
        #expect(try context.contents() == expected)
        #expect(try store.storedMetadata() == nil)
    }

    @Test func kindsWithTheSameNameAreEqual() {
        #expect(StoreKind("lines", format: { LineFormat() }) == .lines)
        #expect(StoreKind.lines != .sqlite)
        #expect("\(StoreKind.lines)" == "lines")
    }
}
