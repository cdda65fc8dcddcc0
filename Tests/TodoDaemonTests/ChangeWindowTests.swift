import CivilTime
import ObjectStore
import Reminders
import Testing
import TodoAPI

@testable import TodoService

/// The events that a watcher gets for the transactions of a feed, and its position among them.
@Suite struct ChangeWindowTests {
    private final class ListedTransactions: ChangeFeed {
        private let store = UUIDValue()
        private var transactions: [HistoryTransaction] = []

        let isPersistent = true
        func requirePersistence() {}
        func record(_ changes: SavedChanges) {}

        /// Adds a save of changes such as `+1`, `~2` or `-3`, of the items with these IDs.
        func save(_ changes: String, isMigration: Bool = false) {
            save(
                changes.split(separator: " ").map { change in
                    HistoryChange(
                        ObjectID(entity: ToDo.entityName, id: Int64(change.dropFirst()) ?? 0),
                        change.hasPrefix("+") ? .inserted : change.hasPrefix("-") ? .deleted : .updated)
                }, isMigration: isMigration)
        }

        func save(_ changes: [HistoryChange], isMigration: Bool = false) {
            transactions.append(
                HistoryTransaction(
                    token: token(transactions.count + 1), time: Timestamp(secondsSince1970: 0), author: nil,
                    contextName: nil, isMigration: isMigration, changes: changes))
        }

        func token(_ number: Int) -> HistoryToken {
            HistoryToken(store: store, number: Int64(number), writer: 7)
        }

        func last() -> HistoryToken { token(transactions.count) }

        func transactions(after token: HistoryToken, limit: Int) -> [HistoryTransaction] {
            Array(transactions.dropFirst(Int(token.number)).prefix(limit))
        }

        func requireTransaction(of token: HistoryToken) throws {
            guard token.number <= last().number else { throw APIError.tokenNotFound(reason: "") }
        }
    }

    private let feed = ListedTransactions()

    /// The events after a transaction as text, such as `added 1 2`.
    private func events(after number: Int = 0, through last: Int64? = nil) throws -> [String]? {
        let window = try ChangeWindow(of: feed, after: feed.token(number), through: last)
        guard let window else { return nil }
        var position = WatchPosition(after: feed.token(number))
        position.begin(window)
        var events: [String] = []
        while let (event, ids) = position.event {
            events.append(([event.rawValue] + ids.map { "\($0)" }).joined(separator: " "))
            position.advance(by: max(1, ids.count))
        }
        #expect(position.text == "\(window.end)")
        return events
    }

    @Test(arguments: [
        (["+1"], ["added 1"]), (["~1", "~1"], ["changed 1"]), (["-1"], ["deleted 1"]),
        (["+1", "~1"], ["added 1"]), (["+1", "-1"], []), (["~1", "-1"], ["deleted 1"]),
        (["-1", "+1"], ["changed 1"]), (["+1", "-1", "+1"], ["added 1"]),
        (["~1", "-1", "+1"], ["changed 1"]),
        (["-1", "+1", "-1"], ["deleted 1"]), (["+1", "~1", "-1", "+1", "~1"], ["added 1"]),
        (["+3 +1 ~5", "-4 ~2"], ["added 1 3", "changed 2 5", "deleted 4"]),
    ])
    func changesOfAnItemBecomeOne(saves: [String], expected: [String]) throws {
        for save in saves { feed.save(save) }
        #expect(try events() == expected)
        #expect(try events(after: saves.count) == nil)
    }

    @Test func otherObjectsAreNotReported() throws {
        feed.save([HistoryChange(ObjectID(entity: Change.entityName, id: 1), .inserted)])
        let tag = ObjectID(entity: Tag.entityName, id: 1)
        feed.save([HistoryChange(tag, .updated, properties: ["toDos"])])
        #expect(try events() == [])
        feed.save([HistoryChange(tag, .updated, properties: ["name"])])
        feed.save([HistoryChange(ObjectID(entity: Category.entityName, id: 1), .deleted)])
        #expect(try events() == ["categories", "tags"])
        #expect(try events(through: 3) == ["tags"])
    }

    @Test func manyChangesAndMigrationsReplaceTheOthers() throws {
        feed.save("+1")
        feed.save((2...Watch.changesLimit).map { "+\($0)" }.joined(separator: " "))
        feed.save("-1")
        #expect(try events() == ["many"])
        // The client lists the items after that, so it gets no change from before.
        #expect(try ChangeWindow(of: feed, after: feed.token(0))?.end == feed.last())
        #expect(try events(after: 2) == ["deleted 1"])
        feed.save("", isMigration: true)
        #expect(try events(after: 2) == ["many"])
    }

    @Test func longHistoryIsReadInWindows() throws {
        for number in 1...1_234 { feed.save("+\(number)") }
        var (position, counts): (HistoryToken, [Int]) = (feed.token(0), [])
        while let window = try ChangeWindow(of: feed, after: position) {
            counts.append(window.count)
            position = window.end
        }
        #expect(counts == [500, 500, 234])
    }

    @Test func tokenContinuesWithinTheSameWindow() throws {
        feed.save("+1 +2 +3 ~9")
        feed.save("-8 ~2")
        var position = WatchPosition(after: feed.token(0))
        position.begin(try #require(try ChangeWindow(of: feed, after: feed.token(0))))
        position.advance(by: 2)
        // Later changes of the same items do not belong to the window.
        feed.save("-3 -9")
        var again = try WatchPosition(position.text, in: feed)
        #expect(again.text == position.text)
        #expect(again.event.map { Array($0.ids) } == [3])
        again.advance(by: 1)
        #expect(again.event.map { "\($0.event) \(Array($0.ids))" } == "changed [9]")
        again.advance(by: 1)
        #expect(again.event.map { "\($0.event) \(Array($0.ids))" } == "deleted [8]")
        again.advance(by: 1)
        #expect(again.event == nil && again.text == "\(feed.token(2))")
    }
}
