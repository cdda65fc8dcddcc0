import Foundation
import Platform
import TestSupport
import Testing

@testable import TodoClient

/// Copies that the client writes for the daemon, after an earlier one was interrupted.
@Suite struct FetchedFileTests {
    private let directory = FileManager.default.temporaryDirectory.appending(
        path: "todod-fetched-\(UUID().uuidString)")
    private var path: String { directory.appending(path: "copy").path }
    /// The temporary name of an interrupted copy.
    private var partial: String { path + ".0123456789abc.partial" }

    private func fetch() throws {
        let source = directory.appending(path: "source")
        try Data("whole".utf8).write(to: source)
        try FetchedFile(source: source.path).copy(to: path)
    }

    private func inDirectory(_ body: () throws -> Void) throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try body()
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test func leftoverIsReplaced() throws {
        try inDirectory {
            try Data("left from an interrupted copy".utf8).write(to: URL(filePath: partial))
            try fetch()
            #expect(try text(path) == "whole")
            #expect(!FileManager.default.fileExists(atPath: partial))
        }
    }

    /// A copy that was interrupted just after it got its name still has two names.
    @Test func completeCopyWithSecondNameIsKept() throws {
        try inDirectory {
            let earlier = directory.appending(path: "earlier").path
            try Data("earlier".utf8).write(to: URL(filePath: earlier))
            #expect(link(earlier, partial) == 0)
            try fetch()
            #expect(try text(path) == "whole")
            #expect(try text(earlier) == "earlier")
        }
    }

    @Test func fileOfRunningCopyIsKept() throws {
        try inDirectory {
            try Data("a part".utf8).write(to: URL(filePath: partial))
            guard case .held(let lock) = FileLock.lock(partial) else {
                Issue.record("the file cannot be locked")
                return
            }
            try fetch()
            #expect(try text(partial) == "a part")
            withExtendedLifetime(lock) {}
            #expect(try text(path) == "whole")
        }
    }

    @Test(arguments: [".partial", ".draft.partial", "2.0123456789abc.partial", ".0123456789ABC.partial"])
    func otherFileIsKept(suffix: String) throws {
        try inDirectory {
            try Data("mine".utf8).write(to: URL(filePath: path + suffix))
            try fetch()
            #expect(try text(path) == "whole")
            #expect(try text(path + suffix) == "mine")
        }
    }

    @Test func existingFileIsRefused() throws {
        try inDirectory {
            try Data("mine".utf8).write(to: URL(filePath: path))
            #expect(throws: FetchedFile.Failure.self) { try fetch() }
            #expect(try text(path) == "mine")
        }
    }
}
