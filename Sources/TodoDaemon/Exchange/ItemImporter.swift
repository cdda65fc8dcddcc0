internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI
internal import Varlink

/// Takes items of a file into the context: those with a known `uid` are changed, the others are new.
///
/// Nothing is saved here. A file that was taken in before changes nothing.
struct ItemImporter {
    private let workspace: Workspace
    private var categories: [String: Category] = [:]
    private(set) var reply = Import.Reply()

    init(workspace: Workspace) throws {
        self.workspace = workspace
        for category in try workspace.context.fetch(FetchRequest<Category>()) {
            categories[category.name.lowercased()] = category
        }
    }

    mutating func take(_ exported: ExportedCategory, field: String) throws {
        let known = try workspace.context.object(of: Category.self, matching: "uid", equals: exported.uid)
        guard try known == nil && categories[name(exported.name, field).lowercased()] == nil else { return }
        let category = try makeCategory(named: exported.name, field: field)
        if !exported.uid.isEmpty { category.uid = exported.uid }
        category.doNotAlert = exported.isMuted
    }

    mutating func take(_ exported: ExportedItem, field: String) throws {
        let item = exported.item
        guard !item.uid.isEmpty else {
            throw APIError.invalidValue(field: "\(field).uid", reason: "it is empty")
        }
        var exported = exported
        exported.item.name = try Workspace.name(
            item.name, field: "\(field).name", lengths: ReminderModel.nameLengths)
        let known = try workspace.context.object(of: ToDo.self, matching: "uid", equals: item.uid)
        if let known {
            let present = ExportedItem(known)
            if item.isPartial { exported.item.complete(from: present.item) }
            guard !isSame(exported, present), !isOver(exported.item, here: known) else {
                return reply.unchanged += 1
            }
            if let written = item.modifiedDate, written < known.modifiedDate,
                !isCut(written, of: known.modifiedDate)
            {
                return reply.older += 1
            }
        }
        let category = try item.category.map { try self.category(named: $0, field: "\(field).category") }
        let wasOpen = known.map { !$0.completed } ?? false
        let toDo = try known ?? workspace.context.insertToDo(at: workspace.now())
        toDo.uid = item.uid
        try exported.fill(toDo, category: category)
        if wasOpen, toDo.completed { moveOn(toDo) }
        if known == nil { reply.added += 1 } else { reply.updated += 1 }
    }

    /// Whether an item that is done in the file was done at that time of its here too, and has moved on since.
    private func isOver(_ item: ExchangeItem, here known: ToDo) -> Bool {
        guard item.isCompleted, item.recurrence != nil, !known.completed else { return false }
        guard let there = item.due, let here = known.dueDate else { return false }
        return there < here
    }

    /// An item that was open here and is done in the file becomes what it would be had it been done here: other
    /// programs call one time of it done by the word for the whole.
    private func moveOn(_ toDo: ToDo) {
        let moment = toDo.completedDate ?? workspace.now()
        guard let next = toDo.schedule.series(in: workspace.zone)?.done(at: moment) else { return }
        toDo.completed = false
        toDo.completedDate = nil
        toDo.move(to: next)
    }

    /// Whether both are written alike. What a file of another program does not tell counts as the same.
    private func isSame(_ file: ExportedItem, _ store: ExportedItem) -> Bool {
        var (file, store) = (file, store)
        if file.item.occurrencesDone == nil { store.item.occurrencesDone = nil }
        if file.lastAlert == nil { store.lastAlert = nil }
        let dates: [WritableKeyPath<ExchangeItem, Timestamp?>] = [
            \.createdDate, \.modifiedDate, \.completedDate,
        ]
        for date in dates where isCut(file.item[keyPath: date], of: store.item[keyPath: date]) {
            store.item[keyPath: date] = file.item[keyPath: date]
        }
        if file.item.createdDate == nil { store.item.createdDate = nil }
        if file.item.modifiedDate == nil { store.item.modifiedDate = nil }
        file.item.category = file.item.category?.lowercased()
        store.item.category = store.item.category?.lowercased()
        return bytes(of: file) == bytes(of: store)
    }

    /// Whether a format without fractions of a second has made the one moment of the other.
    private func isCut(_ written: Timestamp?, of known: Timestamp?) -> Bool {
        guard let written, let known else { return false }
        return written.secondsSince1970 == known.secondsSince1970.rounded(.down)
    }

    private func bytes(of exported: ExportedItem) -> [UInt8] {
        var writer = JSONWriter()
        exported.write(to: &writer, zone: .utc)
        return writer.bytes
    }

    // MARK: - Categories

    private func name(_ text: String, _ field: String) throws(APIError) -> String {
        try Workspace.name(text, field: field, lengths: ReminderModel.categoryNameLengths)
    }

    private mutating func category(named text: String, field: String) throws -> Category {
        if let known = categories[try name(text, field).lowercased()] { return known }
        return try makeCategory(named: text, field: field)
    }

    private mutating func makeCategory(named text: String, field: String) throws -> Category {
        let category = try workspace.context.insertCategory(at: workspace.now())
        category.name = try name(text, field)
        categories[category.name.lowercased()] = category
        reply.categoriesAdded += 1
        return category
    }
}
