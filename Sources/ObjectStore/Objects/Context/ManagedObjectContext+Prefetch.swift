extension ManagedObjectContext {
    /// The number of owners per fetch.
    private static let prefetchBatch = 500

    /// Fetches the objects of a to-many relationship for many owners, with a few fetches instead of one for each
    /// owner.
    ///
    ///     let publishers = try context.fetch(request)
    ///     let books = try context.prefetch("books", of: publishers)
    ///
    /// Relationships that are already known are not read again.
    ///
    /// - Returns: The fetched objects. A context does not keep objects alive, so keep the array while the
    ///   relationship is used.
    public func prefetch(_ name: String, of owners: [some ManagedObject]) throws -> [ManagedObject] {
        guard let entity = owners.first?.entity else { return [] }
        guard case .toMany(let position)? = entity.property(named: name) else {
            throw PropertyError(
                entity: entity.name, property: name, problem: "is not a to-many relationship of it")
        }
        guard case .toOne(let column) = entity.toMany[position].inverse else {
            return try owners.flatMap { try self.members(of: $0, position: position) }
        }
        var members: [ManagedObject] = []
        let unknown = owners.filter { $0.related?.ids(at: position, epoch: relatedEpoch) == nil }
        for owners in Dictionary(grouping: unknown, by: \.home.store).values {
            for start in stride(from: 0, to: owners.count, by: Self.prefetchBatch) {
                let batch = owners[start..<min(start + Self.prefetchBatch, owners.count)]
                members += try prefetch(position, of: batch, column: column)
            }
        }
        return members
    }

    /// Fetches the members of owners that are in one store.
    private func prefetch(
        _ position: Int, of owners: ArraySlice<some ManagedObject>, column: Int
    ) throws -> [ManagedObject] {
        guard let first = owners.first else { return [] }
        let relationship = first.entity.toMany[position]
        let destination = model.destination(of: relationship)
        let registry = registry(ofEntityAt: relationship.destinationIndex, besides: first)
        let isMember = FetchPredicate(
            .key(destination.columns[column].name), .in, .list(owners.map { .value(.integer($0.id)) }))
        var members: [ManagedObject] = []
        var idsByOwner: [Int64: [Int64]] = [:]
        try writeChanges()
        try fetchObjects(StoreRequest(entity: destination, predicate: isMember), in: registry) { member in
            members.append(member)
            if case .integer(let owner) = member.values[column] {
                idsByOwner[owner, default: []].append(member.id)
            }
        }
        for owner in owners where owner.isAlive {
            let related = owner.related ?? RelatedIDs(count: owner.entity.toMany.count)
            related.record(idsByOwner[owner.id, default: []].sorted(), at: position, epoch: relatedEpoch)
            owner.related = related
        }
        return members
    }
}
