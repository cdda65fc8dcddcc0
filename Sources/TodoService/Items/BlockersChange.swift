internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// The checked changes of the blockers of items that a client sends.
struct BlockersChange: Sendable {
    /// The numbers that replace all former ones, or `nil` to keep those.
    private let all: [Int64]?
    private let added: [Int64]
    private let removed: [Int64]

    /// Creates the change. A list that is `nil` changes nothing.
    init(
        replacing all: [Int64]?, adding added: [Int64]? = nil, removing removed: [Int64]? = nil
    ) throws(APIError) {
        if all != nil, added != nil || removed != nil {
            throw .invalidValue(
                field: added == nil ? "removeBlockedBy" : "addBlockedBy",
                reason: "'blockedBy' replaces all of them; use one of the two")
        }
        self.all = all
        self.added = added ?? []
        self.removed = removed ?? []
        let numbers = Set(self.removed)
        if let both = self.added.first(where: numbers.contains) {
            throw .invalidValue(field: "removeBlockedBy", reason: "item \(both) is in 'addBlockedBy', too")
        }
    }

    /// Finds the blockers.
    ///
    /// - Returns: the change of an item, or `nil` if nothing changes.
    /// - Throws: `InvalidValue` if one does not exist.
    func begin(in store: ItemStore) throws -> Blocking? {
        guard all != nil || !added.isEmpty || !removed.isEmpty else { return nil }
        let field = all == nil ? "addBlockedBy" : "blockedBy"
        let items = { (ids: [Int64], field: String) in
            guard ids.count <= ReminderModel.blockersLimit else { throw Self.tooMany(field) }
            return try ids.enumerated().map { try store.item($1, field: "\(field)[\($0)]") }
        }
        return Blocking(
            added: try items(all ?? added, field), removed: try items(removed, "removeBlockedBy"),
            replacesAll: all != nil, field: field)
    }

    private static func tooMany(_ field: String, item: ToDo? = nil) -> APIError {
        let name = item.map { $0.isInserted ? "" : "item \($0.id): " } ?? ""
        return .invalidValue(
            field: field, reason: "\(name)at most \(ReminderModel.blockersLimit) items block an item")
    }

    /// The blockers that a change adds to items and removes from them.
    struct Blocking {
        fileprivate let added: [ToDo]
        fileprivate let removed: [ToDo]
        fileprivate let replacesAll: Bool
        fileprivate let field: String

        /// Changes the blockers of an item.
        ///
        /// - Throws: `InvalidValue` if the item would wait for itself or has too many blockers then.
        func apply(to item: ToDo) throws {
            for blocker in replacesAll ? Array(item.blockers).filter({ !added.contains($0) }) : removed {
                item.blockers.remove(blocker)
            }
            for blocker in added where !item.blockers.contains(blocker) {
                if blocker === item { throw refusal("item \(item.id) cannot wait for itself") }
                if !item.isInserted, try blocker.isBlocked(by: item) {
                    throw refusal(
                        "item \(blocker.id) waits for item \(item.id), so neither could be done first")
                }
                item.blockers.insert(blocker)
            }
            guard item.blockers.count <= ReminderModel.blockersLimit else {
                throw BlockersChange.tooMany(field, item: item)
            }
        }

        private func refusal(_ reason: String) -> APIError { .invalidValue(field: field, reason: reason) }
    }
}
