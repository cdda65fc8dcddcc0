internal import CivilTime
internal import ObjectStore
internal import ObjectStoreXML
internal import Platform
internal import Reminders
internal import TodoAPI
internal import Varlink

/// The objects of the XML document of a Core Data store, written by todod or by an application with the same model.
///
/// The document can have any version of the reminder model. Properties that a version lacks stay empty. A missing
/// `uid` consists of the identifier of the document and the ID of the object. So it is the same at the next import.
struct CoreDataContent: ImportContent {
    private let context: ManagedObjectContext
    private let identifier: String
    private let categories: [Int64]
    private let tags: [Int64]
    private let items: [Int64]
    private var categoryIndex = 0
    private var tagIndex = 0
    private var itemIndex = 0

    init(_ text: consuming String, in directory: WorkDirectory) throws {
        let path = directory.file("import.xml")
        try Self.write(text, to: path)
        // Otherwise the text would be in memory together with the objects.
        _ = consume text
        do {
            try self.init(path)
        } catch let error as StoreError {
            throw APIError.invalidValue(field: "text", reason: error.message)
        }
    }

    private static func write(_ text: String, to path: String) throws(SystemError) {
        var file = try FileDescriptor(opening: path, for: .writing, .createsNew)
        try file.write(text)
        try file.close()
    }

    // MARK: - Opening

    private init(_ path: String) throws {
        let versions = try ReminderModel.versions()
        let coordinator: PersistentStoreCoordinator
        if let model = try XMLDocument.fittingModel(forForeign: path, among: versions) {
            coordinator = try Self.open(path, model)
        } else {
            coordinator = try Self.open(path, oneOf: versions.reversed()[...])
        }
        context = ManagedObjectContext(coordinator: coordinator)
        identifier = coordinator.store.map { "\($0.metadata.identifier)" } ?? ""
        categories = try Self.ids(Category.entityName, context)
        tags =
            coordinator.model.entity(named: Tag.entityName) == nil
            ? [] : try Self.ids(Tag.entityName, context)
        items = try Self.ids(ToDo.entityName, context)
    }

    private static func ids(_ entity: String, _ context: ManagedObjectContext) throws -> [Int64] {
        try context.ids(FetchRequest<ManagedObject>(entity: entity, orderedBy: [FetchOrder("id")]))
    }

    private static func open(_ path: String, _ model: ManagedObjectModel) throws -> PersistentStoreCoordinator
    {
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(.xml(path: path, readOnly: true))
        return coordinator
    }

    /// Opens a document that todod wrote, which has the version hash of one of the models.
    private static func open(
        _ path: String, oneOf models: ArraySlice<ManagedObjectModel>
    ) throws -> PersistentStoreCoordinator {
        var failure = StoreError(.modelMismatch, "the document does not match any known model")
        for model in models {
            do {
                return try open(path, model)
            } catch let error as StoreError where error.code == .modelMismatch {
                failure = error
            }
        }
        throw failure
    }

    // MARK: - Objects

    var itemCount: Int { items.count }

    mutating func nextCategory() throws -> ImportedObject<ExportedCategory>? {
        try next(Category.entityName, categories, &categoryIndex).map { object in
            ImportedObject(body: category(object), place: "categories[\(categoryIndex - 1)]")
        }
    }

    mutating func nextTag() throws -> ImportedObject<ExportedTag>? {
        try next(Tag.entityName, tags, &tagIndex).map { object in
            let row = Row(object)
            var tag = ExportedTag()
            tag.uid = row.text("uid") ?? ""
            tag.name = row.text("name") ?? ""
            tag.createdDate = row.moment("createdDate")
            tag.modifiedDate = row.moment("modifiedDate")
            return ImportedObject(body: tag, place: "tags[\(tagIndex - 1)]")
        }
    }

    mutating func nextItem() throws -> ImportedObject<ExportedItem>? {
        try next(ToDo.entityName, items, &itemIndex).map { object in
            let place = "items[\(itemIndex - 1)]"
            return ImportedObject(body: try item(Row(object), field: place), place: place)
        }
    }

    private func next(_ entity: String, _ ids: [Int64], _ index: inout Int) throws -> ManagedObject? {
        guard index < ids.count else { return nil }
        defer { index += 1 }
        return try context.object(ObjectID(entity: entity, id: ids[index]))
    }

    private func category(_ object: ManagedObject) -> ExportedCategory {
        let row = Row(object)
        var category = ExportedCategory()
        category.uid = row.text("uid") ?? ""
        category.name = row.text("name") ?? ""
        category.isMuted = row.flag("doNotAlert")
        category.createdDate = row.moment("createdDate")
        category.modifiedDate = row.moment("modifiedDate")
        return category
    }

