import Foundation
import Platform
import Testing

/// Files that are replaced while an operation of the file system fails.
@Suite struct PartialFileTests {
    private let directory = FileManager.default.temporaryDirectory.appending(
        path: "todod-platform-\(UUID().uuidString)"
    ).path
    private var path: String { "\(directory)/file" }

    private func inDirectory(_ body: () throws -> Void) throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try body()
    }

    private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func names() throws -> [String] { try FileSystem.names(in: directory).sorted() }

    private static let failures: [(FileFault.Operation, Int32)] = [
        (.open, EACCES), (.write, ENOSPC), (.synchronize, EIO), (.status, EIO), (.close, EIO),
        (.rename, EROFS),
    ]

    @Test(arguments: failures)
    func failedReplacementKeepsOldFile(operation: FileFault.Operation, code: Int32) throws {
        try inDirectory {
            try SmallFile.replace(path, with: Array("old".utf8))
            FileFault.inject(operation, at: path, code: code) {
                let error = #expect(throws: SystemError.self) {
                    try SmallFile.replace(path, with: Array("new".utf8))
                }
                #expect(error?.code == code)
            }
            #expect(try text() == "old")
            #expect(try names() == ["file"])
            try SmallFile.replace(path, with: Array("new".utf8))
            #expect(try text() == "new")
        }
    }

    /// The sync of the directory comes after the new name.
    @Test func replacementThatPowerLossMayUndoIsReported() throws {
        try inDirectory {
            try SmallFile.replace(path, with: Array("old".utf8))
            let file = try PartialFile(of: path, isNew: false)
            try file.write(Array("new".utf8)[...])
            let outcome = try FileFault.inject(.synchronize, at: directory, isExactPath: true, code: EIO) {
                try file.finish()
            }
            #expect(outcome.durabilityError?.code == EIO)
            #expect(try text() == "new")
        }
    }

    @Test func newFileDoesNotReplaceOther() throws {
        try inDirectory {
            let file = try PartialFile(of: path, isNew: true)
            try file.write(Array("new".utf8)[...])
            try Data("other".utf8).write(to: URL(filePath: path))
            let error = #expect(throws: SystemError.self) { try file.finish() }
            #expect(error?.isExisting == true)
            #expect(try text() == "other")
            #expect(try names() == ["file"])
        }
    }

    @Test func unfinishedFileIsRemoved() throws {
        try inDirectory {
            do {
                let file = try PartialFile(of: path, isNew: true)
                try file.write([1])
                #expect(try names().count == 1)
            }
            #expect(try names().isEmpty)
        }
    }

    @Test func fileOfRunningCopyIsKept() throws {
        try inDirectory {
            let running = try PartialFile(of: path, isNew: true)
            try Data().write(to: URL(filePath: "\(path).0123456789abc.partial"))
            PartialFile.removeLeftovers(of: path)
            #expect(try names() == [FileSystem.split(running.temporaryPath).name])
        }
    }

    @Test(arguments: [
        ("copy.0d1x8k2n4q7rz.partial", "copy"), ("a.b.0d1x8k2n4q7rz.partial-journal", "a.b"),
        (".0d1x8k2n4q7rz.partial", ""), ("copy.0d1x8k2n4q7r.partial", nil),
        ("copy.0D1X8K2N4Q7RZ.partial", nil),
        ("0d1x8k2n4q7rz.partial", nil), ("copy.partial", nil), ("copy", nil),
    ])
    func temporaryNameIsRecognized(name: String, copy: String?) {
        #expect(PartialFile.copyName(of: name) == copy)
    }
}
