import Foundation
import Platform
import SQLiteDriver
import Testing

@testable import ObjectStore

/// The check of a log to which this process and, by mistake, another program write.
@Suite struct LogContentTests {
    private let directory = TemporaryStore()
    private let connection: SQLiteConnection
    private let index: OpenFile
    private var log: URL { URL(filePath: directory.path + "-wal") }

    init() throws {
        try FileManager.default.createDirectory(
            atPath: directory.directory, withIntermediateDirectories: true)
        connection = try SQLiteConnection(path: directory.path, mode: .create)
        try connection.execute("PRAGMA journal_mode=WAL; CREATE TABLE number(value)")
        index = try #require(OpenFile(directory.path + "-shm"))
    }

    private func save() throws { try connection.execute("INSERT INTO number VALUES (1)") }

    /// Saves, as the owner of the log does.
    private func save(_ content: inout LogContent) throws {
        let begin = SystemClock.fileNanoseconds
        try save()
        content.recordCommit(LogIndexReading(index), in: begin...SystemClock.fileNanoseconds)
    }

    /// Writes over the log without changing its size.
    private func overwriteLog(at offset: UInt64) throws {
        let file = try FileHandle(forWritingTo: log)
        try file.seek(toOffset: offset)
        try file.write(contentsOf: Data(repeating: 0, count: 8))
        try file.close()
        // A kernel with coarse times may give two writes the same time.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: log.path)
    }

    private func content() throws -> LogContent {
        try save()
        return try #require(LogContent(log.path, index: index))
    }

    private func check(_ content: inout LogContent, at time: Duration) -> LogContent.File? {
        content.check(LogIndexReading(index), at: time, allowingAge: .seconds(10))
        return content.overwritten
    }

    @Test func overwrittenFrameOfLogAtRestIsFoundAtOnce() throws {
        var content = try content()
        try overwriteLog(at: 32 + 24 + 100)
        #expect(check(&content, at: .zero) == .log)
    }

    @Test func overwrittenFrameIsFoundAfterSave() throws {
        var content = try content()
        try save(&content)
        #expect(check(&content, at: .milliseconds(100)) == nil)
        try save(&content)
        try overwriteLog(at: 32 + 24 + 100)
        #expect(check(&content, at: .milliseconds(200)) == .log)
    }

    /// Reading the time of the log at each save would make the saves slower.
    @Test func overwrittenFrameIsFoundAfterTenSecondsOfSaves() throws {
        var content = try content()
        try save(&content)
        try overwriteLog(at: 32 + 24 + 100)
        try save(&content)
        #expect(check(&content, at: .milliseconds(200)) == nil)
        try save(&content)
        #expect(check(&content, at: .seconds(10)) == .log)
    }

    @Test func overwrittenFrameIsFoundByCheckWithoutAge() throws {
        var content = try content()
        try save(&content)
        try overwriteLog(at: 32 + 24 + 100)
        try save(&content)
        content.check(LogIndexReading(index), at: .milliseconds(1), allowingAge: .zero)
        #expect(content.overwritten == .log)
    }

    @Test func overwrittenHeaderIsFoundDuringSaves() throws {
        var content = try content()
        try save(&content)
        #expect(check(&content, at: .milliseconds(100)) == nil)
        try overwriteLog(at: 16)
        #expect(check(&content, at: .milliseconds(101)) == .log)
    }

    @Test func overwrittenHeaderIsFoundByTheSaveItself() throws {
        var content = try content()
        let begin = SystemClock.fileNanoseconds
        try save()
        try overwriteLog(at: 16)
        content.recordCommit(LogIndexReading(index), in: begin...SystemClock.fileNanoseconds)
        #expect(content.overwritten == .log)
    }

    /// The check reads the file that SQLite has open. Another check compares the names.
    @Test func logOfAnotherNameIsNotOverwritten() throws {
        var content = try content()
        try save(&content)
        try save(&content)
        try Data().write(to: URL(filePath: log.path + "-other"))
        #expect(rename(log.path + "-other", log.path) == 0)
        content.check(LogIndexReading(index), at: .seconds(10), allowingAge: .zero)
        #expect(content.overwritten == nil)
    }

    @Test func savesOfAnotherConnectionAreNoOverwriting() throws {
        var content = try content()
        for number in 1...5 {
            try save()
            #expect(check(&content, at: .milliseconds(number)) == nil)
        }
    }
}
