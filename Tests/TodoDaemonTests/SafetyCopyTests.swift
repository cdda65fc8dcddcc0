import Foundation
import ObjectStore
import Reminders
import TestSupport
import Testing

@testable import TodoService

@Suite struct SafetyCopyTests {
    /// The clock may have been ahead when the other copies were made.
    @Test(arguments: [1, -1] as [Double]) func newestCopyIsKept(direction: Double) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "todod-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let store = StoreConfiguration.sqlite(path: directory.appending(path: "todo.sqlite").path)
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(store)
        defer { coordinator.close() }
        var copies: [String] = []
        for day in 1...5 {
            let copy = try SafetyCopy(store: store).make(
                before: "Import", at: ManualClock.start + direction * Double(day) * 86_400, checkCancelled: {}
            )
            copies.append(try #require(copy))
            #expect(FileManager.default.fileExists(atPath: copies[copies.count - 1]))
        }
        let left = copies.filter { FileManager.default.fileExists(atPath: $0) }
        #expect(left == (direction > 0 ? Array(copies[2...]) : [copies[0], copies[1], copies[4]]))
    }

    @Test func similarlyNamedFileIsNeverRemoved() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "todod-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "todo.sqlite").path
        let store = StoreConfiguration.sqlite(path: path)
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(store)
        defer { coordinator.close() }
        let others = [
            "1.before-upgrade", "a.before-x", "20261121.before-Import", "20261121T003000Z.before-Import.old",
            "20261121T003000Z.before-", "20261121T003000.xZ.before-Import",
        ].map { "\(path).\($0).backup" }
        for other in others { try Data("mine".utf8).write(to: URL(filePath: other)) }
        for day in 1...5 {
            _ = try SafetyCopy(store: store).make(
                before: "Import", at: ManualClock.start + Double(day) * 86_400, checkCancelled: {})
        }
        #expect(others.allSatisfy { FileManager.default.fileExists(atPath: $0) })
    }

    @Test func interruptedCopyIsRemoved() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "todod-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let path = directory.appending(path: "todo.sqlite").path
        let token = "0d1x8k2n4q7rz"
        let copy = "20261121T003000Z.before-Import"
        let left = [
            "\(path).\(copy).backup.\(token).partial", "\(path).\(copy).2.backup.\(token).partial-journal",
        ]
        let others = [
            "\(path).\(copy).backup.partial", "\(path).\(copy).backup",
            "\(path).mine.backup.\(token).partial",
            "\(path)2.\(copy).backup.\(token).partial",
        ]
        for file in left + others { try Data("mine".utf8).write(to: URL(filePath: file)) }
        SafetyCopy(store: .sqlite(path: path)).removeInterruptedCopies()
        #expect(left.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
        #expect(others.allSatisfy { FileManager.default.fileExists(atPath: $0) })
    }

    @Test(arguments: [
        ("20261121T003000Z.before-Import", true), ("20261121T003000.25Z.before-UpdateItems.2", true),
        ("1.before-upgrade", false), ("20261121T003000Z", false),
    ])
    func onlyNamesOfSafetyCopiesAreReserved(name: String, isReserved: Bool) {
        #expect(
            SafetyCopy.isReserved("/a/todo.sqlite.\(name).backup", by: "/a/todo.sqlite") == isReserved)
    }
}
