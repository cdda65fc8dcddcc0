import Foundation
import ObjectStore
import SQLiteDriver
import TestSupport
import Testing

/// The WAL of a database after a crash, and after damage.
@Suite struct LogCheckTests {
    private static let headerSize = 32
    private static let frameHeaderSize = 24

    let directory = TemporaryStore()
    private var place: String { "\(directory.directory)/crashed.sqlite" }

    /// The WAL after a kill that follows `count` saves, and the end of each transaction in it.
    private func crash(afterSaves count: Int) throws -> (log: [UInt8], ends: [Int]) {
        let context = try TestedStore.sqlite.context(in: directory)
        let path = TestedStore.sqlite.path(in: directory)
        defer { context.coordinator.close() }
        var ends: [Int] = []
        func logSize() throws -> Int { try Data(contentsOf: URL(filePath: path + "-wal")).count }
        for number in 1...count {
            try context.insert(Author.self).name = "author \(number)"
            try context.save()
            ends.append(try logSize())
        }
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: place + suffix)
        }
        return (Array(try Data(contentsOf: URL(filePath: place + "-wal"))), ends)
    }

    /// The number of names in the store when it is opened with that WAL.
    private func count(with log: [UInt8]) throws -> Int {
        let copy = "\(directory.directory)/\(UUID().uuidString).sqlite"
        try FileManager.default.copyItem(atPath: place, toPath: copy)
        try Data(log).write(to: URL(filePath: copy + "-wal"))
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        defer { coordinator.close() }
        try coordinator.addStore(.sqlite(path: copy))
        return try ManagedObjectContext(coordinator: coordinator).count(FetchRequest<Author>())
    }

    /// R6: A WAL that a crash has truncated anywhere opens with all complete transactions.
    @Test func truncatedLogOpens() throws {
        let (log, ends) = try crash(afterSaves: 6)
        let sizes = Set(stride(from: 0, through: log.count, by: 1_031)).union(ends).union(ends.map { $0 - 1 })
        for size in sizes.sorted() {
            #expect(try count(with: Array(log.prefix(size))) == ends.count { $0 <= size }, "\(size)")
        }
    }

    /// SQLite can write wrong checksums after the rollback of a savepoint that was too large for its cache.
    @Test func refusedLargeSaveLeavesLogWhole() throws {
        let context = try TestedStore.sqlite.context(in: directory)
        defer { context.coordinator.close() }
        let path = TestedStore.sqlite.path(in: directory)
        let authors = try (1...20).map { _ in try context.insert(Author.self) }
        for author in authors { author.name = String(repeating: "a", count: 500_000) }
        try context.save()
        // A reader keeps the pages of later transactions in the log.
        let reader = try SQLiteConnection(path: path, mode: .readOnly)
        try reader.execute("BEGIN; SELECT count(*) FROM Author")
        try context.coordinator.batch {
            for author in authors { author.name = String(repeating: "b", count: 1_000_000) }
            _ = try context.count(FetchRequest<Author>())
            context.rollback()
            try context.insert(Author.self).name = "saved"
            try context.save()
        }
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: place + suffix)
        }
        #expect(try count(with: Array(try Data(contentsOf: URL(filePath: place + "-wal")))) == 21)
    }

    /// R6: Pages of the last transaction that did not reach the disk are no damage.
    @Test func unfinishedTransactionOpens() throws {
        let (log, ends) = try crash(afterSaves: 6)
        let frame = Self.frameHeaderSize + 4096
        for start in stride(from: ends[4], to: ends[5], by: frame) {
            var torn = log
            for position in start..<start + frame { torn[position] = 0 }
            #expect(try count(with: torn) == 5)
        }
    }

    /// R6: Damage before the last transaction is an error that says how many changes are lost. Nothing is
    /// written.
    @Test func damagedLogIsRefused() throws {
        let (log, ends) = try crash(afterSaves: 6)
        var inFirst = log
        inFirst[Self.headerSize + Self.frameHeaderSize + 7] ^= 1
        var inFourth = log
        inFourth[ends[2] + Self.frameHeaderSize + 7] ^= 1
        var inHeader = log
        inHeader[25] ^= 1
        // The first transaction made the indexes.
        var inMagic = log
        inMagic[0] ^= 1
        var inSalt = log
        inSalt[17] ^= 1
        let noHeader = Array(repeating: 0, count: Self.headerSize) + log[Self.headerSize...]
        let noFirstFrame = Array(repeating: 0, count: 4096) + log[4096...]
        for (damaged, lost) in [
            (inFirst, 6), (inFourth, 2), (inHeader, 7), (inMagic, 7), (inSalt, 7), (noHeader, 7),
            (noFirstFrame, 7),
        ] {
            let error = #expect(throws: StoreError.self) { try count(with: damaged) }
            #expect(error?.code == .damaged)
            #expect(
                error?.message.contains("at least \(lost) saved changes in it cannot be read") == true,
                "\(error as Any)")
        }
    }

    /// R6: A header that a crash has left incomplete at the beginning of a new WAL loses nothing: all older frames are in
    /// the database.
    @Test(arguments: [0, 8, 16, 24]) func incompleteHeaderOfNewLogOpens(offset: Int) throws {
        let context = try TestedStore.sqlite.context(in: directory)
        let path = TestedStore.sqlite.path(in: directory)
        defer { context.coordinator.close() }
        let shell = try SQLiteConnection(path: path, mode: .readWrite)
        // The second WAL is shorter than the first one, the third is empty.
        for number in 1...8 {
            try context.insert(Author.self).name = "author \(number)"
            try context.save()
            if number == 6 || number == 8 { _ = try shell.integer("PRAGMA wal_checkpoint(RESTART)") }
        }
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: place + suffix)
        }
        var log = Array(try Data(contentsOf: URL(filePath: place + "-wal")))
        for position in offset..<offset + 8 { log[position] ^= 0x5A }
        #expect(try count(with: log) == 8)
    }

    /// R6: The advice of the error works: the store opens with the changes before the damage.
    @Test func storeOpensWithChangesBeforeDamage() throws {
        var (log, ends) = try crash(afterSaves: 6)
        log[ends[2] + Self.frameHeaderSize + 7] ^= 1
        try Data(log).write(to: URL(filePath: place + "-wal"))
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        #expect(throws: StoreError.self) { try coordinator.addStore(.sqlite(path: place)) }
        let shell = try SQLiteConnection(path: place, mode: .readWrite)
        _ = try shell.integer("PRAGMA wal_checkpoint(TRUNCATE)")
        shell.close()
        try coordinator.addStore(.sqlite(path: place))
        #expect(try ManagedObjectContext(coordinator: coordinator).count(FetchRequest<Author>()) == 3)
        coordinator.close()
    }

    /// R6: A WAL that was started again ends with frames of the previous one, which belong to no change.
    @Test func restartedLogOpens() throws {
        let context = try TestedStore.sqlite.context(in: directory)
        let path = TestedStore.sqlite.path(in: directory)
        defer { context.coordinator.close() }
        let shell = try SQLiteConnection(path: path, mode: .readWrite)
        for number in 1...8 {
            try context.insert(Author.self).name = "author \(number)"
            try context.save()
            if number == 6 { _ = try shell.integer("PRAGMA wal_checkpoint(RESTART)") }
        }
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: place + suffix)
        }
        #expect(try count(with: Array(Data(contentsOf: URL(filePath: place + "-wal")))) == 8)
    }
}
