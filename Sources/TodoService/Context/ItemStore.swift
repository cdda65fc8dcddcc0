internal import ObjectStore
internal import Phrases
internal import Reminders
internal import TodoAPI
internal import Varlink

/// The items, categories and tags of the store. Confined to the queue of its context.
final class ItemStore {
    let context: ManagedObjectContext
    /// The kind and the path of the store.
    let configuration: StoreConfiguration
    /// The number of bytes that the reply to the current call may have, or `nil` if only the protocol limits it.
    var replyRoom: Int?
    private var fetches = Fetches()

    /// Requests of many calls, prepared when they are first needed.
    private struct Fetches {
        var firstTag: PreparedFetch?
        var firstChild: PreparedFetch?
    }

    init(context: ManagedObjectContext, configuration: StoreConfiguration) {
        self.context = context
        self.configuration = configuration
    }

    // MARK: - Items

    /// Returns the items with these IDs, in this order.
    ///
    /// - Throws: `ItemNotFound` with all missing IDs, or `TooLarge`, which limits the memory that is used at once.
    func items(_ ids: [Int64]) throws -> [ToDo] {
        guard !ids.isEmpty else { throw APIError.invalidValue(field: "ids", reason: "'ids' is empty") }
        guard ids.count <= ItemIDs.limit else {
            throw APIError.invalidValue(field: "ids", reason: "there are more than \(ItemIDs.limit)")
        }
        var missing: [Int64] = []
        var seen: Set<Int64> = []
        var items: [ToDo] = []
        var replyBytes = 0
        for id in ids where ids.count == 1 || seen.insert(id).inserted {
            if let item = try context.object(of: ToDo.self, id: id) {
                items.append(item)
                replyBytes += ids.count == 1 ? 0 : Self.replyBytes(for: item, withTags: false)
                guard replyBytes <= ItemIDs.replyBytesLimit else {
                    throw APIError.tooLarge(limit: Int64(ItemIDs.replyBytesLimit))
                }
            } else {
                missing.append(id)
            }
        }
        guard missing.isEmpty else { throw APIError.itemNotFound(ids: missing) }
        // The reply contains the tags and links. A search for those of each item would take longer.
        if items.count > 1 {
            _ = try context.prefetch("tags", of: items)
            _ = try context.prefetch("links", of: items)
            _ = try context.prefetch("blockers", of: items)
            _ = try context.prefetch("blockedItems", of: items)
            if try hasChildren { _ = try context.prefetch("children", of: items) }
        }
        return items
    }

    /// Returns the item that a field names.
    ///
    /// - Throws: `InvalidValue` if it does not exist.
    func item(_ id: Int64, field: String) throws -> ToDo {
        if let item = try context.object(of: ToDo.self, id: id) { return item }
        throw APIError.invalidValue(field: field, reason: "there is no item \(id)")
    }

    /// Whether the store has any subtasks.
    var hasChildren: Bool {
        get throws {
            let fetch = try fetches.firstChild ?? context.prepare(Self.firstChild, of: [.key("id")])
            fetches.firstChild = fetch
            return try !context.rows(fetch).isEmpty
        }
    }

    /// A subtask, if there is one.
    ///
    /// It has the order of an index. A store without subtasks would be searched to its end otherwise.
    static var firstChild: FetchRequest<ToDo> {
        ToDo.where { $0.parent != nil }.ordered(by: \.parent).limit(1)
    }

    /// Returns the number of items with these IDs and of all items below them, as far as it does not exceed `limit`.
    func countOfTrees(_ ids: [Int64], upTo limit: Int) throws -> Int {
        guard ids.count <= limit, try hasChildren else { return ids.count }
        var seen = Set(ids)
        var level = ids
        while !level.isEmpty, seen.count <= limit {
            let parents = level
            level = try context.ids(ToDo.where { $0.parent.id.isIn(parents) }.limit(limit + 1)).filter {
                seen.insert($0).inserted
            }
        }
        return seen.count
    }

    /// Throws if the reply to a change of these items would be too long.
    ///
    /// Must be called before the change is saved: a client must not get an error for a change that was made.
    func requireRoomForReply(with items: [ToDo]) throws(APIError) {
        let bytes = items.reduce(0) { $0 + Self.replyBytes(for: $1, withTags: true) }
        guard items.count == 1 || bytes <= ItemIDs.replyBytesLimit else {
            throw .tooLarge(limit: Int64(ItemIDs.replyBytesLimit))
        }
        guard bytes <= replyRoom ?? .max else {
            throw .invalidMessage(
                reason:
                    "there is no room for the reply, because clients have not read theirs; nothing was changed. "
                    + "Change fewer items at once, or close other connections")
        }
    }

    /// Returns the approximate size of an item in a reply: its texts as JSON, and room for the rest.
    private static func replyBytes(for item: ToDo, withTags: Bool) -> Int {
        var writer = JSONWriter()
        writer.value(item.name)
        for text in ItemField.plainTexts { if let text = item[text] { writer.value(text) } }
        if withTags {
            for tag in item.tags { writer.value(tag.name) }
            for link in item.links {
                writer.value(link.url)
                if let title = link.title { writer.value(title) }
            }
        }
        return writer.count + 512
    }

