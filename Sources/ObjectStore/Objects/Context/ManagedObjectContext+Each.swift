extension ManagedObjectContext {
    /// Sets properties of many objects in one save, each object with its own values, without creating the objects.
    ///
    /// It costs a fraction of the same change made with objects. Like `updateAll`, it is a save of its own. Unsaved
    /// changes of the context stay unsaved, and objects in memory are updated. Observers are called for the save, but
    /// not for each object.
    ///
    /// Values are validated. A one-to-one relationship or a property with a `unique` rule cannot be set this way. If
    /// one of the objects does not exist, the method throws and changes nothing.
    ///
    /// - Throws: A ``FetchError`` if a property is named twice, or if an object does not have a value for each property. A
    ///   ``ValidationError`` if a value breaks a rule. A ``StoreError`` for anything else.
    public func updateEach(_ updates: [ObjectUpdates]) throws {
        let updates = try updates.filter { !$0.isEmpty || $0.mismatch != nil }.map {
            try CheckedUpdates($0, self)
        }
        let places = coordinator.places.filter { place in updates.contains { $0.place === place } }
        try saveDirectly(at: places) { place in
            var changed: [Int: [Int64]] = [:]
            var properties: [ChangedProperties] = []
            var affected = AffectedOwners()
            for update in updates where update.place.position == place.position {
                let entity = update.updates.entity
                let rows = update.updates
                let affecting = affectingColumns(rows.columns, of: entity)
                if affecting != nil {
                    try recordOwners(
                        affectedBy: rows.ids, of: entity, changing: affecting, at: place, &affected)
                }
                let leaving = try leavingMembers(of: entity, setting: rows.columns, at: place) {
                    (
                        rows.ids,
                        { row, column in
                            rows.columns.firstIndex(of: column).map { rows.value(row: row, offset: $0) }
                                ?? .null
                        }
                    )
                }
                try place.store.apply(rows)
                properties += try takePlaces(of: leaving, of: entity, at: place)
                changed[entity.index, default: []] += update.updates.ids
                properties.append(
                    .init(
                        entity: entity.index, names: update.updates.columns.map { entity.columns[$0].name },
                        ids: update.updates.ids))
                properties += try derive(rows.ids, of: entity, after: rows.columns, at: place)
                if affecting != nil {
                    try recordOwners(
                        affectedBy: rows.ids, of: entity, changing: affecting, at: place, &affected)
                }
            }
            let all = ChangedIDs(updated: changed, properties: properties)
            return affected.isEmpty ? all : all.adding(try derive(affected))
        }
    }
}

/// Updates that the model allows, with their properties resolved to columns.
private struct CheckedUpdates {
    let updates: StoreUpdates
    let place: AddedStore

    init(_ updates: ObjectUpdates, _ context: ManagedObjectContext) throws {
        let entity = try context.entity(of: updates.objectClass, named: updates.entityName)
        let places = try context.coordinator.places(of: entity, among: updates.store.map { [$0] })
        guard let place = places.first, places.count == 1 else {
            throw FetchError(
                .unsupported,
                "objects of \(entity.name) in several stores may have the same id; name one store")
        }
        guard !place.store.isReadOnly else {
            throw StoreError.readOnly("objects of \(entity.name)", place.store)
        }
        if let mismatch = updates.mismatch {
            throw FetchError(
                .unsupported,
                "\(entity.name) \(mismatch.id) has \(mismatch.count) values for the \(updates.properties.count) properties "
                    + "of the updates; give it one for each")
        }
        var columns: [Int] = []
        for name in updates.properties {
            let column = try entity.columnSetDirectly(name)
            guard !columns.contains(column) else {
                throw FetchError(.unsupported, "\(entity.name).\(name) is set twice; name each property once")
            }
            columns.append(column)
        }
        self.place = place
        self.updates = StoreUpdates(
            of: context.model.stored(entity), setting: columns, ids: updates.ids, values: updates.values)
        try validate(entity)
        try requireObjects(of: entity)
    }

    /// Throws if an object is of another entity of the hierarchy.
    private func requireObjects(of entity: Entity) throws {
        guard entity.inheritance?.isWhole == false else { return }
        for start in stride(from: 0, to: updates.ids.count, by: 500) {
            let ids = updates.ids[start..<min(start + 500, updates.ids.count)]
            let isChanged = FetchPredicate(.key("id"), .in, .list(ids.map { .value(.integer($0)) }))
            let found = try place.store.ids(
                StoreRequest(entity: updates.entity, predicate: entity.selecting(isChanged)))
            if let other = Set(ids).subtracting(found).min() {
                throw StoreError(
                    .other, "\(updates.entity.name) \(other) is no object of \(entity.name) in the store",
                    path: place.store.name)
            }
        }
    }

    private func validate(_ entity: Entity) throws {
        var validation = Validation()
        for (row, id) in updates.ids.enumerated() {
            for (offset, column) in updates.columns.enumerated() {
                validation.check(
                    updates.value(row: row, offset: offset), column: column, of: entity, id: id)
            }
            guard entity.composites?.optional.isEmpty == false else { continue }
            let values = updates.columns.enumerated().map { ($1, updates.value(row: row, offset: $0)) }
            validation.checkComposites(
                of: Dictionary(uniqueKeysWithValues: values), entity: entity, id: id)
        }
        guard validation.failures.isEmpty else { throw ValidationError(validation.failures) }
    }
}

extension Entity {
    /// Returns the position of a property that can be set without reading other objects.
    func columnSetDirectly(_ name: String) throws(FetchError) -> Int {
        guard let position = column(named: name) else {
            throw FetchError(.unknownKey, "\(self.name) has no attribute or to-one relationship \(name)")
        }
        if inheritance != nil, position == Inheritance.column {
            throw FetchError(
                .unsupported, "\(self.name).\(name) is the name of the entity and cannot be changed")
        }
        if let expression = columns[position].derivation {
            throw FetchError(
                .unsupported, "\(self.name).\(name) is derived from \(expression) and cannot be set")
        }
        if uniqueRules.contains(where: { $0.columns.contains(position) }) {
            throw FetchError(.unsupported, "\(self.name).\(name) is unique; set it object by object")
        }
        if relationship(named: name)?.description.holdsValue == true {
            throw FetchError(.unsupported, "\(self.name).\(name) is external; set it object by object")
        }
        if case .toOne = relationship(named: name)?.inverse {
            throw FetchError(.unsupported, "\(self.name).\(name) is one to one; set it object by object")
        }
        return position
    }
}
