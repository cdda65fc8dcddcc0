extension ManagedObjectContext {
    /// The number of objects per fetch.
    static let idsAtOnce = 500

    /// Fetches the objects of a relationship for many owners, with a few fetches instead of one for each owner.
    ///
    ///     let publishers = try context.fetch(request)
    ///     let books = try context.prefetch("books", of: publishers)
    ///
    /// A path such as `books.authors` fetches the objects of each of its relationships. Objects and relationships that
    /// are already in memory are not read again.
    ///
    /// - Returns: The related objects. A context does not keep objects alive, so keep the array while the
    ///   relationship is used.
    public func prefetch(_ path: String, of owners: [some ManagedObject]) throws -> [ManagedObject] {
        guard let entity = owners.first?.entity else { return [] }
        var levels = PrefetchedLevels(owners)
        try prefetch(path, of: entity, &levels)
        return levels.objects
    }

    /// Fetches the related objects that a request names, and keeps them alive.
    @usableFromInline
    func prefetch<Object: ManagedObject>(for request: FetchRequest<Object>, _ owners: [Object]) throws {
        let entity = try entity(of: Object.self, named: request.entityName)
        var levels = PrefetchedLevels(owners)
        for path in request.prefetching { try prefetch(path, of: entity, &levels) }
        prefetched[entity.index] = levels.objects
    }

    private func prefetch(_ path: String, of entity: Entity, _ levels: inout PrefetchedLevels) throws {
        var entity = entity
        var keys: [String] = []
        for key in path.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
            guard let property = entity.property(named: key),
                let relationship = entity.relationship(at: property)
            else {
                throw PropertyError(
                    entity: entity.name, property: key, problem: "is not a relationship of it")
            }
            let owners = levels[keys]
            keys.append(key)
            if levels[keys] == nil, let owners {
                levels.add(try related(to: owners, property), at: keys)
            }
            entity = model.destination(of: relationship)
        }
    }

    /// Returns the objects at the other end of a relationship of many owners, each of them once.
    private func related(
        to owners: [ManagedObject], _ property: Entity.Property
    ) throws -> [ManagedObject] {
        var related: [ManagedObject] = []
        for owners in Dictionary(grouping: owners.filter(\.isAlive), by: \.storePosition).values {
            switch property {
            case .attribute: break
            case .toOne(let column): related += try targets(of: owners, column: column)
            case .toMany(let position): related += try members(of: owners, position: position)
            }
        }
        return related
    }

    /// Returns the objects to which the owners in one store refer.
    private func targets(of owners: [ManagedObject], column: Int) throws -> [ManagedObject] {
        let relationship = owners[0].entity.toOne(at: column)
        let registry = registry(ofEntityAt: relationship.destinationIndex, besides: owners[0])
        let ids = Set(
            owners.compactMap { owner in
                if case .integer(let id) = owner.values[column] { id } else { nil }
            })
        return try objects(ids.sorted(), in: registry)
    }

    /// Returns the members of owners in one store, and records their IDs.
    private func members(of owners: [ManagedObject], position: Int) throws -> [ManagedObject] {
        let relationship = owners[0].entity.toMany[position]
        let registry = registry(ofEntityAt: relationship.destinationIndex, besides: owners[0])
        noticeOtherSaves()
        var found: [ManagedObject] = []
        let unknown = owners.filter { $0.related?.ids(at: position, epoch: relatedEpoch) == nil }
        for start in stride(from: 0, to: unknown.count, by: Self.idsAtOnce) {
            let batch = unknown[start..<min(start + Self.idsAtOnce, unknown.count)]
            found += try readMembers(of: batch, position: position, in: registry)
        }
        var ids = Set(owners.flatMap { $0.related?.ids(at: position, epoch: relatedEpoch) ?? [] })
        ids.subtract(found.map(\.id))
        return try found + objects(ids.sorted(), in: registry)
    }

    /// Reads the IDs of the members of some owners, and records them.
    ///
    /// - Returns: The members that were read with their IDs.
    private func readMembers(
        of owners: ArraySlice<ManagedObject>, position: Int, in registry: ObjectRegistry
    ) throws -> [ManagedObject] {
        guard let first = owners.first else { return [] }
        let relationship = first.entity.toMany[position]
        var members: [ManagedObject] = []
        var idsByOwner: [Int64: [Int64]] = [:]
        try beginReading()
        defer { endReading() }
        if let link = relationship.link {
            let store = try coordinator.store(at: first.storePosition)
            try store.forEachPair(link, of: owners.map(\.id)) { idsByOwner[$0, default: []].append($1) }
        } else if case .toOne(let column) = relationship.inverse {
            let destination = registry.stored
            let isMember = FetchPredicate(
                .key(destination.columns[column].name), .in, .list(owners.map { .value(.integer($0.id)) }))
            try fetchObjects(StoreRequest(entity: destination, predicate: isMember), in: registry) { member in
                members.append(member)
                if case .integer(let owner) = member.values[column] {
                    idsByOwner[owner, default: []].append(member.id)
                }
            }
        }
        for owner in owners {
            let related = owner.related ?? RelatedIDs(count: owner.entity.toMany.count)
            related.record(idsByOwner[owner.id, default: []].sorted(), at: position, epoch: relatedEpoch)
            owner.related = related
        }
        return members
    }
}

/// The objects of a prefetch, by the keys that lead to them. Paths that begin with the same keys share their objects.
private struct PrefetchedLevels {
    private var levels: [[String]: [ManagedObject]]
    /// The objects of all levels except the owners.
    private(set) var objects: [ManagedObject] = []

    init(_ owners: [ManagedObject]) {
        levels = [[]: owners]
    }

    subscript(keys: [String]) -> [ManagedObject]? { levels[keys] }

    mutating func add(_ related: [ManagedObject], at keys: [String]) {
        levels[keys] = related
        objects += related
    }
}
