internal import ObjectStore

/// The members of a to-many relationship of all objects of an entity, in the order of the objects' IDs.
struct XMLReferences {
    /// The rows to read: the ID of an object, then the ID of one of its members.
    let pairs: any StoreCursor
    /// The next pair, which was read but not returned yet.
    private var ahead: (near: Int64, far: Int64)?

    /// Begins to read the members in the state of the store that `other` reads.
    init(
        _ relationship: Entity.Relationship, of entity: Entity, in store: any PersistentStore,
        _ model: ManagedObjectModel, beside other: any StoreCursor
    ) throws {
        if let link = relationship.link {
            pairs = try store.pairs(link, of: entity, beside: other)
        } else {
            let inverse = relationship.description.inverse
            let request = StoreRequest(
                entity: model.destination(of: relationship),
                predicate: try FetchPredicate("%K != nil", inverse),
                order: [FetchOrder(inverse), FetchOrder("id")])
            pairs = try store.cursor(
                StoreQuery(request: request, columns: [.key(inverse), .key("id")]), beside: other)
        }
        try goOn()
    }

    /// Returns the next member of an object, or `nil` after the last one. Call it for the objects in
    /// ascending order of their IDs.
    mutating func next(of id: Int64) throws -> Int64? {
        while let pair = ahead, pair.near <= id {
            try goOn()
            if pair.near == id { return pair.far }
        }
        return nil
    }

    private mutating func goOn() throws {
        ahead = nil
        guard let pair = try pairs.nextInPlace() else { return }
        if let near = pair.integer(at: 0), let far = pair.integer(at: 1) { ahead = (near, far) }
    }
}
