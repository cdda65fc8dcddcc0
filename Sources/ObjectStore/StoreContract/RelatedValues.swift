/// A computation of the attributes that are derived from related objects, from the rows of a store.
struct RelatedValues {
    /// The number of objects that are computed together.
    static let objectsAtOnce = 500
    /// The number of pairs of a many-to-many relationship whose members are in memory together.
    static let pairsAtOnce = 5_000

    /// An object with the new values of its derived attributes.
    struct Object {
        let id: Int64
        /// The row in the store.
        let row: RowValues
        /// The attributes that the object has, and their values.
        let values: [(attribute: RelatedDerivations.Value, value: AttributeValue)]
    }

    private let store: any PersistentStore
    private let model: ManagedObjectModel
    private let entity: Entity
    private let derived: RelatedDerivations.DerivedEntity

    /// Creates a computation, or returns `nil` if no attribute of the entity is derived from related objects.
    init?(of entity: Entity, in model: ManagedObjectModel, from store: any PersistentStore) {
        guard let derived = model.relatedDerivations?.entities[entity.index] else { return nil }
        (self.store, self.model, self.entity, self.derived) = (
            store, model, model.entities[entity.index], derived
        )
    }

    /// Returns the objects with these IDs that are in the store, with the values of their derived attributes.
    ///
    /// - Parameter ids: At most `objectsAtOnce` IDs.
    func objects(_ ids: [Int64]) throws -> [Object] {
        let rows = try rows(ids, of: entity)
        let targets = try targets(of: rows)
        var computations: [Int64: [any DerivationInProgress]] = [:]
        var owners: [(id: Int64, row: RowValues, attributes: [RelatedDerivations.Value])] = []
        for (id, stored) in rows {
            // An attribute can use those before it, so the new values are put into a copy.
            let row = stored.copy()
            let attributes = derived.attributes.filter { row.isOfEntity(in: $0.entityNames) }
            guard !attributes.isEmpty else { continue }
            var own: [Int: (id: Int64, row: RowValues)] = [:]
            for column in derived.targets {
                guard case .integer(let target) = row[column] else { continue }
                own[column] = targets[column]?[target].map { (target, $0) }
            }
            let input = DerivationInput(id: id, row: row, targets: own)
            computations[id] = attributes.map { $0.derivation.begin(input) }
            owners.append((id, row, attributes))
        }
        for (position, columns) in derived.members {
            try addMembers(at: position, columns, of: owners.map(\.id), to: computations)
        }
        let stored = Dictionary(uniqueKeysWithValues: rows)
        return try owners.map { id, row, attributes in
            var values: [(RelatedDerivations.Value, AttributeValue)] = []
            for (attribute, computation) in zip(attributes, computations[id] ?? []) {
                let value = try computation.value()
                row[attribute.column] = value
                values.append((attribute, value))
            }
            return Object(id: id, row: stored[id] ?? row, values: values)
        }
    }

    /// Calls `body` with the IDs of all objects of the entity, in their order and `objectsAtOnce` at a time.
    func forEachBatchOfIDs(_ body: ([Int64]) throws -> Void) throws {
        var request = StoreRequest(entity: entity, order: [FetchOrder("id")], limit: Self.objectsAtOnce)
        while true {
            let ids = try store.ids(request)
            guard let last = ids.last else { return }
            try body(ids)
            request.predicate = FetchPredicate(.key("id"), .greater, .value(.integer(last)))
        }
    }

    // MARK: - Related objects

    private func rows(_ ids: [Int64], of entity: Entity) throws -> [(Int64, RowValues)] {
        guard !ids.isEmpty else { return [] }
        var rows: [(Int64, RowValues)] = []
        try store.fetch(StoreRequest(entity: entity, predicate: .ids(ids))) { id, values in
            rows.append((id, try values()))
        }
        return rows
    }

    /// Returns the rows at the other end of the to-one relationships, by the column of the relationship and by ID.
    private func targets(of rows: [(id: Int64, row: RowValues)]) throws -> [Int: [Int64: RowValues]] {
        var targets: [Int: [Int64: RowValues]] = [:]
        for column in derived.targets {
            let ids = Set(rows.compactMap { $0.row[column].id })
            let destination = model.destination(of: entity.toOne(at: column))
            targets[column] = Dictionary(
                uniqueKeysWithValues: try self.rows(ids.sorted(), of: destination))
        }
        return targets
    }

