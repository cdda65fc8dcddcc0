// Every change goes through the methods under "Steps". They keep the lists of changes and the known IDs of
// relationships consistent. The methods above them decide which steps make up a change.

extension ManagedObjectContext {
    /// Inserts a new object with the defaults of its entity and a new ID.
    ///
    /// The next save writes it to the first writable store for its entity, unless it is assigned to another store.
    public func insert<Object: ManagedObject>(_ objectClass: Object.Type = Object.self) throws -> Object {
        let object = try insert(into: entity(of: objectClass, named: nil))
        return unsafeDowncast(object, to: Object.self)
    }

    /// Inserts a new object of the entity with the given name.
    public func insert(entity name: String) throws -> ManagedObject {
        try insert(into: entity(of: ManagedObject.self, named: name))
    }

    /// Inserts an object again after its deletion was saved, with its former ID and the defaults of its entity.
    ///
    /// - Throws: A `StoreError` if an object has this ID, or had it and its deletion is not saved yet.
    public func insert(entity name: String, id: Int64) throws -> ManagedObject {
        let entity = try entity(of: ManagedObject.self, named: name)
        let place = try coordinator.placeOfNewObject(of: entity)
        let registry = registry(of: entity, at: place.position)
        let isBeingDeleted = ancestors.contains {
            $0.registry(of: entity, at: place.position).table[id]?.state == .deleted
        }
        guard id > 0, try object(id, in: registry) == nil, registry.table[id] == nil, !isBeingDeleted else {
            throw StoreError(
                .misuse, "\(name) \(id) cannot be recreated: its id is in use", path: place.store.name)
        }
        try coordinator.reserveIDs(of: model.stored(entity), upTo: id)
        return try insert(into: entity, id: id)
    }

    /// Inserts a new object.
    ///
    /// - Parameter id: The ID of a deleted object to use again, or `nil` for a new ID.
    func insert(into entity: Entity, id: Int64? = nil) throws -> ManagedObject {
        guard !entity.description.isAbstract else {
            let names = entity.inheritance?.names ?? []
            throw FetchError(
                .unsupported,
                "\(entity.name) is abstract; insert an object of \(names.joined(separator: " or "))")
        }
        let place = try coordinator.placeOfNewObject(of: entity)
        let registry = registry(of: entity, at: place.position).member(entity)
        let object = entity.description.managedObjectClass.init(
            ObjectPlacement(
                registry: registry, id: try id ?? coordinator.nextID(of: registry.stored),
                values: .make(entity.defaults), state: .inserted))
        recordInsertion(of: object)
        if !isMigrating {
            object.awakeFromInsert()
            object.changed = .none
        }
        return object
    }

    // MARK: - Relationships

    /// Sets a to-one relationship and updates the inverse relationship of all affected objects.
    func setTarget(_ target: ManagedObject?, of object: ManagedObject, column: Int) throws {
        let relationship = object.entity.toOne(at: column)
        let old = object.values[column]
        if let target { try requireOneStore(of: object, and: target, for: relationship) }
        let new = target.map { AttributeValue.integer($0.id) } ?? .null
        guard old != new else { return }
        if case .toOne(let inverse) = relationship.inverse {
            if let former = try self.target(of: object, column: column) {
                set(.null, inColumn: inverse, of: former)
            }
            if let target {
                if let rival = try self.target(of: target, column: inverse), rival !== object {
                    set(.null, inColumn: column, of: rival)
                }
                set(.integer(object.id), inColumn: inverse, of: target)
            }
        }
        set(new, inColumn: column, of: object)
        if !isMigrating { try changePlace(of: object, from: old, to: target, column: column) }
    }

    /// Adds an object to a to-many relationship of `owner`, or removes it.
    func setMember(_ object: ManagedObject, of owner: ManagedObject, position: Int, isMember: Bool) throws {
        let relationship = owner.entity.toMany[position]
        guard owner.isAlive else { throw owner.deletionError(relationship.name) }
        if isMember {
            try owner.requireUsable(object, for: relationship.name)
        } else if object.context !== self {
            throw owner.refusal(of: object, for: relationship.name, because: "belongs to another context")
        }
        let destination = model.declaredDestination(of: relationship)
        guard destination.includes(object.entity) else {
            throw owner.refusal(of: object, for: relationship.name, because: "is no \(destination.name)")
        }
        if object.storePosition != owner.storePosition {
            // An object of another store cannot be a member.
            if isMember { try requireOneStore(of: owner, and: object, for: relationship) }
            return
        }
        switch relationship.inverse {
        case .toOne(let column):
            let isNow = object.values[column] == .integer(owner.id)
            guard isNow != isMember else { return }
            try setTarget(isMember ? owner : nil, of: object, column: column)
        case .toMany(let inverse):
            guard try memberIDs(of: owner, position: position).contains(sorted: object.id) != isMember else {
                return
            }
            setPair(owner, position: position, with: object, inverse: inverse, isLinked: isMember)
        case .attribute: break
        }
    }

