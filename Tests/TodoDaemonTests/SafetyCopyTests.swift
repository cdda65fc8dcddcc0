import CivilTime
import Foundation
import Testing

@testable import TodoDaemon

@Suite struct SafetyCopyTests {
    @Test func theLastOnesAreKept() throws {
        let daemon = try WalkingDaemon()
        let copies = try (0..<SafetyCopy.countLimit + 2).map { number in
            let moment = ManualClock.start + Double(number)
            return try #require(
                try SafetyCopy(store: daemon.workspace.store).make(before: "Import", at: moment) {})
        }
        let areThere = copies.map { FileManager.default.fileExists(atPath: $0) }
        #expect(areThere == copies.indices.map { $0 >= 2 })
    }
}
