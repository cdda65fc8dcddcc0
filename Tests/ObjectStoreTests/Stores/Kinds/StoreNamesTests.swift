import Foundation
import ObjectStore
import Platform
import SQLiteDriver
import TestSupport
import Testing

@testable import ObjectStore

/// The names of the files that are made beside a store, and files that already exist there.
@Suite struct StoreNamesTests {
    let directory = TemporaryStore()
    private var copy: String { "\(directory.directory)/copy" }
    private var old: String { "\(directory.directory)/old" }

    private func configuration(_ kind: TestedStore) throws -> StoreConfiguration {
        StoreConfiguration(
            try #require(kind.storeKind), path: kind.path(in: directory))
    }

    private func contents(_ path: String) throws -> [String] {
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        try coordinator.addStore(.sqlite(path: path))
        defer { coordinator.close() }
        return try ManagedObjectContext(coordinator: coordinator).contents()
    }

    /// R8: A copy does not replace a file that gets its name while the copy is made.
    @Test(arguments: TestedStore.inFiles) func copyReplacesNoFile(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        defer { context.coordinator.close() }
        // Large enough to be copied in several steps.
        for _ in 0..<400 { try context.insert(Author.self).name = String(repeating: "x", count: 1_000) }
        try context.save()
        let mine = Data("mine".utf8)
        let path = copy
        let error = #expect(throws: StoreError.self) {
            try StoreBackup.copy(configuration(kind), to: path) { _ in
                (try? mine.write(to: URL(filePath: path))) != nil
            }
        }
        #expect(error?.path == path)
        #expect(try Data(contentsOf: URL(filePath: path)) == mine)
        #expect(try directory.files().filter { $0.hasPrefix("copy") } == ["copy"])
    }

