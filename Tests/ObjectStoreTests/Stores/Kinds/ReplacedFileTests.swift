import Foundation
import ObjectStore
import SQLiteDriver
import Testing

/// Stores in files that are removed, or replaced by another file, while they are open.
@Suite struct ReplacedFileTests {
    let directory = TemporaryStore()

    private func count(_ kind: TestedStore, _ path: String) throws -> Int {
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        try coordinator.addStore(kind.open(path, coordinator.model))
        defer { coordinator.close() }
        return try ManagedObjectContext(coordinator: coordinator).count(FetchRequest<Author>())
    }

    private func refusal(_ context: ManagedObjectContext) throws -> StoreError? {
        try context.insert(Author.self).name = "late"
        defer { context.rollback() }
        return #expect(throws: StoreError.self) { try context.save() }
    }

    @Test(arguments: TestedStore.inFiles)
    func contentsAreRescuedAndOtherFileIsUnchanged(_ kind: TestedStore) throws {
        let path = kind.path(in: directory)
        let context = try kind.shelf(in: directory)
        #expect(context.coordinator.damage == nil)
        // The other file is an empty store.
        try kind.open(path + ".other", try Library.model()).close()
        #expect(rename(path + ".other", path) == 0)

        #expect(try refusal(context)?.code == .replaced)
        #expect(context.coordinator.damage?.code == .replaced)
        #expect(try context.count(FetchRequest<Author>()) == 2)
        let copy = "\(directory.directory)/copy"
        try context.coordinator.rescueReplacedStore(to: copy)
        context.coordinator.close()

        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        #expect(try count(kind, path) == 0)
        #expect(try count(kind, copy) == 2)
    }

