import Foundation
import ObjectStore
import Reminders
import SQLiteDriver
import Testing

@testable import TodoDaemon

/// S6: the message of a start that fails because the store is not free.
@Suite struct StartErrorTests {
    private let directory = FileManager.default.temporaryDirectory.appending(
        path: "todod-\(UUID().uuidString)")
    private var path: String { directory.appending(path: "todo.sqlite").path }

    private func coordinator(readOnly: Bool = false) throws -> PersistentStoreCoordinator {
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(.sqlite(path: path, readOnly: readOnly))
        return coordinator
    }

    private func withDirectory(_ body: () throws -> Void) rethrows {
        defer { try? FileManager.default.removeItem(at: directory) }
        try body()
    }

    private func expect(_ text: String, _ error: StoreError?, isOfDaemon: Bool = false) throws {
        let error = try #require(error)
        #expect(StartError.text(for: error) == "\(path): \(text)")
        #expect(StartError.isOfRunningDaemon(error) == isOfDaemon)
    }

    @Test func storeOfAnotherDaemonIsInUse() throws {
        try withDirectory {
            let other = try coordinator()
            let error = try #require(throws: StoreError.self) { try coordinator() }
            let number = ProcessInfo.processInfo.processIdentifier
            #expect(
                StartError.text(for: error)
                    == "another todod is running: \(path): the process \(number) has the store open, which is this "
                    + "one; use that coordinator, or close it first; see 'systemctl --user status todod'")
            #expect(StartError.isOfRunningDaemon(error))
            other.close()
        }
    }

    @Test(arguments: [false, true]) func readerIsNoDaemon(withoutLockFile: Bool) throws {
        try withDirectory {
            try coordinator().close()
            let lockFile = path + ".lock"
            if withoutLockFile { try FileManager.default.removeItem(atPath: lockFile) }
            let reader = try coordinator(readOnly: true)
            let error = #expect(throws: StoreError.self) { try coordinator() }
            try expect("a program that reads it has the store open; stop it first", error)
            reader.close()
        }
    }

    @Test func lockOfAnotherProgramIsNoDaemon() throws {
        try withDirectory {
            let coordinator = try coordinator()
            coordinator.waitForLocks(seconds: 0)
            let other = try SQLiteConnection(path: path, mode: .readWrite)
            try other.execute("BEGIN IMMEDIATE")
            let error = #expect(throws: StoreError.self) { try coordinator.store?.setMetadataEntries([:]) }
            try expect(
                "another program has locked the database, so nothing was saved; end its transaction and try again "
                    + "(SQLite error 5: database is locked in: BEGIN IMMEDIATE)", error)
            coordinator.close()
        }
    }

    @Test func backgroundWriterIsNoDaemon() throws {
        try withDirectory {
            let coordinator = try coordinator()
            let writer = try #require(try coordinator.beginBackgroundWrite())
            let error = #expect(throws: StoreError.self) { try coordinator.store?.setMetadataEntries([:]) }
            try expect(
                "a background writer is changing the store, so nothing was saved; save again when it has ended",
                error)
            withExtendedLifetime(writer) {}
            coordinator.endBackgroundWrite()
            coordinator.close()
        }
    }

    @Test func commandFollowsAdviceToRestoreABackup() throws {
        try withDirectory {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            try Data().write(to: URL(filePath: path))
            let error = #expect(throws: StoreError.self) { try coordinator() }
            try expect(
                "the file is empty; remove it to begin with an empty store, or restore a backup with "
                    + "'todod --restore COPY'", error)
        }
    }

    /// A path may contain the words of the advice.
    @Test func pathIsNotTakenForAdvice() {
        let error = StoreError(.notADatabase, "the file is not a database", path: "/how to restore a backup")
        #expect(StartError.text(for: error) == "\(error)")
    }
}
