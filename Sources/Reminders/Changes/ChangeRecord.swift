internal import ObjectStore
internal import Varlink

/// The objects that one change affected, before and after it.
struct ChangeRecord {
    /// The entities of objects that the user changes.
    ///
    /// Each refers only to entities before it.
    static let entities = [
        Category.entityName, Tag.entityName, SavedView.entityName, ToDo.entityName, Alarm.entityName,
        Link.entityName, Completion.entityName, Occurrence.entityName,
    ]

    /// Returns the names of the many-to-many relationships that are recorded with the objects of an entity.
    static func linkNames(of entity: String) -> [String] {
        entity == ToDo.entityName ? ["blockers", "tags"] : []
    }

    var before: [ObjectID: ObjectSnapshot] = [:]
    var after: [ObjectID: ObjectSnapshot] = [:]

    /// The IDs of the objects, in the order in which the objects can be created.
    var names: [ObjectID] {
        let names = Set(before.keys).union(after.keys).sorted { $0.id < $1.id }
        return Self.entities.flatMap { entity in names.filter { $0.entity == entity } }
    }

    /// The record of the opposite change.
    var reversed: ChangeRecord {
        var record = self
        swap(&record.before, &record.after)
        return record
    }

    // MARK: - Recording

    /// Creates a record of the unsaved changes of a context.
    ///
    /// An item is also changed if a part of it is.
    init(of context: ManagedObjectContext) throws {
        let links = context.changedLinks()
        for object in context.deletedObjects where Self.isCovered(object) {
            let snapshot = ObjectSnapshot(object, asSaved: true, changes: links[object.objectID] ?? [:])
            before[snapshot.name] = snapshot
        }
        for object in context.insertedObjects where Self.isCovered(object) {
            let snapshot = ObjectSnapshot(object, changes: links[object.objectID] ?? [:])
            after[snapshot.name] = snapshot
        }
        for object in context.updatedObjects where Self.isCovered(object) {
            record(object, links[object.objectID] ?? [:], isTouched: false)
        }
        for item in try context.itemsOfChangedParts() where !item.isInserted {
            record(item, links[item.objectID] ?? [:], isTouched: true)
        }
    }

    private static func isCovered(_ object: ManagedObject) -> Bool { entities.contains(object.entity.name) }

    /// Records an object that existed before, if it was changed.
    private mutating func record(
        _ object: ManagedObject, _ links: [String: LinkedObjectsChange], isTouched: Bool
    ) {
        let old = ObjectSnapshot(object, asSaved: true, changes: links)
        let new = ObjectSnapshot(object, changes: links)
        guard isTouched || !old.differences(from: new).isEmpty else { return }
        before[old.name] = old
        after[new.name] = new
    }

    // MARK: - JSON

    /// The JSON names of `id` and the columns of each entity.
    struct ColumnNames {
        private let names: [String: JSONNames]

        init(_ model: ManagedObjectModel) {
            let entities = model.entities.map { entity in
                let names = ["id"] + entity.columns.map(\.name) + ChangeRecord.linkNames(of: entity.name)
                return (entity.name, JSONNames(names))
            }
            names = Dictionary(uniqueKeysWithValues: entities)
        }

        subscript(entity: String) -> JSONNames? { names[entity] }
    }

    /// Reads a record, or returns `nil` if the texts do not have this format or do not match the model.
    init?(before: String?, after: String?, _ model: ManagedObjectModel) {
        guard let before = Self.objects(before, model), let after = Self.objects(after, model),
            !before.isEmpty || !after.isEmpty
        else { return nil }
        self.before = before
        self.after = after
    }

    private static func objects(_ text: String?, _ model: ManagedObjectModel) -> [ObjectID: ObjectSnapshot]? {
        guard let text else { return [:] }
        guard case .object(let groups)? = try? JSONParser.parse(text.utf8) else { return nil }
        var objects: [ObjectID: ObjectSnapshot] = [:]
        for (name, group) in groups.members {
            guard entities.contains(name), let entity = model.entity(named: name),
                case .array(let elements) = group
            else { return nil }
            for element in elements {
                guard let object = ObjectSnapshot(element, of: entity) else { return nil }
                objects[object.name] = object
            }
        }
        return objects
    }
}
