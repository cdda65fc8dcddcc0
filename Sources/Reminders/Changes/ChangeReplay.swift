internal import CivilTime
internal import ObjectStore

/// A step that changes the objects of a record from one of its sides to the other.
///
/// The changes are unsaved changes of a context. Nothing changes unless every object matches the record. Properties
/// that only the daemon sets may differ.
struct ChangeReplay {
    let context: ManagedObjectContext
    /// The record, with the expected state in `before` and the wanted state in `after`.
    let record: ChangeRecord
    /// A description of the change, for a conflict.
    let summary: String
    let now: Timestamp
    /// Called with each item that changes or has a lead time that changes.
    let reportItem: (ToDo) -> Void

    /// Checks all objects and then changes them.
    ///
    /// - Returns: the deleted objects in their last state, with the alerts that were recorded after the change.
    /// - Throws: `UndoError.conflict` or an error of the store. The caller must then roll back the context.
    func run() throws -> [ObjectSnapshot] {
        let names = record.names
        for name in names { try check(name) }
        let deleted = try names.filter { record.after[$0] == nil }
            .compactMap { try context.object($0) }.map { ObjectSnapshot($0) }
        for name in names where record.before[name] == nil { try revive(name) }
        for name in names { try update(name) }
        for name in names.reversed() where record.after[name] == nil { try delete(name) }
        return deleted
    }

    // MARK: - Conflicts

    private func check(_ name: ObjectID) throws {
        let object = try context.object(name)
        guard let expected = record.before[name] else {
            if object != nil { throw try conflict(name, reason: "it already exists") }
            return
        }
        guard let object else { throw try conflict(name, reason: "it no longer exists") }
        let present = ObjectSnapshot(object)
        let properties = present.differences(from: expected).filter { property in
            // The daemon ends a snooze when it sends the alert.
            property != "snoozedUntil" || present[property] != .null
        }
        guard properties.isEmpty else {
            let phrases = ChangeWords.phrases(of: properties)
            let verb = phrases.count > 1 ? "have" : "has"
            throw try conflict(
                name, reason: "\(ChangeWords.list(phrases, before: "its")) \(verb) changed since",
                properties: properties)
        }
    }

    private func conflict(
        _ name: ObjectID, reason: String, properties: [String] = []
    ) throws -> UndoError {
        var (name, properties, reason) = (name, properties, reason)
        let snapshot = { (name: ObjectID) in record.before[name] ?? record.after[name] }
        // The user knows the item, not its alarm.
        if name.entity == Alarm.entityName, case .integer(let owner)? = snapshot(name)?["toDo"] {
            (name, properties, reason) = (
                ObjectID(entity: ToDo.entityName, id: owner), ["alarms"], "its lead times have changed since"
            )
        }
        let text = try snapshot(name)?.text("name") ?? Self.text(context.object(name)) ?? ""
        return .conflict(
            UndoConflict(
                summary: summary, item: name.entity == ToDo.entityName ? name.id : nil, name: text,
                properties: properties,
                reason: reason))
    }

    private static func text(_ object: ManagedObject?) -> String? {
        (object as? ToDo)?.name
    }

    // MARK: - Steps

    private func revive(_ name: ObjectID) throws {
        guard let wanted = record.after[name] else { return }
        let object = try context.insert(entity: name.entity, id: name.id)
        for column in object.entity.columns {
            guard case .attribute = column.content else { continue }
            try object.setValue(wanted[column.name], of: column.name)
        }
        (object as? ToDo)?.modifiedDate = now
        reportItem(of: object)
        (object as? Category)?.modifiedDate = now
    }

    /// Sets the properties that differ or, for an object that was just inserted, its relationships.
    private func update(_ name: ObjectID) throws {
        guard let wanted = record.after[name], let object = try context.object(name) else { return }
        let properties =
            record.before[name] == nil
            ? object.entity.relationships.filter { !$0.description.isToMany }.map(\.name)
            : wanted.differences(from: ObjectSnapshot(object))
        for property in properties {
            if let relationship = object.entity.relationship(named: property) {
                try setTarget(wanted, relationship, of: object)
            } else {
                try object.setValue(wanted[property], of: property)
            }
        }
        if !properties.isEmpty { reportItem(of: object) }
        // The alert of a snooze that has ended would be sent at once.
        if let item = object as? ToDo, let end = item.snoozedUntil, end <= now { item.snoozedUntil = nil }
    }

    /// Calls `reportItem` with an item, or with the item of a lead time.
    private func reportItem(of object: ManagedObject) {
        if let item = object as? ToDo ?? (object as? Alarm)?.toDo { reportItem(item) }
    }

    private func setTarget(
        _ wanted: ObjectSnapshot, _ relationship: Entity.Relationship, of object: ManagedObject
    ) throws {
        guard case .integer(let id) = wanted[relationship.name] else {
            return try object.setTarget(nil, of: relationship.name)
        }
        let target = ObjectID(entity: relationship.description.destination, id: id)
        guard let found = try context.object(target) else {
            throw try conflict(
                wanted.name, reason: "its \(relationship.name) no longer exists",
                properties: [relationship.name])
        }
        try object.setTarget(found, of: relationship.name)
    }

    /// Deletes an object.
    ///
    /// - Throws: `UndoError.conflict` if the object has related objects that the record does not contain.
    private func delete(_ name: ObjectID) throws {
        guard let object = try context.object(name) else { return }
        if let item = object as? ToDo, !item.alarms.isEmpty {
            throw try conflict(name, reason: "its lead times have changed since", properties: ["alarms"])
        }
        if let category = object as? Category, !category.toDos.isEmpty {
            throw try conflict(name, reason: "it contains items that it did not have")
        }
        reportItem(of: object)
        try context.delete(object)
    }
}