    @Test func removedDatabaseIsNotWritten() throws {
        let context = try TestedStore.sqlite.shelf(in: directory)
        let path = TestedStore.sqlite.path(in: directory)
        try FileManager.default.removeItem(atPath: path)
        #expect(
            try refusal(context)?.message == "the file was removed while it was open; nothing more is saved")
        // The refusal does not depend on the file that takes its name.
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(try refusal(context)?.code == .replaced)
        try context.coordinator.rescueReplacedStore(to: path + ".copy")
        context.coordinator.close()
        #expect(try count(.sqlite, path + ".copy") == 2)
    }

    /// The names in a directory are checked again only after the time of the directory has changed.
    @Test func removalFromUnchangedDirectoryIsNoticed() throws {
        let context = try TestedStore.sqlite.shelf(in: directory)
        let path = TestedStore.sqlite.path(in: directory)
        let long = timeval(tv_sec: 1_000_000_000, tv_usec: 0)
        #expect(utimes(directory.directory, [long, long]) == 0)
        try context.insert(Author.self).name = "early"
        try context.save()
        try FileManager.default.removeItem(atPath: path + "-wal")
        #expect(try refusal(context)?.code == .replaced)
    }

    /// The last connection does not write the file either, although it normally moves the WAL into a database
    /// when it closes.
    @Test(arguments: [false, true]) func overwrittenDatabaseIsNotWritten(isLarge: Bool) throws {
        let context = try TestedStore.sqlite.shelf(in: directory)
        let path = TestedStore.sqlite.path(in: directory)
        // Large enough for many pages to be moved into the file before.
        for number in 0..<(isLarge ? 5000 : 0) {
            try context.insert(Author.self).name = String(repeating: "\(number) ", count: 100)
        }
        try context.save()
        #expect(context.coordinator.damage == nil)
        try TestedStore.sqlite.open(path + ".other", try Library.model()).close()
        let other = try Data(contentsOf: URL(fileURLWithPath: path + ".other"))
        try other.write(to: URL(fileURLWithPath: path))
        #expect(try refusal(context)?.code == .replaced)
        context.coordinator.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == other)
        #expect(try count(.sqlite, path) == 0)
    }

    /// The save is not reported as successful, even if the content was checked just before.
    @Test func fileOverwrittenDuringSaveFailsTheSave() throws {
        let context = try TestedStore.sqlite.shelf(in: directory)
        let path = TestedStore.sqlite.path(in: directory)
        try TestedStore.sqlite.open(path + ".other", try Library.model()).close()
        let other = try Data(contentsOf: URL(fileURLWithPath: path + ".other"))
        let error = #expect(throws: StoreError.self) {
            try context.coordinator.batch {
                try context.insert(Author.self).name = "late"
                try context.save()
                try other.write(to: URL(fileURLWithPath: path))
            }
        }
        #expect(error?.code == .replaced)
        #expect(context.hasChanges)
        context.coordinator.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == other)
    }

    @Test func overwriteAfterNewLogIsNoticed() throws {
        let context = try TestedStore.sqlite.shelf(in: directory)
        let path = TestedStore.sqlite.path(in: directory)
        let other = try SQLiteConnection(path: path, mode: .readWrite)
        // The next change starts a new WAL.
        try other.execute("PRAGMA wal_checkpoint")
        #expect(context.coordinator.damage == nil)
        try context.insert(Author.self).name = "new"
        try context.save()
        #expect(truncate(path, 0) == 0)
        #expect(context.coordinator.damage?.code == .replaced)
        withExtendedLifetime(other) {}
    }

    @Test func logIsRemovedBesideUnnoticedReplacement() throws {
        let context = try TestedStore.sqlite.shelf(in: directory)
        let path = TestedStore.sqlite.path(in: directory)
        try TestedStore.sqlite.open(path + ".other", try Library.model()).close()
        #expect(rename(path + ".other", path) == 0)
        context.coordinator.close()
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        #expect(try count(.sqlite, path) == 0)
    }

    /// The other program continues to use its file and its WAL.
    @Test func logOfAnotherProgramIsKept() throws {
        let context = try TestedStore.sqlite.shelf(in: directory)
        let path = TestedStore.sqlite.path(in: directory)
        try TestedStore.sqlite.open(path + ".other", try Library.model()).close()
        let other = try SQLiteConnection(path: path + ".other", mode: .readWrite)
        try other.execute("INSERT INTO Author (id, name) VALUES (1, 'A')")
        for suffix in ["", "-wal", "-shm"] { #expect(rename(path + ".other" + suffix, path + suffix) == 0) }
        context.coordinator.close()
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        #expect(try count(.sqlite, path) == 1)
        withExtendedLifetime(other) {}
    }

    @Test func streamDoesNotReadReplacement() throws {
        let context = try TestedStore.sqlite.shelf(in: directory)
        let path = TestedStore.sqlite.path(in: directory)
        try TestedStore.sqlite.open(path + ".other", try Library.model()).close()
        #expect(rename(path + ".other", path) == 0)
        let error = #expect(throws: StoreError.self) {
            _ = try context.stream(FetchRequest<Author>(), of: ["name"]).next()
        }
        #expect(error?.code == .replaced)
    }

    /// Callers rely on the COMMIT after a save within a batch has succeeded.
    @Test func batchFailsIfDatabaseIsRemovedMeanwhile() throws {
        let context = try TestedStore.sqlite.shelf(in: directory)
        let path = TestedStore.sqlite.path(in: directory)
        let error = #expect(throws: StoreError.self) {
            try context.coordinator.batch {
                try context.insert(Author.self).name = "late"
                try context.save()
                try FileManager.default.removeItem(atPath: path)
            }
        }
        #expect(error?.code == .replaced)
        #expect(context.insertedObjects.count == 1)
    }

    @Test func batchIsRefusedAtFirstSaveIfDatabaseIsRemoved() throws {
        let context = try TestedStore.sqlite.shelf(in: directory)
        try FileManager.default.removeItem(atPath: TestedStore.sqlite.path(in: directory))
        let error = try context.coordinator.batch { try refusal(context) }
        #expect(error?.code == .replaced)
    }

    @Test(arguments: TestedStore.allCases)
    func rescueOfStoreWithItsFileIsRefused(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        let copy = "\(directory.directory)/copy"
        #expect(throws: StoreError.self) { try context.coordinator.rescueReplacedStore(to: copy) }
        #expect(!FileManager.default.fileExists(atPath: copy))
    }
}
