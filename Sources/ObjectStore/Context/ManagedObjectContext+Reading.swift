extension ManagedObjectContext {
    /// The object with that id; nil when there is none.
    public func object<Object: ManagedObject>(of objectClass: Object.Type, id: Int64) throws -> Object? {
        let entity = try entity(of: objectClass, named: nil)
        return try object(of: entity, id: id).map { unsafeDowncast($0, to: Object.self) }
    }

    /// The object with that name; nil when there is none.
    public func object(_ objectID: ObjectID) throws -> ManagedObject? {
        try object(of: entity(of: ManagedObject.self, named: objectID.entity), id: objectID.id)
    }

    func object(of entity: Entity, id: Int64) throws -> ManagedObject? {
        let registry = registry(of: entity)
        if let known = registry.table[id] { return known.isAlive ? known : nil }
        coordinator.enter(self)
        guard let values = try coordinator.openStore().row(id, of: entity) else { return nil }
        return make(id, values, in: registry)
    }

    /// The objects that a request asks for, unsaved changes included.
    @inlinable
    public func fetch<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [Object] {
        var objects: [Object] = []
        // The entity's class was compared with the request's when the entity was found.
        try fetchObjects(request) { objects.append(unsafeDowncast($0, to: Object.self)) }
        return objects
    }

    /// How many objects `fetch` would give.
    public func count<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> Int {
        try writeChanges()
        return try coordinator.openStore().count(storeRequest(request))
    }

    /// The ids of the objects that `fetch` would give, without making the objects.
    public func ids<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [Int64] {
        try writeChanges()
        return try coordinator.openStore().ids(storeRequest(request))
    }

    /// Values of the objects that `fetch` would give, without making the objects; aggregates of them, for
    /// all together or for each group.
    ///
    ///     rows(FetchRequest<Book>(orderedBy: [FetchOrder("title")]), of: ["title", "publisher.name"])
    ///     rows(FetchRequest<Book>(), of: ["publisher.name", .count], groupedBy: ["publisher.name"])
    public func rows<Object: ManagedObject>(
        _ request: FetchRequest<Object>, of columns: [FetchColumn], groupedBy groups: [String] = [],
        distinct: Bool = false
    ) throws -> FetchedRows {
        try writeChanges()
        return try coordinator.openStore().rows(
            StoreQuery(
                request: storeRequest(request), columns: columns, groupedBy: groups, isDistinct: distinct))
    }

    /// The rows that `rows` would give for the saved state, one after the other.
    public func stream<Object: ManagedObject>(
        _ request: FetchRequest<Object>, of columns: [FetchColumn], groupedBy groups: [String] = [],
        distinct: Bool = false
    ) throws -> RowStream {
        let query = StoreQuery(
            request: try storeRequest(request), columns: columns, groupedBy: groups, isDistinct: distinct)
        return RowStream(columns: columns, cursor: try coordinator.openStore().cursor(query))
    }

    /// The objects that a request matches in the state that is saved now, one after the other.
    ///
    /// Which objects they are, and their order, is that state's; each has its present values. As long as the
    /// program does not keep them, only one is in memory.
    public func stream<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> ObjectStream<Object>
    {
        let request = try storeRequest(request)
        let columns = [FetchColumn.key("id")] + request.entity.columns.map { .key($0.name) }
        let cursor = try coordinator.openStore().cursor(StoreQuery(request: request, columns: columns))
        return ObjectStream(context: self, registry: registry(of: request.entity), cursor: cursor)
    }

    /// How the store carries a request out: its statement and its plan.
    public func explanation<Object: ManagedObject>(of request: FetchRequest<Object>) throws
        -> FetchExplanation
    {
        try coordinator.openStore().explanation(of: storeRequest(request))
    }

    @usableFromInline
    func fetchObjects(_ request: FetchRequest<some ManagedObject>, _ body: (ManagedObject) -> Void) throws {
        try fetchObjects(storeRequest(request), body)
    }

    func fetchObjects(_ request: StoreRequest, _ body: (ManagedObject) -> Void) throws {
        try writeChanges()
        let registry = registry(of: request.entity)
        try coordinator.openStore().fetch(request) { id, values in
            if let known = registry.table[id] {
                if isOutdated(known) { renew(known, try values()) }
                body(known)
            } else {
                body(make(id, try values(), in: registry))
            }
        }
    }

    func storeRequest(_ request: FetchRequest<some ManagedObject>) throws -> StoreRequest {
        StoreRequest(
            entity: try entity(request), predicate: request.predicate, order: request.order,
            limit: request.limit,
            offset: request.offset)
    }

    // MARK: - Relationships

    /// The object at the other end of a to-one relationship.
    func target(of object: ManagedObject, column: Int) throws -> ManagedObject? {
        guard case .integer(let id) = object.values[column] else { return nil }
        let relationship = object.entity.toOne(at: column)
        let registry = registries[relationship.destinationIndex]
        if let known = registry.table[id] { return known.isAlive ? known : nil }
        let target = try self.object(of: registry.entity, id: id)
        if let target { recent.keep(target) }
        return target
    }

    /// The ids at the other end of a to-many relationship, sorted.
    func memberIDs(of owner: ManagedObject, position: Int) throws -> [Int64] {
        if let known = owner.related?.ids(at: position, epoch: relatedEpoch) { return known }
        guard owner.isAlive else { return [] }
        try writeChanges()
        let relationship = owner.entity.toMany[position]
        let store = try coordinator.openStore()
        var ids: [Int64]
        if let link = relationship.link {
            ids = try store.linkedIDs(link, of: owner.id)
        } else {
            ids = try store.ids(request(for: relationship, of: owner))
        }
        ids.sort()
        let related = owner.related ?? RelatedIDs(count: owner.entity.toMany.count)
        related.note(ids, at: position, epoch: relatedEpoch)
        owner.related = related
        return ids
    }

    /// The objects at the other end of a to-many relationship, by their ids.
    func members(of owner: ManagedObject, position: Int) throws -> [ManagedObject] {
        let relationship = owner.entity.toMany[position]
        let registry = registries[relationship.destinationIndex]
        let ids = try memberIDs(of: owner, position: position)
        let known = ids.compactMap { registry.table[$0] }
        if known.count == ids.count { return known.filter(\.isAlive) }
        var fetched: [ManagedObject] = []
        try fetchObjects(request(for: relationship, of: owner)) { fetched.append($0) }
        return fetched.filter(\.isAlive).sorted { $0.id < $1.id }
    }

    private func request(for relationship: Entity.Relationship, of owner: ManagedObject) -> StoreRequest {
        let destination = model.destination(of: relationship)
        let isMember = FetchPredicate(
            .key(relationship.description.inverse), .equal, .value(.integer(owner.id)),
            quantifier: relationship.link == nil ? .single : .any)
        return StoreRequest(entity: destination, predicate: isMember)
    }

    // MARK: - Making objects

    func make(_ id: Int64, _ values: RowValues, in registry: ObjectRegistry) -> ManagedObject {
        let object = registry.objectClass.init(
            ObjectPlacement(registry: registry, id: id, values: values, state: .saved))
        object.hasRow = true
        object.readAt = coordinator.history.saves
        return object
    }

    /// Whether another context saved an object that has no changes here.
    private func isOutdated(_ object: ManagedObject) -> Bool {
        object.state == .saved && object.changed.isEmpty
            && coordinator.history.changed(object.entity, object.id, since: object.readAt)
    }

    func renew(_ object: ManagedObject, _ values: RowValues) {
        object.values.assign(values)
        object.savedValues = nil
        object.readAt = coordinator.history.saves
    }
}
