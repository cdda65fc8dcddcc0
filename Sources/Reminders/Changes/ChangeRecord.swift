internal import ObjectStore
internal import Varlink

/// What one change did: every object that it touched, as it was before and as it became.
struct ChangeRecord {
    /// The entities whose objects a person changes. Each refers to those before it only.
    static let entities = ["Category", "ToDo", "Alarm"]

    var before: [ObjectID: ObjectSnapshot] = [:]
    var after: [ObjectID: ObjectSnapshot] = [:]

    /// The objects, in the order in which they can be made.
    var names: [ObjectID] {
        let names = Set(before.keys).union(after.keys).sorted { $0.id < $1.id }
        return Self.entities.flatMap { entity in names.filter { $0.entity == entity } }
    }

    /// The same change the other way round.
    var reversed: ChangeRecord {
        var record = self
        swap(&record.before, &record.after)
        return record
    }

    // MARK: - Taking it down

    /// What a context has changed and not saved yet. An item is touched by what becomes of its alarms, too.
    init(of context: ManagedObjectContext) throws {
        for object in context.deletedObjects where Self.isCovered(object) {
            let snapshot = ObjectSnapshot(object, asSaved: true)
            before[snapshot.name] = snapshot
        }
        for object in context.insertedObjects where Self.isCovered(object) {
            let snapshot = ObjectSnapshot(object)
            after[snapshot.name] = snapshot
        }
        for object in context.updatedObjects where Self.isCovered(object) {
            note(object, isTouched: false)
        }
        for item in try context.itemsOfChangedAlarms() where !item.isInserted {
            note(item, isTouched: true)
        }
    }

    private static func isCovered(_ object: ManagedObject) -> Bool { entities.contains(object.entity.name) }

    /// Takes an object down that was there before, if it was touched.
    private mutating func note(_ object: ManagedObject, isTouched: Bool) {
        let (old, new) = (ObjectSnapshot(object, asSaved: true), ObjectSnapshot(object))
        guard isTouched || !old.differences(from: new).isEmpty else { return }
        before[old.name] = old
        after[new.name] = new
    }

    // MARK: - JSON

    /// `id` and the columns of each entity, as they stand in JSON.
    struct ColumnNames {
        private let names: [String: JSONNames]

        init(_ model: ManagedObjectModel) {
            let entities = model.entities.map { ($0.name, JSONNames(["id"] + $0.columns.map(\.name))) }
            names = Dictionary(uniqueKeysWithValues: entities)
        }

        subscript(entity: String) -> JSONNames? { names[entity] }
    }

    /// Nil when the texts are not of this form and this model.
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
