extension ManagedObjectContext {
    /// Computes the derived attributes of new objects, and of changed ones whose expressions use a changed attribute.
    ///
    /// An undo does not restore the value, because the next save computes it again.
    func derive(_ objects: [ManagedObject]) throws {
        guard model.hasDerivedAttributes else { return }
        for object in objects where object.isAlive {
            for derived in model.derivedAttributes[object.entity.index]
            where derived.applies(to: object.values)
                && (object.state == .inserted || object.changed.intersects(derived.triggers))
            {
                let value = try derived.value(object.id, object.values)
                if value != object.values[derived.column] {
                    setDerived(value, inColumn: derived.column, of: object)
                }
            }
        }
    }

    private func setDerived(_ value: AttributeValue, inColumn column: Int, of object: ManagedObject) {
        if object.state == .saved {
            if object.savedValues == nil { object.savedValues = object.values.copy() }
            object.changed.insert(column)
        }
        if object.hasRow { object.unwritten.insert(column) }
        object.values[column] = value
        track(object)
        if !observers.isEmpty {
            observers.notify(.changed(object, property: object.entity.columns[column].name))
        }
    }

    /// Computes the derived attributes of objects whose columns were set in the open transaction without creating the
    /// objects.
    ///
    /// - Returns: The objects that got other values, with the names of the derived attributes.
    func derive(
        _ ids: [Int64], of entity: Entity, after columns: [Int], at place: AddedStore
    ) throws -> [ChangedProperties] {
        let derived = model.derivedAttributes[entity.index].filter { derived in
            columns.contains(where: derived.triggers.contains)
        }
        guard !derived.isEmpty else { return [] }
        let stored = model.stored(entity)
        var changed: [Int64] = []
        for start in stride(from: 0, to: ids.count, by: 500) {
            let batch = ids[start..<min(start + 500, ids.count)]
            let isChanged = FetchPredicate(.key("id"), .in, .list(batch.map { .value(.integer($0)) }))
            var rows: [(id: Int64, old: RowValues)] = []
            try place.store.fetch(StoreRequest(entity: stored, predicate: isChanged)) { id, values in
                rows.append((id, try values()))
            }
            var validation = Validation()
            var updated: [Int64] = []
            var values: [AttributeValue] = []
            for (id, old) in rows {
                let row = old.copy()
                let member = model.member(of: stored, for: row)
                for derived in derived where derived.applies(to: row) {
                    row[derived.column] = try derived.value(id, row)
                    validation.check(row[derived.column], column: derived.column, of: member, id: id)
                }
                guard derived.contains(where: { row[$0.column] != old[$0.column] }) else { continue }
                updated.append(id)
                values += derived.map { row[$0.column] }
            }
            guard validation.failures.isEmpty else { throw ValidationError(validation.failures) }
            guard !updated.isEmpty else { continue }
            try place.store.apply(
                StoreUpdates(of: stored, setting: derived.map(\.column), ids: updated, values: values))
            changed += updated
        }
        guard !changed.isEmpty else { return [] }
        return [
            .init(
                entity: entity.index, names: derived.map { entity.columns[$0.column].name }, ids: changed)
        ]
    }
}