    // MARK: - Categories

    /// Returns the category with this name. Case is ignored.
    func category(named name: String) throws -> Category {
        if let category = try findCategory(named: name) { return category }
        let names = try context.fetch(Category.all).map(\.name)
        let nearest = EditDistance.nearest(to: name.lowercased(), among: names.map { $0.lowercased() })
        throw APIError.categoryNotFound(name: name, similar: names.filter { $0.lowercased() == nearest })
    }

    /// Returns the category with this name, or `nil` if there is none. Case is ignored.
    func findCategory(named name: String) throws -> Category? {
        let request = Category.where { $0.name.equals(name, options: .caseInsensitive) }
        return try context.fetch(request.limit(1)).first
    }

    func summary(of category: Category) throws -> CategorySummary {
        CategorySummary(
            id: category.id, name: category.name, muted: category.doNotAlert,
            items: Int64(try context.count(ToDo.where { $0.category == category })),
            open: Int64(try context.count(ToDo.where { $0.category == category && !$0.completed })))
    }

    // MARK: - Tags

    /// Whether the store has any tags.
    var hasTags: Bool {
        get throws {
            let fetch = try fetches.firstTag ?? context.prepare(Tag.all.limit(1), of: [.key("id")])
            fetches.firstTag = fetch
            return try !context.rows(fetch).isEmpty
        }
    }

    /// Returns the names of all tags, or of those with these IDs.
    func tagNames(of ids: ArraySlice<Int64>? = nil) throws -> [Int64: String] {
        let request = ids.map { ids in Tag.where { $0.id.isIn(Array(ids)) } } ?? Tag.all
        let rows = try context.rows(request, of: [.key("id"), .key("name")])
        return Dictionary(
            uniqueKeysWithValues: rows.compactMap { row in
                guard case .integer(let id) = row[0], case .string(let name) = row[1] else { return nil }
                return (id, name)
            })
    }

    /// Returns the tag with this name. Case is ignored.
    func tag(named name: String) throws -> Tag {
        if let tag = try findTag(named: name) { return tag }
        let names = try context.rows(Tag.all, of: .key(\.name))
        let nearest = EditDistance.nearest(to: name.lowercased(), among: names.map { $0.lowercased() })
        throw APIError.tagNotFound(name: name, similar: names.filter { $0.lowercased() == nearest })
    }

    /// Returns the tag with this name, or `nil` if there is none. Case is ignored.
    func findTag(named name: String) throws -> Tag? {
        // Names are unique ignoring case, and an index finds only the same case.
        if let tag = try context.fetch(Tag.where { $0.name == name }.limit(1)).first { return tag }
        return try context.fetch(Tag.where { $0.name.equals(name, options: .caseInsensitive) }.limit(1)).first
    }

    // MARK: - Views

    /// Returns the view with this name. Case is ignored.
    func view(named name: String) throws -> SavedView {
        if let view = try findView(named: name) { return view }
        let names = try context.rows(SavedView.all, of: .key(\.name))
        let nearest = EditDistance.nearest(to: name.lowercased(), among: names.map { $0.lowercased() })
        throw APIError.viewNotFound(name: name, similar: names.filter { $0.lowercased() == nearest })
    }

    /// Returns the view with this name, or `nil` if there is none. Case is ignored.
    func findView(named name: String) throws -> SavedView? {
        try context.fetch(SavedView.where { $0.name.equals(name, options: .caseInsensitive) }.limit(1)).first
    }

    /// Renames a tag, also in the views that name it.
    func rename(_ tag: Tag, to name: String) throws {
        let former = tag.name.caseFolded
        tag.name = name
        try changeQueriesOfViews { query in
            query.parameters.tags = query.parameters.tags?.map { text in
                TagName.plain(text).caseFolded == former ? name : text
            }
        }
    }

    /// Renames a category, also in the views that name it.
    func rename(_ category: Category, to name: String) throws {
        let former = category.name.caseFolded
        category.name = name
        try changeQueriesOfViews { query in
            if query.parameters.category?.caseFolded == former { query.parameters.category = name }
        }
    }

    private func changeQueriesOfViews(_ change: (inout ViewQuery) -> Void) throws {
        for view in try context.fetch(SavedView.all) {
            // A query of a newer version stays as it is.
            guard let query = try? ViewQuery(json: view.query) else { continue }
            var changed = query
            change(&changed)
            if changed != query { view.query = changed.json }
        }
    }

    func summary(of tag: Tag) throws -> TagSummary {
        TagSummary(
            id: tag.id, name: tag.name,
            items: Int64(try context.count(ToDo.where { $0.tags.contains(tag) })),
            open: Int64(try context.count(ToDo.where { $0.tags.contains(tag) && !$0.completed })))
    }
}
