import Foundation
import ObjectStore
import TestSupport
import Testing

// Tokens, and histories of which the beginning is gone.
extension HistoryTests {
    @Test func tokenIsReadBackFromTextAndJSON() throws {
        let context = try context()
        try author("Jane", context)
        try context.save()
        let token = try context.coordinator.lastHistoryToken()
        #expect(HistoryToken(token.description) == token)
        #expect(try JSONDecoder().decode([HistoryToken].self, from: JSONEncoder().encode([token])) == [token])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([HistoryToken].self, from: Data(#"["1"]"#.utf8))
        }
        for text in ["", "1", "\(token.store)/1", "\(token.store)/1/x", "\(token)/1", "x/1/1"] {
            #expect(HistoryToken(text) == nil)
        }
    }

    @Test func transactionsAfterTokenAreReadAcrossRestarts() throws {
        var tokens: [HistoryToken] = []
        for name in ["a", "b", "c"] {
            let context = try context()
            tokens.append(try context.coordinator.lastHistoryToken())
            try author(name, context)
            try context.save()
            context.coordinator.close()
        }
        let context = try context()
        #expect(tokens.map(\.number) == [0, 1, 2])
        #expect(try changes(context, after: tokens[0]).count == 3)
        #expect(try changes(context, after: tokens[2]) == [["inserted Author 3"]])
        #expect(try context.coordinator.history(after: tokens[0], limit: 2).map(\.number) == [1, 2])
        #expect(try context.coordinator.history(after: context.coordinator.lastHistoryToken()).isEmpty)
    }

    @Test func purgedTokenIsRefused() throws {
        let context = try context()
        var tokens = [try context.coordinator.lastHistoryToken()]
        for name in ["a", "b", "c"] {
            try author(name, context)
            try context.save()
            tokens.append(try context.coordinator.lastHistoryToken())
        }
        try context.coordinator.purgeHistory(before: tokens[2])
        #expect(try changes(context, after: tokens[2]) == [["inserted Author 3"]])
        #expect(try context.coordinator.history().map(\.number) == [2, 3])
        for token in tokens[0...1] {
            let error = try #require(throws: StoreError.self) {
                try context.coordinator.history(after: token)
            }
            #expect(error.code == .historyLost)
            #expect(error.message.contains("the transactions up to 1 were purged"))
        }
        #expect(try store.rows("SELECT DISTINCT number FROM _changes") == ["2", "3"])
    }

    @Test func lastTokenOutlivesPurgeOfEverything() throws {
        let context = try context()
        try author("a", context)
        try context.save()
        let token = try context.coordinator.lastHistoryToken()
        try context.coordinator.purgeHistory(before: Timestamp(secondsSince1970: 1e12))
        #expect(try context.coordinator.history(after: token).isEmpty)
        try author("b", context)
        try context.save()
        #expect(try changes(context, after: token) == [["inserted Author 2"]])
    }

    @Test func purgeBeforeTimeKeepsLastTransactionBeforeIt() throws {
        let context = try context()
        for name in ["a", "b", "c", "d", "e"] {
            try author(name, context)
            try context.save()
        }
        // The clock was set back before the transaction 4.
        for (number, time) in [(1, 10), (2, 20), (3, 30), (4, 15), (5, 40)] {
            try store.execute("UPDATE _transactions SET time = \(time) WHERE number = \(number)")
        }
        try context.coordinator.purgeHistory(before: Timestamp(secondsSince1970: 5))
        #expect(try context.coordinator.history().count == 5)
        try context.coordinator.purgeHistory(before: Timestamp(secondsSince1970: 25))
        #expect(try context.coordinator.history().map(\.number) == [2, 3, 4, 5])
        try context.coordinator.purgeHistory(before: Timestamp(secondsSince1970: 35))
        #expect(try context.coordinator.history().map(\.number) == [4, 5])
    }

    @Test func purgeRemovesLimitedNumberOfChangesAtOnce() throws {
        let context = try context()
        for name in "abcdefghij" {
            try author("\(name)", context)
            try context.save()
        }
        let coordinator = context.coordinator
        func numbers() throws -> [Int64] { try coordinator.history().map(\.number) }
        let (past, future) = (Timestamp(secondsSince1970: 5), Timestamp(secondsSince1970: 1e12))
        #expect(try !coordinator.purgeHistory(before: past, keeping: 10, limit: 3))
        #expect(try numbers() == Array(1...10))
        // More changes than that are removed, however new they are.
        #expect(try !coordinator.purgeHistory(before: past, keeping: 7, limit: 5))
        #expect(try numbers() == Array(3...10))
        #expect(try coordinator.purgeHistory(before: future, keeping: 10, limit: 2))
        #expect(try numbers() == Array(5...10))
        // At least one transaction is removed.
        #expect(try coordinator.purgeHistory(before: future, keeping: 10, limit: 0))
        #expect(try numbers() == Array(6...10))
        while try coordinator.purgeHistory(before: future, keeping: 0, limit: 2) {}
        #expect(throws: FetchError.self) { try coordinator.history(limit: -1) }
        #expect(throws: FetchError.self) {
            try coordinator.purgeHistory(before: future, keeping: 0, limit: -1)
        }
        #expect(try numbers() == [10])
        #expect(try !coordinator.purgeHistory(before: future, keeping: 0, limit: 2))
        #expect(try numbers() == [10])
    }

    @Test func historyBeginsInAnOpenStore() throws {
        let context = try context(history: false)
        try author("a", context)
        try context.save()
        #expect(throws: StoreError.self) { try context.coordinator.lastHistoryToken() }
        try context.coordinator.beginHistory()
        let token = try context.coordinator.lastHistoryToken()
        try context.coordinator.beginHistory()
        #expect(try context.coordinator.lastHistoryToken() == token)
        try author("b", context)
        try context.save()
        #expect(try changes(context, after: token) == [["inserted Author 2"]])
        let memory = PersistentStoreCoordinator(model: context.model)
        try memory.addStore(.memory)
        let error = try #require(throws: StoreError.self) { try memory.beginHistory() }
        #expect(error.code == .noHistory)
    }

    @Test func tokenNewerThanRestoredBackupIsRefused() throws {
        let backup = store.directory + "/backup.sqlite"
        var context = try context()
        try author("a", context)
        try context.save()
        let before = try context.coordinator.lastHistoryToken()
        try StoreBackup.copy(.sqlite(path: store.path), to: backup)
        try author("b", context)
        try context.save()
        let after = try context.coordinator.lastHistoryToken()
        context.coordinator.close()
        try StoreBackup.restore(.sqlite(path: store.path), from: backup, keeping: store.directory + "/kept")
        context = try self.context()
        var error = try #require(throws: StoreError.self) { try context.coordinator.history(after: after) }
        #expect(error.code == .historyLost)
        try author("c", context)
        try context.save()
        error = try #require(throws: StoreError.self) { try context.coordinator.history(after: after) }
        #expect(error.message.contains("restored from a backup"))
        #expect(try changes(context, after: before) == [["inserted Author 2"]])
    }

    @Test func tokenOfAnotherStoreIsRefused() throws {
        let context = try context()
        let token = HistoryToken(store: UUIDValue(), number: 0, writer: 0)
        let error = try #require(throws: StoreError.self) { try context.coordinator.history(after: token) }
        #expect(error.code == .noHistory)
        let own = try #require(context.coordinator.store as? any HistoryRecording)
        #expect(throws: StoreError.self) { try own.history(after: token, limit: nil) }
    }
}
