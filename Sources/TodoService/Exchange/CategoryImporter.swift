internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// Imports the categories of a file into the context. Categories with a known `uid` or name are changed, others are
/// added.
///
/// Items of a file name their category. Such a name means the category that has it in the file, even if that category
/// has another name in the store.
struct CategoryImporter {
    private let service: ServiceContext
    /// The categories of the file, by their names in the file.
    private var categories: [String: Category] = [:]
    /// All categories of the store, by their names there.
    private var stored: [String: Category] = [:]
    private(set) var added: Int64 = 0
    private(set) var updated: Int64 = 0

    init(service: ServiceContext) throws {
        self.service = service
        for category in try service.store.context.fetch(Category.all) {
            stored[category.name.caseFolded] = category
        }
    }

    /// Imports a category. Returns a remark if the store keeps another state of it.
    mutating func take(_ exported: ExportedCategory, field: String) throws -> String? {
        var exported = exported
        exported.name = try name(of: exported, field: field)
        if let known = try find(exported) {
            let remark = try update(known, with: exported)
            categories[exported.name.caseFolded] = known
            return remark
        } else {
            let category = try make(named: exported.name)
            if !exported.uid.isEmpty { category.uid = exported.uid }
            exported.fill(category)
            return nil
        }
    }

    /// Returns the category that an item of the file names, or `nil` if there is none.
    func known(named text: String) -> Category? {
        let names = [text, try? Self.name(text, field: "")].compactMap { $0?.caseFolded }
        return names.lazy.compactMap { self.categories[$0] ?? self.stored[$0] }.first
    }

    /// Returns the category that an item of the file names, and adds it if there is none.
    mutating func category(named text: String, field: String) throws -> Category {
        try known(named: text) ?? make(named: Self.name(text, field: field))
    }

    private func find(_ exported: ExportedCategory) throws -> Category? {
        let context = service.store.context
        return try context.object(of: Category.self, matching: \.uid, equals: exported.uid)
            ?? stored[exported.name.caseFolded]
    }

    /// Updates a known category if its state in the file was modified later. Returns a remark about the state that the
    /// category keeps.
    private mutating func update(_ known: Category, with exported: ExportedCategory) throws -> String? {
        let isSame = known.name == exported.name && known.doNotAlert == exported.isMuted
        guard let written = exported.modifiedDate else {
            return isSame
                ? nil : "the category '\(known.name)' is not changed: the file has no 'modifiedAt' for it"
        }
        guard written > known.modifiedDate else {
            return isSame
                ? nil : "the category '\(known.name)' is not changed: it was modified later than in the file"
        }
        updated += 1
        exported.fill(known)
        let owner = stored[exported.name.caseFolded]
        guard owner ?? known == known else {
            return
                "the category '\(known.name)' keeps its name: another category is called '\(exported.name)'"
        }
        stored[known.name.caseFolded] = nil
        stored[exported.name.caseFolded] = known
        try service.store.rename(known, to: exported.name)
        return nil
    }

    private mutating func make(named name: String) throws -> Category {
        let category = try service.store.context.insertCategory(at: service.times.now())
        category.name = name
        categories[name.caseFolded] = category
        stored[name.caseFolded] = category
        added += 1
        return category
    }

    // MARK: - Names

    /// Returns the name to save.
    ///
    /// A file with the complete category has the exact name. In other files, spaces around the name have no meaning.
    private func name(of exported: ExportedCategory, field: String) throws(APIError) -> String {
        let isWhole = exported.modifiedDate != nil
        let length = exported.name.unicodeScalars.count
        if isWhole, ReminderModel.categoryNameLengths.contains(length) { return exported.name }
        return try Self.name(exported.name, field: field)
    }

    /// Returns the name with a space for each control character, which other programs accept in names.
    private static func name(_ text: String, field: String) throws(APIError) -> String {
        try TypedValue.category(String(text.map { $0.isControl ? " " : $0 }), field: field)
    }
}