    // MARK: - Steps

    func recordInsertion(of object: ManagedObject) {
        if !object.entity.toMany.isEmpty {
            let related = RelatedIDs(count: object.entity.toMany.count)
            for position in object.entity.toMany.indices {
                related.record([], at: position, epoch: relatedEpoch)
            }
            object.related = related
        }
        track(object)
        if undoLog.isRecording { undoLog.record(.insertion(object)) }
        if !observers.isEmpty { observers.notify(.inserted(object)) }
    }

    /// Sets the value of a column and records the change.
    func set(_ value: AttributeValue, inColumn column: Int, of object: ManagedObject) {
        let old = object.values[column]
        if object.state == .saved {
            if object.savedValues == nil { object.savedValues = object.values.copy() }
            object.changed.insert(column)
            object.unwritten.insert(column)
        } else {
            // Of a new object, these are the values that the program has set.
            object.changed.insert(column)
            if object.hasRow { object.unwritten.insert(column) }
        }
        object.values[column] = value
        track(object)
        if undoLog.isRecording { undoLog.record(.value(object, column: column, old: old)) }
        if column >= object.entity.firstToOne {
            moveInInverse(of: object, column: column, from: old, to: value)
        }
        if !observers.isEmpty {
            observers.notify(.changed(object, property: object.entity.columns[column].name))
        }
    }

    /// Marks an object as deleted and removes it from the known relationships of other objects.
    func recordDeletion(of object: ManagedObject) {
        for column in object.entity.firstToOne..<object.entity.columns.count {
            moveInInverse(of: object, column: column, from: object.values[column], to: .null)
        }
        if object.state == .inserted {
            object.state = .detached
            object.home.table.remove(object.id)
        } else {
            object.state = .deleted
        }
        track(object)
        if undoLog.isRecording { undoLog.record(.deletion(object)) }
        if !observers.isEmpty { observers.notify(.deleted(object)) }
    }

    /// Restores a deleted object with its former values and ID.
    func recordRevival(of object: ManagedObject) {
        if object.state == .detached {
            // Either it was never saved or its deletion was saved. In both cases the store has no row of it.
            object.state = .inserted
            object.savedValues = nil
            object.changed = .all
            // Changes of its relationships did not reach the object while it was not in the table.
            object.related = nil
            object.home.table.insert(object)
            noteRevival(of: object)
        } else {
            object.state = .saved
        }
        for column in object.entity.firstToOne..<object.entity.columns.count {
            moveInInverse(of: object, column: column, from: .null, to: object.values[column])
        }
        track(object)
        if undoLog.isRecording { undoLog.record(.insertion(object)) }
        if !observers.isEmpty { observers.notify(.inserted(object)) }
    }

    /// Adds or removes a pair of a many-to-many relationship.
    func setPair(
        _ owner: ManagedObject, position: Int, with other: ManagedObject, inverse: Int, isLinked: Bool
    ) {
        guard let link = owner.entity.toMany[position].link else { return }
        let key = PairKey(
            store: owner.storePosition, link: link.index, ownerID: link.isOwner ? owner.id : other.id,
            otherID: link.isOwner ? other.id : owner.id)
        changePair(key, isLinked: isLinked, of: [owner, other])
        track(owner)
        track(other)
        unwrittenPairs.append((key, isLinked))
        if link.isSymmetric, owner !== other {
            changePair(key.mirrored, isLinked: isLinked, of: [owner, other])
            unwrittenPairs.append((key.mirrored, isLinked))
        }
        if undoLog.isRecording { undoLog.record(.pair(owner, position, other, inverse, isLinked: isLinked)) }
        owner.related?.change(other.id, at: position, isMember: isLinked)
        other.related?.change(owner.id, at: inverse, isMember: isLinked)
        if !observers.isEmpty {
            observers.notify(.changed(owner, property: owner.entity.toMany[position].name))
            observers.notify(.changed(other, property: other.entity.toMany[inverse].name))
        }
    }

