internal import TodoAPI

/// The items that `todoctl show` prints with an item: its parent, its subtasks, its blockers, and those that it blocks.
struct RelatedItems {
    /// The fields of the items that are shown.
    private static let fields = ["due", "recurrence", "every", "start", "children", "childrenDone"]

    /// The subtasks, in their order.
    private let children: [Item]
    private let others: [Int64: Item]

    /// Reads the items.
    init(of item: Item, _ session: Session, _ daemon: Daemon) throws(ClientError) {
        var filter = ListItems.Parameters()
        filter.state = .all
        filter.fields = Self.fields
        let ids = Set((item.blockedBy ?? []) + (item.blocks ?? []) + [item.parent].compactMap(\.self))
        var others: [Int64: Item] = [:]
        for batch in ids.sorted().chunks(of: Self.idsPerCall) {
            filter.where = "id IN {\(batch.map(String.init).joined(separator: ", "))}"
            for item in try session.items(of: ListItems.self, filter, daemon) { others[item.id] = item }
        }
        self.others = others
        guard item.children != nil else {
            children = []
            return
        }
        filter.where = nil
        filter.parent = item.id
        children = try session.items(of: ListItems.self, filter, daemon)
    }

    /// The number of ids in one predicate. It is far below the limit on predicates.
    private static let idsPerCall = 500

    /// Returns the text of a field with related items, or `nil` for other fields.
    func text(of field: ItemField, in item: Item, _ session: Session) -> String? {
        switch field {
        case .parent:
            item.parent.map { id in others[id].map { session.line(for: $0) } ?? String(id) }
        case .children:
            children.isEmpty
                ? nil
                : (["\(item.childrenDone ?? 0) of \(children.count) done"]
                    + children.map { line($0, session) })
                    .joined(separator: "\n")
        case .blockedBy: lines(item.blockedBy, session)
        case .blocks: lines(item.blocks, session)
        default: nil
        }
    }

    private func lines(_ ids: [Int64]?, _ session: Session) -> String? {
        guard let ids, !ids.isEmpty else { return nil }
        return ids.map { id in others[id].map { line($0, session) } ?? String(id) }.joined(separator: "\n")
    }

    /// Returns `[x] 4  Pack the books`.
    private func line(_ item: Item, _ session: Session) -> String {
        let count = item.children.map { "  \(item.childrenDone ?? 0)/\($0)" } ?? ""
        return "[\(item.completed ? "x" : " ")] \(session.line(for: item))\(count)"
    }
}

extension [Int64] {
    /// Returns the elements in arrays of at most `size` elements.
    fileprivate func chunks(of size: Int) -> [ArraySlice<Int64>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
