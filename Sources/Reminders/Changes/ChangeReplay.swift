internal import CivilTime
internal import ObjectStore

/// A step that changes the objects of a record from one of its sides to the other.
///
/// The changes are unsaved changes of a context. Nothing changes unless every object matches the record in the properties
/// that the record changes. Properties that only the daemon sets may differ.
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
            .compactMap { try context.object($0) }.map { object in
                let snapshot = ObjectSnapshot(object)
                return snapshot.keepingLinks(of: record.before[snapshot.name])
            }
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
        let links = ChangeRecord.linkNames(of: name.entity)
        let changed = changedProperties(of: name)
        var properties = present.differences(from: expected).filter { property in
            // The daemon ends a snooze when it sends the alert.
            !links.contains(property) && (property != "snoozedUntil" || present[property] != .null)
                && changed?.contains(property) ?? true
                && !Self.followsZone(property, in: present, expected: expected)
        }
        properties += try links.filter { try !hasLinks(object, $0) }
        guard properties.isEmpty else {
            let phrases = ChangeWords.phrases(of: properties)
            let verb = phrases.count > 1 || ["notes", "tags", "links"].contains(phrases[0]) ? "have" : "has"
            throw try conflict(
                name, reason: "\(ChangeWords.list(phrases, before: "its")) \(verb) changed since",
                properties: properties)
        }
    }

    /// The properties that describe one value together, so that a change of one of them concerns the others.
    private static let groups: [Set<String>] = [
        [
            "dueDate", "dueLocal", "startDate", "startLocal", "recurrence", "recurrenceStart",
            "occurrencesDone",
            "repeatFromCompletion", "excludedDates", "addedDates", "timeZone", "completed", "completedDate",
            "isCancelled", "percentComplete",
        ], ["parent", "place"],
    ]

    /// Returns the properties that the record changes, or `nil` if it adds or deletes the object.
    ///
    /// A synchronization may have changed the others since, and these changes stay.
    private func changedProperties(of name: ObjectID) -> Set<String>? {
        guard let before = record.before[name], let after = record.after[name] else { return nil }
        let changed = Set(after.differences(from: before))
        return Self.groups.filter { !$0.isDisjoint(with: changed) }.reduce(changed) { $0.union($1) }
    }

    /// Whether a property is the moment of a date or a floating time, which another time zone changes.
    private static func followsZone(
        _ property: String, in present: ObjectSnapshot, expected: ObjectSnapshot
    ) -> Bool {
        guard let local = ["dueDate": "dueLocal", "startDate": "startLocal"][property] else { return false }
        return present[local] != .null && present[local] == expected[local]
    }

    /// Whether a many-to-many relationship has the recorded objects of this side, and none of those of the other side.
    private func hasLinks(_ object: ManagedObject, _ relationship: String) throws -> Bool {
        let name = ObjectSnapshot(object).name
        let expected = record.before[name]?.links[relationship] ?? []
        let others = record.after[name]?.links[relationship] ?? []
        guard !expected.isEmpty || !others.isEmpty else { return true }
        let present = Set(try object.objects(of: relationship).all().map(\.id))
        return present.isSuperset(of: expected) && present.isDisjoint(with: others)
    }

    private func conflict(
        _ name: ObjectID, reason: String, properties: [String] = []
    ) throws -> UndoError {
        var (name, properties, reason) = (name, properties, reason)
        let snapshot = { (name: ObjectID) in record.before[name] ?? record.after[name] }
        // The user knows the item, not its alarm.
        if let part = Self.parts[name.entity], case .integer(let owner)? = snapshot(name)?["toDo"] {
            let phrase = ChangeWords.phrases(of: [part]).joined()
            (name, properties, reason) = (
                ObjectID(entity: ToDo.entityName, id: owner), [part], "its \(phrase) have changed since"
            )
        }
        let text = try snapshot(name)?.text("name") ?? Self.text(context.object(name)) ?? ""
        return .conflict(
            UndoConflict(
                summary: summary, item: name.entity == ToDo.entityName ? name.id : nil,
                isTag: name.entity == Tag.entityName, name: text, properties: properties,
                reason: reason))
    }

    private static func text(_ object: ManagedObject?) -> String? {
        (object as? ToDo)?.name
    }

    /// The relationships of an item that have its parts, by the entities of the parts.
    static let parts = {
        let parts: [any ItemPart.Type] = [Alarm.self, Link.self, Completion.self, Occurrence.self]
        return Dictionary(uniqueKeysWithValues: parts.map { ($0.entityName, $0.relationship) })
    }()

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
        (object as? Tag)?.modifiedDate = now
        (object as? SavedView)?.modifiedDate = now
    }

    /// Sets the properties that differ or, for an object that was just inserted, its relationships.
    private func update(_ name: ObjectID) throws {
        guard let wanted = record.after[name], let object = try context.object(name) else { return }
        let changed = changedProperties(of: name)
        let properties =
            record.before[name] == nil
            ? object.entity.relationships.filter { !$0.description.isToMany }.map(\.name)
            : wanted.differences(from: ObjectSnapshot(object)).filter {
                !ChangeRecord.linkNames(of: name.entity).contains($0) && changed?.contains($0) ?? true
            }
        if let item = object as? ToDo, properties.contains("parent") { try setParent(wanted, of: item) }
        for property in properties where property != "parent" || !(object is ToDo) {
            if let relationship = object.entity.relationship(named: property) {
                try setTarget(wanted, relationship, of: object)
            } else {
                try object.setValue(wanted[property], of: property)
            }
        }
        let hasOtherLinks = try ChangeRecord.linkNames(of: name.entity).map {
            try setLinks(wanted, $0, of: object)
        }
        if !properties.isEmpty || hasOtherLinks.contains(true) { reportItem(of: object) }
        // The alert of a snooze that has ended would be sent at once.
        if let item = object as? ToDo, let end = item.snoozedUntil, end <= now { item.snoozedUntil = nil }
    }

    /// Calls `reportItem` with an item, or with the item of one of its parts.
    private func reportItem(of object: ManagedObject) {
        if let item = object as? ToDo ?? (object as? any ItemPart)?.toDo { reportItem(item) }
    }

    /// Adds and removes the recorded objects of a many-to-many relationship.
    ///
    /// - Returns: whether there are any.
    private func setLinks(
        _ wanted: ObjectSnapshot, _ relationship: String, of object: ManagedObject
    ) throws -> Bool {
        let added = wanted.links[relationship] ?? []
        let removed = record.before[wanted.name]?.links[relationship] ?? []
        let objects = try object.objects(of: relationship)
        guard let description = object.entity.relationship(named: relationship)?.description else {
            return false
        }
        let find = { (id: Int64) in try context.object(ObjectID(entity: description.destination, id: id)) }
        for id in removed { try find(id).map { objects.remove($0) } }
        for id in added {
            guard let found = try find(id) else {
                let phrase = ChangeWords.phrases(of: [relationship]).joined()
                throw try conflict(
                    wanted.name, reason: "one of its \(phrase) no longer exists", properties: [relationship])
            }
            objects.insert(found)
        }
        return !added.isEmpty || !removed.isEmpty
    }

    /// Sets the parent and the position of an item.
    ///
    /// An item without a position would get one when it gets its parent, and so would its siblings.
    private func setParent(_ wanted: ObjectSnapshot, of item: ToDo) throws {
        guard let relationship = item.entity.relationship(named: "parent") else { return }
        item.parent = nil
        item.place = 0
        try setTarget(wanted, relationship, of: item)
        try item.setValue(wanted["place"], of: "place")
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
        if let item = object as? ToDo {
            // A new item can be a child of one with a greater ID.
            for child in item.children.map({ ObjectSnapshot($0).name })
            where record.before[child] != nil && record.after[child] == nil {
                try delete(child)
            }
            let counts = [
                "alarms": item.alarms.count, "links": item.links.count, "completions": item.completions.count,
                "occurrences": item.occurrences.count, "children": item.children.count,
            ]
            if let part = counts.filter({ $0.value > 0 }).keys.min() {
                let phrase = ChangeWords.phrases(of: [part]).joined()
                throw try conflict(name, reason: "its \(phrase) have changed since", properties: [part])
            }
        }
        if let category = object as? Category, !category.toDos.isEmpty {
            throw try conflict(name, reason: "it contains items that it did not have")
        }
        if let tag = object as? Tag, !tag.toDos.isEmpty {
            throw try conflict(name, reason: "it is on items that did not have it")
        }
        reportItem(of: object)
        try context.delete(object)
    }
}
