import Foundation
import ObjectStore
import Reminders
import TestSupport
import Testing

@testable import TodoDaemon

@Suite struct SafetyCopyTests {
    /// The clock may have been ahead when the others were made.
    @Test(arguments: [1, -1] as [Double]) func theCopyThatWasJustMadeStays(direction: Double) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "todod-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let store = StoreConfiguration.sqlite(path: directory.appending(path: "todo.sqlite").path)
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(store)
        defer { coordinator.close() }
        var copies: [String] = []
        for day in 1...5 {
            let copy = try SafetyCopy(store: store).make(
                before: "Import", at: ManualClock.start + direction * Double(day) * 86_400, goesOn: {})
            copies.append(try #require(copy))
            #expect(FileManager.default.fileExists(atPath: copies[copies.count - 1]))
        }
        let left = copies.filter { FileManager.default.fileExists(atPath: $0) }
        #expect(left == (direction > 0 ? Array(copies[2...]) : [copies[0], copies[1], copies[4]]))
    }
}
