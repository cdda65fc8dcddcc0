internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// The checked change of the parent of items, and of their positions, that a client sends.
struct ParentChange: Sendable {
    /// The number of the new parent, or 0 for none, or `nil` to keep the parent.
    private let parent: Int64?
    /// The number of the subtask beside which the items are placed.
    private let neighbor: Int64?
    private let isAfter: Bool

    init(parent: Int64?, before: Int64? = nil, after: Int64? = nil) throws(APIError) {
        if before != nil, after != nil {
            throw .invalidValue(field: "after", reason: "'before' names a position, too; use one of the two")
        }
        if parent != nil, before != nil || after != nil {
            throw .invalidValue(
                field: "parent",
                reason:
                    "the items get the parent of the item that '\(after == nil ? "before" : "after")' names")
        }
        self.parent = parent
        neighbor = before ?? after
        isAfter = after != nil
    }

    /// Finds the new parent.
    ///
    /// - Returns: the change of an item, or `nil` if nothing changes.
    /// - Throws: `InvalidValue` if an item does not exist, or if `before` or `after` is not a subtask.
    func begin(in store: ItemStore) throws -> Move? {
        if let neighbor {
            let field = isAfter ? "after" : "before"
            let item = try store.item(neighbor, field: field)
            guard let parent = item.parent else {
                throw APIError.invalidValue(
                    field: field,
                    reason: "item \(neighbor) is not a subtask; only the subtasks of an item have an order")
            }
            return Move(parent: parent, field: field, neighbor: item, isAfter: isAfter)
        }
        guard let parent else { return nil }
        return Move(parent: parent == 0 ? nil : try store.item(parent, field: "parent"), field: "parent")
    }

    /// The move of items to a parent.
    struct Move {
        let parent: ToDo?
        /// The field that names the parent, for an error.
        fileprivate let field: String
        /// The subtask beside which the next item is placed.
        fileprivate var neighbor: ToDo?
        fileprivate var isAfter = false

        /// Moves an item with the items below it.
        ///
        /// - Throws: `InvalidValue` if it would be below itself, if its parent is completed, or if there would be too many
        ///   levels or subtasks.
        mutating func apply(to item: ToDo) throws {
            guard let parent else {
                item.parent = nil
                return
            }
            guard item !== neighbor else {
                throw refusal("item \(item.id) cannot be placed beside itself")
            }
            if item.parent !== parent { try check(item, below: parent) }
            guard let neighbor else {
                if item.parent !== parent { item.parent = parent }
                return
            }
            let present = try parent.children.all()
            let others = present.filter { $0 !== item }
            let index = (others.firstIndex(of: neighbor) ?? others.endIndex) + (isAfter ? 1 : 0)
            if present.firstIndex(of: item) != index { parent.children.insert(item, at: index) }
            // Several items keep their order.
            if isAfter { self.neighbor = item }
        }

        private func check(_ item: ToDo, below parent: ToDo) throws {
            let name = item.isInserted ? "the item" : "item \(item.id)"
            if item === parent { throw refusal("\(name) cannot be its own subtask") }
            let ancestors = parent.ancestors
            if ancestors.contains(item) {
                throw refusal("item \(parent.id) is below \(name), which cannot be below itself")
            }
            if parent.completed, !item.completed {
                throw refusal(
                    "item \(parent.id) is done; reopen it first, with 'todoctl reopen \(parent.id)'")
            }
            guard parent.children.count < ReminderModel.childrenLimit else {
                throw refusal(
                    "item \(parent.id) has \(ReminderModel.childrenLimit) subtasks already, which is the limit"
                )
            }
            let below = item.isInserted ? 0 : try item.levelsBelow().count
            guard ancestors.count + 2 + below <= ReminderModel.levelsLimit else {
                throw refusal(
                    "\(name) would be too deep below item \(parent.id): there are at most "
                        + "\(ReminderModel.levelsLimit) levels")
            }
        }

        private func refusal(_ reason: String) -> APIError { .invalidValue(field: field, reason: reason) }
    }
}
