import Foundation
import ObjectStore
import TestSupport
import Testing

/// Restoring a copy, with the same behavior for every kind of file.
@Suite struct StoreRestorationTests {
    let directory = TemporaryStore()

    private var copy: String { "\(directory.directory)/copy" }
    private var old: String { "\(directory.directory)/old" }

    private func configuration(_ kind: TestedStore) throws -> StoreConfiguration {
        StoreConfiguration(
            try #require(kind.storeKind), path: kind.path(in: directory))
    }

    private func contents(_ kind: TestedStore, _ path: String) throws -> [String] {
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        try coordinator.addStore(StoreConfiguration(configuration(kind).kind, path: path))
        defer { coordinator.close() }
        return try ManagedObjectContext(coordinator: coordinator).contents()
    }

    /// A store, a copy of it, and a change that was saved afterwards.
    private func changedSinceItsCopy(_ kind: TestedStore) throws -> (
        copied: [String], present: [String], context: ManagedObjectContext
    ) {
        let context = try kind.shelf(in: directory)
        let copied = try context.contents()
        try StoreBackup.copy(configuration(kind), to: copy)
        try context.insert(Author.self).name = "late"
        try context.save()
        return (copied, try context.contents(), context)
    }

    @Test(arguments: TestedStore.inFiles)
    func copyReplacesStore(_ kind: TestedStore) throws {
        let (copied, present, context) = try changedSinceItsCopy(kind)
        context.coordinator.close()
        let bytes = try Data(contentsOf: URL(filePath: copy))
        // The leftover of a crash in an earlier restoration does no harm.
        try Data("x".utf8).write(to: URL(filePath: kind.path(in: directory) + ".restoring"))
        #expect(try StoreBackup.restore(configuration(kind), from: copy, keeping: old))
        #expect(try Data(contentsOf: URL(filePath: copy)) == bytes)
        #expect(try directory.files().filter { $0.contains(".restoring") } == [])
        #expect(try contents(kind, kind.path(in: directory)) == copied)
        #expect(try contents(kind, old) == present)
    }

    @Test(arguments: TestedStore.inFiles)
    func copyIsRestoredWithoutStore(_ kind: TestedStore) throws {
        let (copied, _, context) = try changedSinceItsCopy(kind)
        context.coordinator.close()
        let store = StoreConfiguration(
            try configuration(kind).kind, path: "\(directory.directory)/new/store")
        #expect(try StoreBackup.restore(store, from: copy, keeping: old) == false)
        #expect(try contents(kind, try #require(store.path)) == copied)
        #expect(FileManager.default.fileExists(atPath: old) == false)
    }

    /// Beside another database, SQLite would take the WAL for that database's own.
    @Test(arguments: [false, true]) func logOfCrashIsMovedWithItsDatabase(databaseIsGone: Bool) throws {
        let (copied, present, context) = try changedSinceItsCopy(.sqlite)
        let path = TestedStore.sqlite.path(in: directory)
        let place = "\(directory.directory)/crashed.sqlite"
        for suffix in ["", "-wal", "-shm"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: place + suffix)
        }
        context.coordinator.close()
        if databaseIsGone { try FileManager.default.removeItem(atPath: place) }
        #expect(try StoreBackup.restore(.sqlite(path: place), from: copy, keeping: old))
        #expect(try contents(.sqlite, place) == copied)
        if !databaseIsGone { #expect(try contents(.sqlite, old) == present) }
        #expect(FileManager.default.fileExists(atPath: old + "-wal") == databaseIsGone)
    }

    @Test(arguments: [true, false]) func restorationFollowsLink(isThere: Bool) throws {
        let (copied, present, context) = try changedSinceItsCopy(.sqlite)
        context.coordinator.close()
        let link = "\(directory.directory)/link"
        let path = TestedStore.sqlite.path(in: directory)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        if !isThere { try FileManager.default.removeItem(atPath: path) }
        #expect(try StoreBackup.restore(.sqlite(path: link), from: copy, keeping: old) == isThere)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
        #expect(try contents(.sqlite, path) == copied)
        if isThere { #expect(try contents(.sqlite, old) == present) }
    }

    enum Hindrance: String, CaseIterable {
        case storeIsOpen, copyIsDamaged, copyIsOfAnotherKind, copyIsMissing, nameIsTaken
    }

    @Test(arguments: TestedStore.inFiles, Hindrance.allCases)
    func failedRestorationChangesNothing(_ kind: TestedStore, _ hindrance: Hindrance) throws {
        let (_, _, context) = try changedSinceItsCopy(kind)
        var code = StoreError.Code.damaged
        switch hindrance {
        case .storeIsOpen: code = .inUse
        case .copyIsDamaged:
            var bytes = try Data(contentsOf: URL(filePath: copy))
            let middle = bytes.count / 2
            for position in middle..<min(middle + 5000, bytes.count) { bytes[position] = UInt8(ascii: "<") }
            try bytes.write(to: URL(filePath: copy))
        case .copyIsOfAnotherKind:
            code = .notADatabase
            try Data("Dear diary, today I restored nothing.".utf8).write(to: URL(filePath: copy))
        case .copyIsMissing:
            code = .unreachable
            try FileManager.default.removeItem(atPath: copy)
        case .nameIsTaken:
            code = .unreachable
            try Data("x".utf8).write(to: URL(filePath: old))
        }
        if hindrance != .storeIsOpen { context.coordinator.close() }
        let before = try directory.files().filter { !$0.hasSuffix(".lock") }
        let bytes = try Data(contentsOf: URL(filePath: kind.path(in: directory)))
        let error = #expect(throws: StoreError.self) {
            try StoreBackup.restore(configuration(kind), from: copy, keeping: old)
        }
        #expect(error?.code == code, "\(error.map(String.init(describing:)) ?? "")")
        #expect(try directory.files().filter { !$0.hasSuffix(".lock") } == before)
        #expect(try Data(contentsOf: URL(filePath: kind.path(in: directory))) == bytes)
        context.coordinator.close()
    }

    @Test func storeInMemoryCannotBeRestored() {
        #expect(throws: StoreError.self) {
            try StoreBackup.restore(.memory, from: copy, keeping: old)
        }
    }
}
