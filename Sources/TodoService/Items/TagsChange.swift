internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// The checked changes of the tags of items that a client sends.
struct TagsChange: Sendable {
    /// The names that replace all former ones, or `nil` to keep those.
    private let all: [String]?
    private let added: [String]
    private let removed: [String]
    /// The field with the tags to add, for an error.
    private let field: String

    /// Creates the change. A list that is `nil` changes nothing.
    init(
        replacing all: [String]?, adding added: [String]? = nil, removing removed: [String]? = nil
    ) throws(APIError) {
        if all != nil, added != nil || removed != nil {
            throw .invalidValue(
                field: added == nil ? "removeTags" : "addTags",
                reason: "'tags' replaces all of them; use one of the two")
        }
        self.all = try all.map { (names) throws(APIError) in try TypedValue.tags(names, field: "tags") }
        self.added = try TypedValue.tags(added ?? [], field: "addTags")
        self.removed = try TypedValue.tags(removed ?? [], field: "removeTags")
        field = all == nil ? "addTags" : "tags"
        let names = Set(self.removed.map { $0.lowercased() })
        if let both = self.added.first(where: { names.contains($0.lowercased()) }) {
            throw .invalidValue(field: "removeTags", reason: "'\(both)' is in 'addTags', too")
        }
    }

    /// Finds the tags, and adds those that do not exist.
    ///
    /// - Returns: The change of an item, or `nil` if nothing changes.
    /// - Throws: `TagNotFound` for a tag to remove that does not exist.
    func begin(in service: ServiceContext) throws -> Tagging? {
        guard all != nil || !added.isEmpty || !removed.isEmpty else { return nil }
        return Tagging(
            added: try (all ?? added).map { name in
                try service.store.findTag(named: name)
                    ?? service.store.context.insertTag(name, at: service.times.now())
            }, removed: try removed.map(service.store.tag), replacesAll: all != nil, field: field)
    }

    /// The tags that a change adds to items and removes from them.
    struct Tagging {
        fileprivate let added: [Tag]
        fileprivate let removed: [Tag]
        fileprivate let replacesAll: Bool
        fileprivate let field: String

        /// Changes the tags of an item.
        ///
        /// - Throws: `InvalidValue` if the item has too many tags then.
        func apply(to item: ToDo) throws {
            for tag in replacesAll ? Array(item.tags).filter({ !added.contains($0) }) : removed {
                item.tags.remove(tag)
            }
            for tag in added { item.tags.insert(tag) }
            guard item.tags.count <= ReminderModel.tagsLimit else {
                throw TypedValue.tooManyTags(field, item: item.isInserted ? nil : item.id)
            }
        }
    }
}