    /// Records that a pair was added or removed. Adding a removed pair cancels its removal, and removing an added
    /// pair cancels its addition.
    func changePair(_ key: PairKey, isLinked: Bool, of ends: [ManagedObject]) {
        let change: Int
        switch pairs[key] {
        case isLinked: return
        case nil: (pairs[key], change) = (isLinked, 1)
        default: (pairs[key], change) = (nil, -1)
        }
        for end in ends { end.changedPairs += change }
    }

    /// Returns the objects of a pair that are in memory.
    func ends(of key: PairKey) -> [ManagedObject] {
        let link = model.links[key.link]
        return [
            registry(of: model.entities[link.ownerIndex], at: key.store).table[key.ownerID],
            registry(of: model.entities[link.otherIndex], at: key.store).table[key.otherID],
        ].compactMap(\.self)
    }

    /// Returns the changed pairs that contain an object.
    func changedPairs(of object: ManagedObject) -> [(key: PairKey, isAdded: Bool)] {
        var keys: Set<PairKey> = []
        for link in object.entity.toMany.lazy.compactMap(\.link) {
            for isOwner in link.isSymmetric ? [true, false] : [link.isOwner] {
                let end = ChangedPairs.End(
                    store: object.storePosition, link: link.index, isOwner: isOwner, id: object.id)
                keys.formUnion(pairs.keys(of: end))
            }
        }
        return keys.compactMap { key in pairs[key].map { (key, $0) } }
    }

    /// Discards the changed pairs of an object that the store no longer has. Without it, they cannot be saved.
    ///
    /// - Returns: The discarded pairs.
    func discardPairs(of object: ManagedObject) -> [PairKey] {
        guard object.changedPairs > 0 else { return [] }
        let changed = changedPairs(of: object)
        for (key, isAdded) in changed { changePair(key, isLinked: !isAdded, of: ends(of: key)) }
        return changed.map(\.key)
    }

    /// Returns the names of an object's many-to-many relationships that have changed pairs.
    func changedLinks(of object: ManagedObject) -> [String] {
        let keys = changedPairs(of: object).map(\.key)
        return object.entity.toMany.filter { relationship in
            guard let link = relationship.link else { return false }
            return keys.contains {
                $0.link == link.index && (link.isOwner ? $0.ownerID : $0.otherID) == object.id
            }
        }.map(\.name)
    }

    /// Returns the unsaved changes of many-to-many relationships, by object and name. One pass over all pairs finds them.
    package func changedLinks() -> [ObjectID: [String: LinkedObjectsChange]] {
        var changes: [ObjectID: [String: LinkedObjectsChange]] = [:]
        for (key, isAdded) in pairs.all {
            let link = model.links[key.link]
            for (index, id, other, isOwner) in [
                (link.ownerIndex, key.ownerID, key.otherID, true),
                (link.otherIndex, key.otherID, key.ownerID, false),
            ] {
                let entity = model.entities[index]
                let relationship = entity.toMany.first {
                    $0.link?.index == key.link && $0.link?.isOwner == isOwner
                }
                guard let relationship else { continue }
                let object = registry(of: entity, at: key.store).objectID(id)
                changes[object, default: [:]][relationship.name, default: LinkedObjectsChange()].record(
                    other, isAdded: isAdded)
            }
        }
        return changes
    }

    func track(_ object: ManagedObject) {
        if !object.lists.contains(.tracked) {
            object.lists.insert(.tracked)
            tracked.append(object)
        }
        if !object.lists.contains(.queued) {
            object.lists.insert(.queued)
            unwrittenObjects.append(object)
        }
    }

    /// Updates the known IDs of the to-many inverse after a to-one relationship got another target.
    private func moveInInverse(
        of object: ManagedObject, column: Int, from old: AttributeValue, to new: AttributeValue
    ) {
        let relationship = object.entity.toOne(at: column)
        guard case .toMany(let position) = relationship.inverse else { return }
        let registry = registry(ofEntityAt: relationship.destinationIndex, besides: object)
        if case .integer(let id) = old, let former = registry.table[id] {
            former.related?.change(object.id, at: position, isMember: false)
        }
        if case .integer(let id) = new, let owner = registry.table[id] {
            owner.related?.change(object.id, at: position, isMember: true)
        }
    }

}
