extension ManagedObjectContext {
    /// Gives many objects new values, each its own, without making the objects: one save for all of them.
    ///
    /// What a program knows from rows it can write back in this way for a fraction of what objects cost. Like
    /// `updateAll` it is a save of its own that goes around the observers of changes; unsaved changes of the
    /// context stay unsaved, and objects in memory follow. Values are validated; a property with a `unique` rule
    /// and a one-to-one relationship cannot be set this way. An object that is not there is an error, and then
    /// nothing is changed.
    public func updateEach(_ updates: [ObjectUpdates]) throws {
        let updates = try updates.filter { !$0.isEmpty }.map { try CheckedUpdates($0, self) }
        let positions = Set(updates.map(\.place.position)).sorted()
        guard !positions.isEmpty else { return }
        try saveDirectly(at: positions.map { coordinator.places[$0] }) { place in
            var changed: [Int: [Int64]] = [:]
            for update in updates where update.place.position == place.position {
                try update.apply()
                changed[update.entity.index, default: []] += update.updates.ids
            }
            return (updated: changed, deleted: [:])
        }
    }
}

/// Updates that the model allows, with their properties found.
private struct CheckedUpdates {
    /// How many rows go to the store at once.
    private static let rowsAtOnce = 512

    let updates: ObjectUpdates
    let entity: Entity
    let place: StorePlace
    private let columns: [Int]
    private let changed: ColumnSet

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
        self.updates = updates
        self.entity = entity
        self.place = place
        columns = try updates.properties.map { try entity.columnSetDirectly($0) }
        var changed = ColumnSet.none
        for column in columns { changed.insert(column) }
        self.changed = changed
        try validate()
    }

    private func validate() throws {
        var validation = Validation()
        for (row, id) in updates.ids.enumerated() {
            for (offset, column) in columns.enumerated() {
                validation.check(value(row, offset), column: column, of: entity, id: id)
            }
        }
        guard validation.failures.isEmpty else { throw ValidationError(validation.failures) }
    }

    private func value(_ row: Int, _ offset: Int) -> AttributeValue {
        updates.values[row * columns.count + offset]
    }

    func apply() throws {
        for start in stride(from: 0, to: updates.ids.count, by: Self.rowsAtOnce) {
            var changes = StoreChanges()
            for row in start..<min(start + Self.rowsAtOnce, updates.ids.count) {
                changes.rows.append(try change(row))
            }
            try place.store.apply(changes)
        }
    }

    private func change(_ row: Int) throws -> StoreChanges.Row {
        let id = updates.ids[row]
        let values: RowValues
        if changed.namesEach(of: entity.columns.count) {
            values = .make(count: entity.columns.count) { values in
                for _ in entity.columns { values.append(.null) }
            }
        } else {
            // The store is told of more columns than these, so they need the values that they have.
            guard let present = try place.store.row(id, of: entity) else {
                throw StoreError(
                    .other, "\(ObjectID(entity: entity.name, id: id)) is not in the store any more")
            }
            values = present.copy()
        }
        for (offset, column) in columns.enumerated() { values[column] = value(row, offset) }
        return .init(kind: .update, entity: entity, id: id, values: values, columns: changed)
    }
}

extension Entity {
    /// The position of a property that can be set without looking at other objects.
    func columnSetDirectly(_ name: String) throws(FetchError) -> Int {
        guard let position = column(named: name) else {
            throw FetchError(.unknownKey, "\(self.name) has no attribute or to-one relationship \(name)")
        }
        if uniqueRules.contains(where: { $0.column == position }) {
            throw FetchError(.unsupported, "\(self.name).\(name) is unique; set it object by object")
        }
        if case .toOne = relationship(named: name)?.inverse {
            throw FetchError(.unsupported, "\(self.name).\(name) is one to one; set it object by object")
        }
        return position
    }
}
