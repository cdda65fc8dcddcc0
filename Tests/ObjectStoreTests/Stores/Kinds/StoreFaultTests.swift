import Foundation
import ObjectStore
import TestSupport
import Testing

/// After a failed write the file is unchanged, and the context still has its changes, which can be saved
/// again.
@Suite struct StoreFaultTests {
    let directory = TemporaryStore()

    @Test(arguments: TestedStore.wholeFiles)
    func oldFileIsKeptIfNewFileCannotBeMade(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        let before = try Data(contentsOf: URL(fileURLWithPath: kind.path(in: directory)))
        // A directory of that name prevents the write even for root.
        let temporary = kind.path(in: directory) + ".new"
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        try context.insert(Author.self).name = "new"
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .unreachable)
        #expect(context.insertedObjects.count == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: kind.path(in: directory))) == before)
        try FileManager.default.removeItem(atPath: temporary)
        try context.save()
        context.coordinator.close()
        #expect(try kind.context(in: directory).count(FetchRequest<Author>()) == 3)
    }

    @Test(arguments: TestedStore.wholeFiles)
    func batchIsRolledBackIfItCannotBeWritten(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        let before = try context.contents()
        let temporary = kind.path(in: directory) + ".new"
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        #expect(throws: StoreError.self) {
            try context.coordinator.batch {
                try context.deleteAll(FetchRequest<Book>())
                try context.insert(Author.self).name = "new"
                try context.save()
            }
        }
        let other = ManagedObjectContext(coordinator: context.coordinator)
        #expect(try other.contents() == before)
        #expect(context.insertedObjects.count == 1)
    }

    // The limit applies to a whole process, so the test runs in its own.
    @Test func oldFileIsKeptWithoutSpace() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            for kind in TestedStore.wholeFiles {
                let directory = TemporaryStore()
                let context = try kind.shelf(in: directory)
                let path = kind.path(in: directory)
                let before = try Data(contentsOf: URL(fileURLWithPath: path))
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                let free = limit.rlim_cur
                for size in [0, 10, before.count, before.count + 1000] {
                    let author = try context.insert(Author.self)
                    author.name = String(repeating: "x", count: 300_000)
                    limit.rlim_cur = rlim_t(size)
                    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                    let error = #expect(throws: StoreError.self) { try context.save() }
                    limit.rlim_cur = free
                    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                    try #require(error?.code == .full)
                    try #require(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
                    try #require(!FileManager.default.fileExists(atPath: path + ".new"))
                    try context.delete(author)
                }
                try context.insert(Author.self).name = "fits"
                try context.save()
            }
        }
    }

    @Test func oldFileIsKeptWithoutWritePermission() async {
        await #expect(processExitsWith: .success) {
            for kind in TestedStore.wholeFiles {
                let directory = TemporaryStore()
                let context = try kind.shelf(in: directory)
                let path = kind.path(in: directory)
                let before = try Data(contentsOf: URL(fileURLWithPath: path))
                try context.insert(Author.self).name = "new"
                let isRoot = geteuid() == 0
                chmod(directory.directory, 0o555)
                chmod(path, 0o644)
                // Root may write everything, so the effective user is changed.
                if isRoot { try #require(seteuid(65534) == 0) }
                let error = #expect(throws: StoreError.self) { try context.save() }
                if isRoot { try #require(seteuid(0) == 0) }
                chmod(directory.directory, 0o700)
                try #require(error?.code == .unreachable)
                try #require(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
                try context.save()
            }
        }
    }
}
