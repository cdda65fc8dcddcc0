internal import ObjectStore
internal import Reminders

/// The open items that are no longer blocked after a change.
struct UnblockedItems {
    private var waiting: Set<ToDo> = []
    /// The ids, in order, or `nil` if there are none.
    private(set) var ids: [Int64]?

    /// Adds the items that wait for these ones, which are completed or about to be deleted.
    mutating func add(_ items: [ToDo]) throws {
        for item in items { waiting.formUnion(try item.blockedItems.all()) }
    }

    /// Finds the items that wait for none, after the last change.
    mutating func end() throws {
        let free = try waiting.filter { item in
            try !item.isDeleted && !item.completed && item.blockers.all().allSatisfy(\.completed)
        }
        ids = free.isEmpty ? nil : free.map(\.id).sorted()
    }
}
