internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// Takes categories of a file into the context: those with a known `uid` or name are changed, the others are new.
///
/// Items of a file name their category. What that name stands for is what the file says, even where the category has
/// another name by now.
struct CategoryImporter {
    private let workspace: Workspace
    /// Those of the store and of the file, by their names in small letters.
    private var categories: [String: Category] = [:]
    private(set) var added: Int64 = 0
    private(set) var updated: Int64 = 0

    init(workspace: Workspace) throws {
        self.workspace = workspace
        for category in try workspace.context.fetch(FetchRequest<Category>()) {
            categories[category.name.lowercased()] = category
        }
    }

    mutating func take(_ exported: ExportedCategory, field: String) throws {
        var exported = exported
        exported.name = try name(of: exported, field)
        if let known = try find(exported) {
            try update(known, with: exported)
            categories[exported.name.lowercased()] = known
        } else {
            let category = try make(named: exported.name)
            if !exported.uid.isEmpty { category.uid = exported.uid }
            exported.fill(category)
        }
    }

    /// The category that an item of the file names; nil when there is none.
    func known(named text: String) throws -> Category? {
        if let known = categories[text.lowercased()] { return known }
        guard let name = try? Self.name(text, "") else { return nil }
        // The store knows more letters that differ in case only.
        return try categories[name.lowercased()] ?? workspace.findCategory(named: name)
    }

    /// The same; it is made if there is none.
    mutating func category(named text: String, field: String) throws -> Category {
        try known(named: text) ?? make(named: Self.name(text, field))
    }

    private func find(_ exported: ExportedCategory) throws -> Category? {
        let context = workspace.context
        return try context.object(of: Category.self, matching: "uid", equals: exported.uid)
            ?? workspace.findCategory(named: exported.name)
    }

    /// The state that a person changed last stays.
    private mutating func update(_ known: Category, with exported: ExportedCategory) throws {
        guard let written = exported.modifiedDate, written > known.modifiedDate else { return }
        updated += 1
        exported.fill(known)
        // Where another has the name it keeps its own.
        if try workspace.findCategory(named: exported.name) ?? known == known { known.name = exported.name }
    }

    private mutating func make(named name: String) throws -> Category {
        let category = try workspace.context.insertCategory(at: workspace.now())
        category.name = name
        categories[name.lowercased()] = category
        added += 1
        return category
    }

    // MARK: - Names

    /// What holds all of a category has its name as it was; in other files space around it means nothing.
    private func name(of exported: ExportedCategory, _ field: String) throws(APIError) -> String {
        let isWhole = exported.modifiedDate != nil
        let length = exported.name.unicodeScalars.count
        if isWhole, ReminderModel.categoryNameLengths.contains(length) { return exported.name }
        return try Self.name(exported.name, field)
    }

    private static func name(_ text: String, _ field: String) throws(APIError) -> String {
        try Workspace.name(text, field: field, lengths: ReminderModel.categoryNameLengths)
    }
}