    /// R8: A copy under a name that belongs to the store is refused, with any spelling of its directory.
    @Test(arguments: TestedStore.inFiles) func copyUnderNameOfStoreIsRefused(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        defer { context.coordinator.close() }
        let path = kind.path(in: directory)
        let files = try directory.files()
        let name = URL(filePath: path).lastPathComponent
        for suffix in [
            "-wal", "-shm", "-journal", ".new", ".migrating1", ".restoring", ".restoring.new",
        ] {
            for copy in [path + suffix, "\(directory.directory)/./\(name)\(suffix)"] {
                let error = #expect(throws: StoreError.self) {
                    try StoreBackup.copy(configuration(kind), to: copy)
                }
                #expect(error?.message.contains("choose another name") == true, "\(error as Any)")
            }
        }
        #expect(try directory.files() == files)
        #expect(!StoreBackup.isReserved(path + ".backup", by: try configuration(kind)))
        #expect(!StoreBackup.isReserved("/elsewhere/\(name)-wal", by: try configuration(kind)))
    }

    @Test(
        arguments: TestedStore.inFiles,
        [
            ".partial", ".new", ".partial-journal", ".draft.partial", ".0123456789ABC.partial",
            "2.0123456789abc.partial",
        ])
    func otherFileBesideCopyIsKept(_ kind: TestedStore, _ suffix: String) throws {
        let context = try kind.shelf(in: directory)
        defer { context.coordinator.close() }
        try Data("mine".utf8).write(to: URL(filePath: copy + suffix))
        try StoreBackup.copy(configuration(kind), to: copy)
        #expect(try Data(contentsOf: URL(filePath: copy + suffix)) == Data("mine".utf8))
    }

    /// A copy in progress has a lock, an interrupted one does not. A symbolic link is removed, not its target.
    @Test(arguments: TestedStore.inFiles)
    func leftoversOfInterruptedCopyAreRemoved(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        defer { context.coordinator.close() }
        let victim = "\(directory.directory)/victim"
        try Data("mine".utf8).write(to: URL(filePath: victim))
        let leftovers = ["0123456789abc", "zzzzzzzzzzzzz"].map { "\(copy).\($0).partial" }
        try Data().write(to: URL(filePath: leftovers[0]))
        try Data().write(to: URL(filePath: leftovers[0] + "-journal"))
        try FileManager.default.createSymbolicLink(atPath: leftovers[1], withDestinationPath: victim)
        let written = "\(copy).1111111111111.partial"
        try Data().write(to: URL(filePath: written))
        guard case .held(let lock) = FileLock.lock(written) else {
            Issue.record("the file cannot be locked")
            return
        }
        try StoreBackup.copy(configuration(kind), to: copy)
        #expect(
            try directory.files().filter { $0.hasPrefix("copy") }.sorted()
                == ["copy", "copy.1111111111111.partial"])
        #expect(try Data(contentsOf: URL(filePath: victim)) == Data("mine".utf8))
        withExtendedLifetime(lock) {}
    }

    /// R8: Opening a store removes the leftovers of a restoration that was killed.
    @Test(arguments: TestedStore.inFiles) func leftoversOfRestorationAreRemoved(_ kind: TestedStore) throws {
        try kind.shelf(in: directory).coordinator.close()
        let path = kind.path(in: directory)
        for suffix in ["", ".0123456789abc.partial", ".0123456789abc.partial-journal"] {
            try Data("x".utf8).write(to: URL(filePath: path + ".restoring" + suffix))
        }
        try kind.context(in: directory).coordinator.close()
        #expect(try directory.files().filter { $0.contains("restoring") } == [])
    }

    /// R8: The journal of a change that a crash interrupted does not stay beside the restored copy, into which it
    /// would be rolled back.
    @Test func journalDoesNotStayBesideCopy() throws {
        let context = try TestedStore.sqlite.shelf(in: directory)
        let present = try context.contents()
        let path = TestedStore.sqlite.path(in: directory)
        context.coordinator.close()
        let place = "\(directory.directory)/crashed.sqlite"
        // A transaction that exceeds its cache has changed pages of the file before it ends.
        let writer = try SQLiteConnection(path: path, mode: .readWrite)
        try writer.execute(
            "PRAGMA journal_mode=DELETE; PRAGMA cache_size=1; BEGIN; UPDATE \"Book\" SET \"title\" = 'half'")
        try writer.execute(
            "CREATE TABLE \"filler\" (\"text\"); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) "
                + "INSERT INTO \"filler\" SELECT hex(zeroblob(500)) FROM n")
        for suffix in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: place + suffix)
        }
        try writer.execute("ROLLBACK")
        writer.close()
        let other = try TestedStore.sqlite.context(in: directory)
        try other.insert(Author.self).name = "only in the copy"
        try other.save()
        let copied = try other.contents()
        other.coordinator.close()
        try StoreBackup.copy(.sqlite(path: path), to: copy)
        #expect(try StoreBackup.restore(.sqlite(path: place), from: copy, keeping: old))
        #expect(try contents(place) == copied)
        #expect(try contents(old) == present)
    }

    /// R8: A restoration moves the WAL of a crash into the file that it keeps, so that the file is complete at
    /// every moment.
    @Test func logIsMergedBeforeRestoration() throws {
        let context = try TestedStore.sqlite.shelf(in: directory)
        let path = TestedStore.sqlite.path(in: directory)
        try StoreBackup.copy(.sqlite(path: path), to: copy)
        try context.insert(Author.self).name = "late"
        try context.save()
        let place = "\(directory.directory)/crashed.sqlite"
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: place + suffix)
        }
        let present = try context.contents()
        context.coordinator.close()
        #expect(try StoreBackup.restore(.sqlite(path: place), from: copy, keeping: old))
        #expect(!FileManager.default.fileExists(atPath: old + "-wal"))
        #expect(try contents(old) == present)
    }

    /// R8: After a short write, the remaining bytes are written, too.
    @Test func shortWriteIsContinued() async {
        // The limit applies to a whole process.
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            let directory = TemporaryStore()
            try FileManager.default.createDirectory(
                atPath: directory.directory, withIntermediateDirectories: true)
            let file = try FileReplacement(of: "\(directory.directory)/file")
            try file.append([UInt8](repeating: 1, count: 1_000))
            try file.overwrite([2], at: 0)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let free = limit.rlim_cur
            limit.rlim_cur = 20
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            // The system writes 20 bytes, and refuses the remaining ones with an error.
            var code: StoreError.Code?
            do throws(StoreError) {
                try file.overwrite([UInt8](repeating: 3, count: 40), at: 0)
            } catch {
                code = error.code
            }
            limit.rlim_cur = free
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            try #require(code == .full)
        }
    }
}
