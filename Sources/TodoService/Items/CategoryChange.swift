internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// The category that a client sends for an item.
struct CategoryChange {
    /// The name, or an empty text that removes the category, or `nil` for no change.
    private let name: String?
    private let mayBeNew: Bool

    init(_ details: ItemDetails) throws(APIError) {
        mayBeNew = details.newCategory ?? false
        guard mayBeNew, let name = details.category, !name.isEmpty else {
            name = details.category
            return
        }
        self.name = try TypedValue.category(name, field: "category")
    }

    var isEmpty: Bool { name == nil }

    /// Returns the category, or `nil` if it is removed. A new one is added, as a part of the current change.
    ///
    /// - Throws: an error if there is no such category, and it may not be new.
    func category(in service: ServiceContext) throws -> Category? {
        guard let name, !name.isEmpty else { return nil }
        guard mayBeNew else { return try service.store.category(named: name) }
        if let known = try service.store.findCategory(named: name) { return known }
        let category = try service.store.context.insertCategory(at: service.times.now())
        category.name = name
        return category
    }

    /// Returns the name that the item will have, without adding a category.
    ///
    /// - Throws: as `category(in:)`.
    func previewedName(in service: ServiceContext) throws -> String? {
        guard let name, !name.isEmpty else { return nil }
        guard mayBeNew else { return try service.store.category(named: name).name }
        return try service.store.findCategory(named: name)?.name ?? name
    }
}
