extension ManagedObjectContext {
    /// Merges new objects into the objects that have the same unique values, if the policy of the context asks for it.
    func mergeNewObjects() throws {
        guard uniquenessPolicy != .error, !isMigrating else { return }
        coordinator.noticeOtherPrograms()
        noticeOtherSaves()
        try enterStores()
        var known = UniqueObjects()
        for object in tracked where object.isUpdated {
            for (position, rule) in object.entity.uniqueRules.enumerated()
            where rule.columns.contains(where: object.changed.contains) {
                if let key = UniqueObjects.Key(object, position) { known[key] = .inMemory(object) }
            }
        }
        var merges: [(new: ManagedObject, known: UniqueObjects.Place)] = []
        var unread: [ObjectIdentifier: (registry: ObjectRegistry, ids: [Int64])] = [:]
        for object in tracked where object.isInserted && !object.entity.uniqueRules.isEmpty {
            guard let place = try counterpart(of: object, &known) else { continue }
            merges.append((object, place))
            if case .inStore(let id) = place {
                unread[ObjectIdentifier(object.home), default: (object.home, [])].ids.append(id)
            }
        }
        let saved = try unread.mapValues { try read($0.ids, in: $0.registry) }
        for (new, place) in merges {
            switch place {
            // An object of another entity of the hierarchy is not merged. The save reports the equal values.
            case .inMemory(let object): if object.entity === new.entity { try merge(new, into: object) }
            case .inStore(let id):
                guard let object = saved[ObjectIdentifier(new.home)]?[id], object.entity === new.entity else {
                    continue
                }
                try merge(new, into: object)
            }
        }
    }

    /// Returns the place of the object with which a new object shares unique values, or `nil` if there is none.
    private func counterpart(
        of object: ManagedObject, _ known: inout UniqueObjects
    ) throws -> UniqueObjects.Place? {
        let keys = object.entity.uniqueRules.indices.compactMap { UniqueObjects.Key(object, $0) }
        for key in keys {
            if let place = try known[key] ?? saved(key, of: object) { return place }
        }
        for key in keys { known[key] = .inMemory(object) }
        return nil
    }

    /// Returns the place of the saved object that has the unique values of a new one, or `nil` if there is none.
    private func saved(_ key: UniqueObjects.Key, of object: ManagedObject) throws -> UniqueObjects.Place? {
        let (entity, registry) = (object.storedEntity, object.home)
        let rule = entity.uniqueRules[key.rule]
        let store = try coordinator.store(at: registry.store)
        let ids: [Int64]
        if !rule.options.isEmpty {
            let isSame = FetchPredicate(
                .key(entity.columns[rule.columns[0]].name), .equal, .value(object.values[rule.columns[0]]),
                options: rule.options)
            ids = try store.ids(StoreRequest(entity: entity, predicate: isSame))
        } else if let column = rule.onlyColumn {
            ids = try store.ids(of: entity, with: object.values[column], inColumn: column, limit: nil)
        } else {
            ids = try store.ids(
                of: entity, with: rule.columns.map { object.values[$0] }, inColumns: rule.columns, limit: nil)
        }
        for id in ids {
            // The open transaction may have rows of new objects, and older rows of changed objects.
            guard let other = registry.table[id] else { return .inStore(id) }
            guard other.state == .saved, let other = try self.object(id, in: registry) else { continue }
            if UniqueObjects.Key(other, key.rule) == key { return .inMemory(other) }
        }
        return nil
    }

    /// Reads objects that are not in memory, without writing the changes of the context first.
    private func read(_ ids: [Int64], in registry: ObjectRegistry) throws -> [Int64: ManagedObject] {
        var objects: [Int64: ManagedObject] = [:]
        for start in stride(from: 0, to: ids.count, by: Self.idsAtOnce) {
            let batch = ids[start..<min(start + Self.idsAtOnce, ids.count)]
            let isWanted = FetchPredicate(.key("id"), .in, .list(batch.map { .value(.integer($0)) }))
            try fetchObjects(StoreRequest(entity: registry.stored, predicate: isWanted), in: registry) {
                objects[$0.id] = $0
            }
        }
        return objects
    }

    /// Merges a new object into a saved one. The new object then no longer exists.
    private func merge(_ new: ManagedObject, into saved: ManagedObject) throws {
        let entity = new.entity
        for position in entity.toMany.indices { try moveMembers(at: position, of: new, to: saved) }
        let winning = uniquenessPolicy == .newObjectWins ? new.changed : .none
        for column in entity.columns.indices {
            // Columns from 63 on share a bit, so those that still have their initial value do not count.
            let wins =
                winning.contains(column) && (column < 63 || new.values[column] != entity.defaults[column])
            if column >= entity.firstToOne, case .toOne = entity.toOne(at: column).inverse {
                let partner = try target(of: new, column: column)
                try setTarget(nil, of: new, column: column)
                if wins { try setTarget(partner, of: saved, column: column) }
            } else if wins, saved.values[column] != new.values[column] {
                set(new.values[column], inColumn: column, of: saved)
                if let order = orderColumn(ofTargetIn: column, of: entity), new.values[order].isNull,
                    case .toMany(let position) = entity.toOne(at: column).inverse,
                    let target = try target(of: saved, column: column)
                {
                    try placeLast(saved, in: target, position: position)
                }
            }
        }
        recordDeletion(of: new)
    }

    /// Makes the members of a to-many relationship of a new object members of the saved object.
    private func moveMembers(
        at position: Int, of new: ManagedObject, to saved: ManagedObject
    ) throws {
        for member in try members(of: new, position: position) {
            switch new.entity.toMany[position].inverse {
            case .toOne(let column): try setTarget(saved, of: member, column: column)
            case .toMany(let inverse):
                setPair(new, position: position, with: member, inverse: inverse, isLinked: false)
                let present = member === new ? saved : member
                try setMember(present, of: saved, position: position, isMember: true)
            case .attribute: break
            }
        }
    }
}

/// The objects that are known to have certain unique values.
private struct UniqueObjects {
    /// The unique values of an object: the values of one rule.
    struct Key: Hashable {
        private let registry: ObjectIdentifier
        /// The position of the rule in its entity.
        let rule: Int
        private let values: [ComparisonKey]

        /// Creates the key of an object, or returns `nil` if it has no value for one of the properties.
        init?(_ object: ManagedObject, _ position: Int) {
            let rule = object.entity.uniqueRules[position]
            values = rule.columns.compactMap { ComparisonKey(object.values[$0], rule.options) }
            guard values.count == rule.columns.count else { return nil }
            registry = ObjectIdentifier(object.home)
            self.rule = position
        }
    }

    /// The place of an object.
    enum Place {
        case inMemory(ManagedObject)
        case inStore(Int64)
    }

    private var places: [Key: Place] = [:]

    subscript(key: Key) -> Place? {
        get { places[key] }
        set { places[key] = newValue }
    }
}
