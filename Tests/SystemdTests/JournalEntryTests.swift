import Foundation
import Testing
import TodoAPI

@testable import Systemd

@Suite struct JournalEntryTests {
    @Test func entryHasFieldsOfJournal() {
        let entry = JournalEntry(
            "hello", id: .alert, priority: .notice, fields: [(name: "TODO_ID", value: "3")])
        #expect(
            entry.allFields.map { "\($0.name)=\($0.value)" } == [
                "MESSAGE=hello", "PRIORITY=5", "SYSLOG_IDENTIFIER=todod",
                "MESSAGE_ID=\(MessageID.alert.rawValue)", "TODO_ID=3",
            ])
    }

    @Test func clientSearchesForMessagesOfDaemon() {
        #expect(
            AlertEntry.messageIDs
                == [MessageID.alert, .missedAlert, .snoozedAlert, .overdueAlert, .reminderAlert].map(
                    \.rawValue))
    }

    /// The catalog explains every kind of entry that the code can write, and no other.
    @Test func catalogExplainsEveryMessage() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "systemd/todod.catalog"), encoding: .utf8)
        let ids = text.split(separator: "\n").filter { $0.hasPrefix("-- ") }.map { String($0.dropFirst(3)) }
        #expect(Set(ids) == Set(MessageID.allCases.map(\.rawValue)))
        #expect(ids.count == Set(ids).count)
    }
}
