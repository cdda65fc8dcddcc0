/// Batch updates and batch deletions for a store without its own implementation of them.
///
/// They are carried out by the other functions of the store:
///
///     public func delete(_ request: StoreRequest) throws -> StoreDeletion {
///         try BulkChanges(model: model, store: self).delete(request)
///     }
public struct BulkChanges {
    private let model: ManagedObjectModel
    private let store: any PersistentStore

    /// Creates the batch operations for a store with a model.
    public init(model: ManagedObjectModel, store: any PersistentStore) {
        self.model = model
        self.store = store
    }

    // MARK: - Update

    /// Sets columns of all objects of a request to new values; see `PersistentStore.update`.
    ///
    /// - Returns: the IDs of the objects, sorted.
    public func update(_ request: StoreRequest, set values: [Int: AttributeValue]) throws -> [Int64] {
        let ids = try store.ids(request).sorted()
        var changes = StoreChanges()
        for id in ids { changes.rows += try change(id, of: request.entity, values) }
        try store.apply(changes)
        return ids
    }

    private func change(
        _ id: Int64, of entity: Entity, _ values: [Int: AttributeValue]
    ) throws -> [StoreChanges.Row] {
        guard let row = try store.row(id, of: entity) else { return [] }
        var columns = ColumnSet.none
        for column in values.keys { columns.insert(column) }
        let changed = row.indices.map { values[$0] ?? row[$0] }
        return [.init(kind: .update, entity: entity, id: id, values: .make(changed), columns: columns)]
    }

    // MARK: - Delete

    /// The IDs of the objects to delete, by the positions of their entities.
    private typealias Doomed = [Int: Set<Int64>]

    /// Deletes all objects of a request according to the delete rules; see `PersistentStore.delete`.
    ///
    /// If a rule denies the deletion, nothing is changed and the result contains the denials.
    public func delete(_ request: StoreRequest) throws -> StoreDeletion {
        let doomed = try followCascades(from: try store.ids(request), of: request.entity)
        var deletion = StoreDeletion()
        var changes = StoreChanges()
        for (entity, id) in ordered(doomed) {
            for relationship in entity.relationships {
                try leave(
                    relationship, id: id, entity: entity, doomed: doomed, deletion: &deletion,
                    changes: &changes)
            }
        }
        guard deletion.denials.isEmpty else { return deletion }
        for (entity, id) in ordered(doomed) {
            guard let row = try store.row(id, of: entity) else { continue }
            changes.rows.append(.init(kind: .delete, entity: entity, id: id, values: row, columns: .none))
            deletion.deleted[entity.index, default: []].append(id)
        }
        try store.apply(changes)
        return deletion
    }

    /// Returns the IDs of the objects that a deletion deletes, by the positions of their entities.
    func doomed(by request: StoreRequest) throws -> [Int: Set<Int64>] {
        try followCascades(from: try store.ids(request), of: request.entity)
    }

    private func ordered(_ doomed: Doomed) -> [(Entity, Int64)] {
        model.entities.flatMap { entity in (doomed[entity.index] ?? []).sorted().map { (entity, $0) } }
    }

    private func followCascades(from ids: [Int64], of entity: Entity) throws -> Doomed {
        var doomed: Doomed = [entity.index: Set(ids)]
        var waiting = ids.map { (entity, $0) }
        while let (entity, id) = waiting.popLast() {
            for relationship in entity.relationships where relationship.description.deleteRule == .cascade {
                for other in try others(relationship, id: id, entity: entity) {
                    let isNew = doomed[relationship.destinationIndex, default: []].insert(other).inserted
                    if isNew { waiting.append((model.destination(of: relationship), other)) }
                }
            }
        }
        return doomed
    }

    /// Adds the denials and the changes that the deletion of an object causes for one of its relationships.
    private func leave(
        _ relationship: Entity.Relationship, id: Int64, entity: Entity, doomed: Doomed,
        deletion: inout StoreDeletion, changes: inout StoreChanges
    ) throws {
        let destination = model.destination(of: relationship)
        let isDoomed = { doomed[destination.index]?.contains($0) ?? false }
        let others = try others(relationship, id: id, entity: entity)
        let remaining = others.filter { !isDoomed($0) }
        if relationship.description.deleteRule == .deny, !remaining.isEmpty {
            deletion.denials.append(
                .init(
                    object: ObjectID(entity: entity.name, id: id), relationship: relationship.name,
                    remaining: remaining.map { ObjectID(entity: destination.name, id: $0) }))
        }
        if let link = relationship.link {
            for other in others {
                let (owner, member) = link.isOwner ? (id, other) : (other, id)
                changes.pairs.append(
                    .init(link: link.index, ownerID: owner, otherID: member, isAdded: false))
                if link.isSymmetric {
                    changes.pairs.append(
                        .init(link: link.index, ownerID: member, otherID: owner, isAdded: false))
                }
            }
            if !remaining.isEmpty { deletion.unlinked[destination.index, default: []].formUnion(remaining) }
            return
        }
        guard case .toOne(let column) = relationship.inverse, relationship.description.deleteRule != .noAction
        else { return }
        for other in remaining {
            let rows = try change(other, of: destination, [column: .null])
            // In a one-to-one relationship, the other object need not refer back to this one.
            guard let row = rows.first, try store.row(other, of: destination)?[column] == .integer(id) else {
                continue
            }
            guard destination.columns[column].isOptional else {
                throw ValidationError([
                    .init(
                        entity: destination.name, id: other, property: destination.columns[column].name,
                        rule: .required, detail: "the object that it refers to would be deleted")
                ])
            }
            changes.rows.append(row)
            deletion.updated[destination.index, default: []].append(other)
        }
    }

    /// Returns the IDs of the objects at the other end of a relationship, sorted.
    private func others(_ relationship: Entity.Relationship, id: Int64, entity: Entity) throws -> [Int64] {
        if let link = relationship.link { return try store.linkedIDs(link, of: id) }
        if relationship.description.isToMany {
            let refers = FetchPredicate(.key(relationship.description.inverse), .equal, .value(.integer(id)))
            let request = StoreRequest(entity: model.destination(of: relationship), predicate: refers)
            return try store.ids(request).sorted()
        }
        guard let column = entity.column(named: relationship.name),
            case .integer(let other)? = try store.row(id, of: entity)?[column]
        else { return [] }
        return [other]
    }
}

extension RowValues {
    fileprivate var indices: Range<Int> { 0..<count }
}
