import Foundation
import Platform
import Testing

@Suite struct FileSystemTests {
    private func inDirectory(_ body: (_ directory: String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(
            path: "todod-platform-\(UUID().uuidString)"
        ).path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try body(directory)
    }

    @Test(arguments: [
        ("/a/b", "/a", "b"), ("/a", "/", "a"), ("a", ".", "a"), ("a/b/c", "a/b", "c"), ("/a/", "/a", ""),
    ])
    func pathIsSplit(path: String, directory: String, name: String) {
        #expect(FileSystem.split(path) == (directory, name))
    }

    @Test func pathHasOneSpelling() throws {
        let current = try #require(FileSystem.currentDirectory)
        #expect(FileSystem.normalized("//a/./b//c/") == "/a/b/c/")
        #expect(FileSystem.normalized("a") == "\(current)/a")
    }

    @Test func linkIsFollowedToMissingFile() throws {
        try inDirectory { directory in
            let manager = FileManager.default
            try manager.createSymbolicLink(atPath: "\(directory)/first", withDestinationPath: "second")
            try manager.createSymbolicLink(
                atPath: "\(directory)/second", withDestinationPath: "\(directory)/missing")
            #expect(FileSystem.target("\(directory)/first") == "\(directory)/missing")
            #expect(FileSystem.link(at: "\(directory)/first") == "second")
            #expect(FileSystem.link(at: "\(directory)/missing") == nil)
            #expect(try FileStatus(of: "\(directory)/first", followsLinks: false).kind == .link)
            #expect(FileSystem.isMissing("\(directory)/first"))
        }
    }

    @Test func nearestExistingDirectoryIsFound() throws {
        try inDirectory { directory in
            #expect(try FileSystem.existingPart(of: "\(directory)/a/b/c") == directory)
            try FileSystem.makeDirectory(of: "\(directory)/a/b/c")
            #expect(try FileSystem.existingPart(of: "\(directory)/a/b/c") == "\(directory)/a/b")
            #expect(try FileStatus(of: "\(directory)/a/b").permissions == 0o700)
        }
    }

    @Test func renameToNewNameReplacesNothing() throws {
        try inDirectory { directory in
            try Data("old".utf8).write(to: URL(filePath: "\(directory)/old"))
            try Data("new".utf8).write(to: URL(filePath: "\(directory)/new"))
            let error = #expect(throws: SystemError.self) {
                try FileSystem.rename("\(directory)/new", to: "\(directory)/old", replacesExisting: false)
            }
            #expect(error?.isExisting == true)
            try FileSystem.rename("\(directory)/new", to: "\(directory)/old")
            #expect(try SmallFile.read("\(directory)/old") == Array("new".utf8))
            #expect(try FileSystem.names(in: directory) == ["old"])
        }
    }

    @Test func stampsTellReplacedFileFromWrittenFile() throws {
        try inDirectory { directory in
            let path = "\(directory)/file"
            try Data("1".utf8).write(to: URL(filePath: path))
            let first = try FileStatus(of: path).stamp
            #expect(try FileStatus(of: path).stamp == first)
            let file = try FileDescriptor(opening: path, for: .writing)
            try file.write(Array("23".utf8)[...], at: 1)
            let written = try file.status().stamp
            #expect(written != first)
            #expect(written.isSameFile(as: first))
            try FileSystem.rename(path, to: "\(directory)/kept")
            try Data("1".utf8).write(to: URL(filePath: path))
            #expect(try !FileStatus(of: path).stamp.isSameFile(as: first))
        }
    }

    @Test func errorNamesOperationAndReason() throws {
        let error = #expect(throws: SystemError.self) { try FileStatus(of: "/nonexistent/file") }
        #expect(error?.description == "cannot examine /nonexistent/file: No such file or directory")
    }

    @Test func fileIsReadUpToLimit() throws {
        try inDirectory { directory in
            let path = "\(directory)/file"
            try Data(repeating: 7, count: 100_000).write(to: URL(filePath: path))
            let whole = try FileDescriptor(opening: path, for: .reading)
            #expect(try whole.remainingBytes(limit: 100_000)?.count == 100_000)
            let long = try FileDescriptor(opening: path, for: .reading)
            #expect(try long.remainingBytes(limit: 99_999) == nil)
            let injected = try FileDescriptor(opening: path, for: .reading)
            let error = FileFault.inject(.read, at: path, code: EIO) {
                #expect(throws: SystemError.self) { try injected.bytes(count: 1) }
            }
            #expect(error?.code == EIO)
        }
    }

    @Test func lockOfFileExcludesOtherPrograms() throws {
        try inDirectory { directory in
            let path = "\(directory)/file"
            try Data("1".utf8).write(to: URL(filePath: path))
            let first = try FileDescriptor(opening: path, for: .reading)
            let second = try FileDescriptor(opening: path, for: .reading)
            #expect(try first.lock())
            #expect(try !second.lock())
            #expect(try first.lock(isShared: true))
            #expect(try second.lock(isShared: true))
            first.unlock()
            #expect(try second.lock())
        }
    }
}
