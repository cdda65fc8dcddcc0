// Changes that are made without objects: they take the place from objects that get another target in an ordered
// relationship, so that these come last among the members of the new target.

extension ManagedObjectContext {
    /// Returns the objects that get another target in an ordered relationship, by the column with their place.
    ///
    /// - Parameters:
    ///   - entity: The entity of the changed objects.
    ///   - columns: The changed columns.
    ///   - place: The store.
    ///   - changes: Returns the IDs of the objects, and a function that returns the new value of a column by the position
    ///     of the ID. It is called only if one of the columns refers to an ordered relationship.
    func leavingMembers(
        of entity: Entity, setting columns: [Int], at place: AddedStore,
        _ changes: () throws -> (ids: [Int64], value: (Int, Int) -> AttributeValue)
    ) throws -> [Int: [Int64]] {
        var leaving: [Int: [Int64]] = [:]
        for column in columns {
            guard let order = orderColumn(ofTargetIn: column, of: entity), !columns.contains(order) else {
                continue
            }
            let (ids, value) = try changes()
            for (row, id) in ids.enumerated() {
                guard let values = try place.store.row(id, of: entity), !values[order].isNull,
                    values[column] != value(row, column)
                else { continue }
                leaving[order, default: []].append(id)
            }
        }
        return leaving
    }

    /// Takes the places from objects, and returns the changes for the history.
    func takePlaces(
        of leaving: [Int: [Int64]], of entity: Entity, at place: AddedStore
    ) throws -> [ChangedProperties] {
        try leaving.sorted { $0.key < $1.key }.map { order, ids in
            let chosen = FetchPredicate(
                .path(FetchPredicate.Path()), .in, .list(ids.map { .value(.integer($0)) }))
            _ = try place.store.update(StoreRequest(entity: entity, predicate: chosen), set: [order: .null])
            return ChangedProperties(entity: entity.index, names: [entity.columns[order].name], ids: ids)
        }
    }

    /// Returns the column with the place of an object in the relationship that is the inverse of a to-one relationship, or
    /// `nil` if the column is another one or the relationship is not ordered.
    func orderColumn(ofTargetIn column: Int, of entity: Entity) -> Int? {
        guard case .toOne(let relationship) = entity.columns[column].content,
            case .toMany(let position) = relationship.inverse
        else { return nil }
        return model.destination(of: relationship).toMany[position].orderColumn
    }
}