    private func item(_ row: Row, field: String) throws -> ExportedItem {
        var exported = ExportedItem()
        exported.item.uid = "\(identifier)/\(row.object.id)"
        exported.read(ExportedItem.keys.map(row.value))
        exported.item.occurrencesDone = exported.item.occurrencesDone ?? 0
        exported.item.category = try row.object.target(of: "category").flatMap { Row($0).text("name") }
        exported.item.missing = Set(
            ExchangeItem.Addition.allCases.filter { row.object.entity.property(named: $0.property) == nil })
        if !exported.item.missing.contains(.tags) {
            exported.item.tags = try row.object.objects(of: "tags").all().compactMap { Row($0).text("name") }
        }
        if !exported.item.missing.contains(.parent) {
            exported.item.parent = try row.object.target(of: "parent").flatMap { Row($0).text("uid") }
            exported.item.blockers = try row.object.objects(of: "blockers").all().compactMap {
                Row($0).text("uid")
            }
        }
        if exported.item.position == nil { exported.item.missing.insert(.position) }
        if !exported.item.missing.contains(.links) {
            exported.item.links = try links(of: row.object)
        }
        if !exported.item.missing.contains(.history) {
            exported.item.history = try history(of: row.object)
        }
        if !exported.item.missing.contains(.occurrences) {
            exported.item.occurrences = try occurrences(of: row.object)
        }
        try setAlarms(of: &exported, from: row)
        // The first two versions have neither `uid` nor `notes`.
        exported.item.isPartial = row.object.entity.property(named: "uid") == nil
        exported.item.hasNotesAndPriority = row.object.entity.property(named: "notes") != nil
        do throws(RecurrenceError) {
            if let rule = exported.item.recurrence {
                exported.item.recurrence = try RecurrenceRule(rule.text)
            }
        } catch {
            throw APIError.invalidValue(field: "\(field).recurrence", reason: error.reason)
        }
        return exported
    }

    /// Returns the links of an item in their order.
    private func links(of item: ManagedObject) throws -> [LinkValue] {
        try item.objects(of: "links").all().map(Row.init).compactMap { row in
            guard let url = row.text("url") else { return nil }
            var link = LinkValue(url: url)
            link.title = row.text("title")
            link.mediaType = row.text("mediaType")
            link.isAttachment = row.flag("isAttachment")
            return link
        }
    }

    /// Returns the completions of an item, the oldest first.
    private func history(of item: ManagedObject) throws -> [CompletionValue] {
        try item.objects(of: "completions").all().map(Row.init).compactMap { row in
            guard let date = row.moment("date") else { return nil }
            let due = CalendarTime(
                moment: row.moment("dueDate"), local: row.text("dueLocal").flatMap(LocalTime.init))
            return CompletionValue(date: date, due: due, isSkipped: row.flag("isSkipped"))
        }.sorted()
    }

    private func occurrences(of item: ManagedObject) throws -> [OccurrenceValue] {
        try item.objects(of: "occurrences").all().map(Row.init).map { row in
            let time = { (name: String) in
                CalendarTime(
                    moment: row.moment("\(name)Date"), local: row.text("\(name)Local").flatMap(LocalTime.init)
                )
            }
            var value = OccurrenceValue(recurrenceID: row.text("recurrenceID") ?? "")
            value.name = row.text("name")
            value.notes = row.text("notes")
            value.priority = row.has("priority") ? Int(row.number("priority")) : nil
            value.due = time("due")
            value.start = time("start")
            value.completedDate = row.moment("completedDate")
            value.isCancelled = row.flag("isCancelled")
            value.remainder = [UInt8](attributeValue: row.value("remainder"))
            return value
        }.sorted { $0.recurrenceID < $1.recurrenceID }
    }

    /// Sets the lead times and the alerts of an item.
    ///
    /// In version 3, an item has one lead time, and the due time of its last alert is not recorded.
    private func setAlarms(of exported: inout ExportedItem, from row: Row) throws {
        guard row.object.entity.property(named: "alarms") != nil else {
            exported.item.leads = row.has("leadTime") ? [Int(row.number("leadTime"))] : []
            return
        }
        exported.alertState = ExportedAlertState()
        exported.alertState?.due = row.moment("toldForDue")
        exported.alertState?.next = row.moment("nextAlertDate")
        // In version 4, all alarms are lead times.
        exported.setAlarms(
            try row.object.objects(of: "alarms").all().map(Row.init).map { alarm in
                let time = AlarmTime(
                    Alarm.Anchor(attributeValue: alarm.value("anchor")) ?? .due,
                    offset: Int32(clamping: Int(alarm.number("offset"))), date: alarm.moment("date"))
                return (time, alarm.moment("toldForDue"))
            })
    }
}

/// The values of an object, without those that its version lacks.
private struct Row {
    let object: ManagedObject

    init(_ object: ManagedObject) { self.object = object }

    func value(_ name: String) -> AttributeValue {
        guard object.entity.column(named: name) != nil else { return .null }
        return (try? object.value(of: name)) ?? .null
    }

    func has(_ name: String) -> Bool { !value(name).isNull }

    func text(_ name: String) -> String? {
        if case .string(let text) = value(name) { text } else { nil }
    }

    func moment(_ name: String) -> Timestamp? {
        if case .date(let moment) = value(name) { moment } else { nil }
    }

    func flag(_ name: String) -> Bool { value(name) == .boolean(true) }

    func number(_ name: String) -> Int64 {
        if case .integer(let number) = value(name) { number } else { 0 }
    }
}