    /// Adds the members of a to-many relationship to the computations of their owners.
    ///
    /// - Parameter columns: The columns that are read, or `nil` if the members are only counted.
    private func addMembers(
        at position: Int, _ columns: [Int]?, of owners: [Int64],
        to computations: [Int64: [any DerivationInProgress]]
    ) throws {
        guard !owners.isEmpty else { return }
        let relationship = entity.toMany[position]
        let destination = model.destination(of: relationship)
        if let link = relationship.link {
            return try addLinked(link, destination, columns, at: position, of: owners, to: computations)
        }
        guard case .toOne(let column) = relationship.inverse else { return }
        let inverse = destination.columns[column].name
        let isMember = FetchPredicate(
            .path(FetchPredicate.Path(inverse)), .in, .list(owners.map { .value(.integer($0)) }))
        var query = StoreQuery(
            request: StoreRequest(entity: destination, predicate: isMember), columns: [.key(inverse)])
        guard let columns else {
            query.columns.append(.count)
            query.groupedBy = [inverse]
            return try store.forEachRow(query) { row in
                guard let owner = row.value(at: 0).id, let count = row.value(at: 1).id else { return }
                for computation in computations[owner] ?? [] {
                    computation.add(count: count, along: position)
                }
            }
        }
        query.columns += [.key("id")] + columns.map { .key(destination.columns[$0].name) }
        try store.forEachRow(query) { row in
            guard let owner = row.value(at: 0).id, let id = row.value(at: 1).id else { return }
            let member = destination.row(columns.enumerated().map { ($1, row.value(at: $0 + 2)) })
            for computation in computations[owner] ?? [] {
                try computation.add(id, member, along: position)
            }
        }
    }

    /// Adds the members of a many-to-many relationship to the computations of their owners. The pairs and the members that are
    /// in memory do not grow with the relationship, except for the IDs of the members of one owner.
    private func addLinked(
        _ link: Entity.Link, _ destination: Entity, _ columns: [Int]?, at position: Int, of owners: [Int64],
        to computations: [Int64: [any DerivationInProgress]]
    ) throws {
        guard let columns else {
            return try store.forEachPair(link, of: owners) { owner, _ in
                for computation in computations[owner] ?? [] { computation.add(count: 1, along: position) }
            }
        }
        var pairs: [(owner: Int64, member: Int64)] = []
        let empty = destination.row([])
        func addPairs() throws {
            let ids = columns.isEmpty ? [] : Set(pairs.map(\.member))
            let members = try members(ids, of: destination, columns)
            for (owner, member) in pairs {
                for computation in computations[owner] ?? [] {
                    try computation.add(member, members[member] ?? empty, along: position)
                }
            }
            pairs.removeAll(keepingCapacity: true)
        }
        for owner in owners {
            for member in try store.linkedIDs(link, of: owner) {
                pairs.append((owner, member))
                if pairs.count == Self.pairsAtOnce { try addPairs() }
            }
        }
        try addPairs()
    }

    /// Returns the rows of members, in which only some columns have a value.
    private func members(
        _ ids: Set<Int64>, of entity: Entity, _ columns: [Int]
    ) throws -> [Int64: RowValues] {
        let names = columns.map { FetchColumn.key(entity.columns[$0].name) }
        var members: [Int64: RowValues] = [:]
        for batch in ids.sorted().batches(of: Self.objectsAtOnce) {
            let request = StoreRequest(entity: entity, predicate: .ids(batch))
            try store.forEachRow(StoreQuery(request: request, columns: [.key("id")] + names)) { row in
                guard let id = row.value(at: 0).id else { return }
                members[id] = entity.row(columns.enumerated().map { ($1, row.value(at: $0 + 1)) })
            }
        }
        return members
    }
}

extension FetchPredicate {
    /// Returns the condition for the objects with these IDs.
    static func ids(_ ids: some Sequence<Int64>) -> FetchPredicate {
        FetchPredicate(.key("id"), .in, .list(ids.map { .value(.integer($0)) }))
    }
}

extension [Int64] {
    /// Returns the elements in arrays with at most `count` of them.
    func batches(of count: Int) -> [[Int64]] {
        stride(from: 0, to: self.count, by: count).map { Array(self[$0..<Swift.min($0 + count, self.count)]) }
    }
}

extension AttributeValue {
    /// The ID, if the value is one.
    var id: Int64? { if case .integer(let id) = self { id } else { nil } }
}

extension Entity {
    /// Returns a row in which only these columns have a value.
    fileprivate func row(_ values: [(column: Int, value: AttributeValue)]) -> RowValues {
        let row = RowValues.make(repeatElement(AttributeValue.null, count: columns.count))
        for (column, value) in values { row[column] = value }
        return row
    }
}
