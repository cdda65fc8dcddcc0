/// The members of a to-many relationship of all objects of an entity, in the order of the objects' ids.
struct XMLReferences {
    /// The id of an object, and that of a member of it.
    let pairs: any StoreCursor
    /// The first pair of an object to come.
    private var ahead: (near: Int64, far: Int64)?

    /// Begins to read the state that `other` has.
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

    /// The next member of that object; nil after its last. Ask for the objects in the order of their ids.
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
