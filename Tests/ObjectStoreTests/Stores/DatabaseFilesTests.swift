import Foundation
import Glibc
import Platform
import Testing

@testable import ObjectStore

@Suite struct DatabaseFilesTests {
    private let store = TemporaryStore()

    @Test func logThatCannotBeRenamedIsAnError() throws {
        let context = try store.context()
        try context.insert(Author.self).name = "A"
        try context.save()
        let files = try #require(try DatabaseFiles(of: store.path))
        let kept = store.path + ".kept-wal"
        let error = #expect(throws: StoreError.self) {
            try FileFault.inject(.rename, at: kept, code: ENOSPC) { try files.keepLog(as: kept) }
        }
        #expect(error?.code == .full)
        #expect(FileManager.default.fileExists(atPath: store.path + "-wal"))
        try files.keepLog(as: kept)
        #expect(FileManager.default.fileExists(atPath: kept))
        #expect(!FileManager.default.fileExists(atPath: store.path + "-wal"))
    }

    /// Without the lock on its file, another program could open the store at the same time.
    @Test func storeThatCannotBeLockedForLackOfDescriptorsIsNotOpened() throws {
        try store.coordinator().close()
        let error = #expect(throws: StoreError.self) {
            try FileFault.inject(.open, at: store.path, isExactPath: true, code: EMFILE) {
                try store.coordinator().close()
            }
        }
        #expect(error?.message == "it cannot be locked: Too many open files")
        try store.coordinator().close()
    }
}
