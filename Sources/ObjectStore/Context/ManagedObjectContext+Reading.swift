extension ManagedObjectContext {
    /// The object with that id; nil when there is none.
    ///
    /// With several stores that may have it, it throws when more than one has: then an `ObjectID` names it.
    public func object<Object: ManagedObject>(of objectClass: Object.Type, id: Int64) throws -> Object? {
        let entity = try entity(of: objectClass, named: nil)
        var found: ManagedObject?
        for place in try coordinator.places(of: entity) {
            guard let object = try object(id, in: registry(of: entity, at: place.position)) else { continue }
            if let found {
                throw FetchError(
                    .several,
                    "\(found.objectID) and \(object.objectID) have this id; name one by its ObjectID")
            }
            found = object
        }
        return found.map { unsafeDowncast($0, to: Object.self) }
    }

    /// The object with that name; nil when there is none.
    public func object(_ objectID: ObjectID) throws -> ManagedObject? {
        let entity = try entity(of: ManagedObject.self, named: objectID.entity)
        let place = try coordinator.places(of: entity).first { $0.objectIdentifier == objectID.store }
        return try place.flatMap { try object(objectID.id, in: registry(of: entity, at: $0.position)) }
    }

    /// The object of the first store with that id.
    func object(of entity: Entity, id: Int64) throws -> ManagedObject? {
        try object(id, in: registry(of: entity, at: 0))
    }

    func object(_ id: Int64, in registry: ObjectRegistry) throws -> ManagedObject? {
        coordinator.noticeOtherPrograms()
        learnOfOtherSaves()
        if let known = registry.table[id] { return try present(known) }
        coordinator.enter(self)
        guard let values = try coordinator.store(at: registry.store).row(id, of: registry.entity) else {
            return nil
        }
        return make(id, values, in: registry)
    }

    /// The objects of the first store with these ids, in one fetch for those that are not in memory.
    func objects(of entity: Entity, ids: [Int64]) throws -> [ManagedObject] {
        let registry = registry(of: entity, at: 0)
        coordinator.noticeOtherPrograms()
        learnOfOtherSaves()
        var objects: [ManagedObject] = []
        var missing: [Int64] = []
        for id in ids {
            guard let known = registry.table[id] else {
                missing.append(id)
                continue
            }
            if let known = try present(known) { objects.append(known) }
        }
        guard !missing.isEmpty else { return objects }
        let isWanted = FetchPredicate(
            .key("id"), .in, .list(missing.map { .value(.integer($0)) }))
        try writeChanges()
        try fetchObjects(StoreRequest(entity: entity, predicate: isWanted), in: registry) {
            objects.append($0)
        }
        return objects
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
        let request = try routed(request)
        if let store = request.onlyStore { return try store.count(request.request) }
        return try SpanningFetch(request, model).count()
    }

    /// The ids of the objects that `fetch` would give, without making the objects.
    ///
    /// Where several stores are asked an id is no name for an object, so that is an error; `objectIDs` gives names.
    public func ids<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [Int64] {
        try writeChanges()
        let request = try routed(request)
        guard let store = request.onlyStore else {
            throw FetchError(
                .unsupported,
                "objects of \(request.request.entity.name) in several stores may have the same id; "
                    + "ask for objectIDs, or of one store by affectedStores")
        }
        return try store.ids(request.request)
    }

    /// The names of the objects that `fetch` would give, without making the objects.
    public func objectIDs<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [ObjectID] {
        try writeChanges()
        let request = try routed(request)
        let entity = request.request.entity.name
        if let store = request.onlyStore {
            let identifier = request.places[0].objectIdentifier
            return try store.ids(request.request).map { ObjectID(entity: entity, id: $0, store: identifier) }
        }
        var names: [ObjectID] = []
        try SpanningFetch(request, model).forEachRow(of: ["id"]) { place, row in
            guard case .integer(let id) = row[0] else { return }
            names.append(ObjectID(entity: entity, id: id, store: place.objectIdentifier))
        }
        return names
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
        let request = try routed(request)
        let query = StoreQuery(
            request: request.request, columns: columns, groupedBy: groups, isDistinct: distinct)
        if let store = request.onlyStore { return try store.rows(query) }
        return try SpanningFetch(request, model).rows(query)
    }

    /// Calls `body` with each row that `rows` would give, where it lies: it is good until `body` returns, and costs no
    /// memory.
    public func forEachRow<Object: ManagedObject>(
        _ request: FetchRequest<Object>, of columns: [FetchColumn], _ body: (any StoreRow) throws -> Void
    ) throws {
        try writeChanges()
        let request = try routed(request)
        let query = StoreQuery(request: request.request, columns: columns)
        if let store = request.onlyStore { return try store.forEachRow(query, body) }
        for row in try SpanningFetch(request, model).rows(query) { try body(row) }
    }

    /// The rows that `rows` would give for the saved state, one after the other.
    ///
    /// - Parameter other: a stream of the same state, with which this one then belongs to one queue, and is interrupted;
    ///   where the store is one only.
    public func stream<Object: ManagedObject>(
        _ request: FetchRequest<Object>, of columns: [FetchColumn], groupedBy groups: [String] = [],
        distinct: Bool = false, beside other: RowStream? = nil
    ) throws -> RowStream {
        let request = try routed(request)
        let query = StoreQuery(
            request: request.request, columns: columns, groupedBy: groups, isDistinct: distinct)
        if let store = request.onlyStore {
            let cursor =
                try other.map { try store.cursor(query, beside: $0.cursor) } ?? store.cursor(query)
            return RowStream(columns: columns, cursor: cursor)
        }
        return RowStream(columns: columns, cursor: try SpanningFetch(request, model).cursor(query))
    }

    /// The objects that a request matches in the state that is saved now, one after the other.
    ///
    /// Which objects they are, and their order, is that state's; each has its present values. As long as the
    /// program does not keep them, only one is in memory.
    public func stream<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> ObjectStream<Object>
    {
        let request = try routed(request)
        let entity = request.request.entity
        let rows = try SpanningFetch(request, model).savedRows(of: entity.objectColumns)
        let registries = request.places.map { registry(of: entity, at: $0.position) }
        return ObjectStream(context: self, registries: registries, rows: rows)
    }

    /// How the store carries a request out: its statement and its plan. Of several stores these come one after
    /// the other.
    public func explanation<Object: ManagedObject>(of request: FetchRequest<Object>) throws
        -> FetchExplanation
    {
        let request = try routed(request)
        if let store = request.onlyStore { return try store.explanation(of: request.request) }
        return try SpanningFetch(request, model).explanation()
    }

    @usableFromInline
    func fetchObjects(_ request: FetchRequest<some ManagedObject>, _ body: (ManagedObject) -> Void) throws {
        try writeChanges()
        let request = try routed(request)
        let entity = request.request.entity
        if request.places.count == 1 || !request.request.isOrdered {
            for place in request.places {
                try fetchObjects(request.request, in: registry(of: entity, at: place.position), body)
            }
            return
        }
        try SpanningFetch(request, model).forEachRow(of: entity.objectColumns) { place, row in
            guard case .integer(let id) = row[0] else { return }
            let registry = registry(of: entity, at: place.position)
            body(object(id, in: registry) { .make(row.dropFirst()) })
        }
    }

    func fetchObjects(
        _ request: StoreRequest, in registry: ObjectRegistry, _ body: (ManagedObject) -> Void
    ) throws {
        try coordinator.store(at: registry.store).fetch(request) { id, values in
            body(try object(id, in: registry, values))
        }
    }

    /// The object of a row that was just read.
    // Inlined, because a call with a closure for each object is felt in a fetch of many.
    @inline(__always)
    private func object(
        _ id: Int64, in registry: ObjectRegistry, _ values: () throws -> RowValues
    ) rethrows -> ManagedObject {
        guard let known = registry.table[id] else { return make(id, try values(), in: registry) }
        if known.freshness != .current { bringUpToDate(known, try values()) }
        return known
    }

    func routed(_ request: FetchRequest<some ManagedObject>) throws -> RoutedRequest {
        let places = try coordinator.places(of: entity(request), among: request.affectedStores)
        return RoutedRequest(request: try storeRequest(request), places: places)
    }

    func storeRequest(_ request: FetchRequest<some ManagedObject>) throws -> StoreRequest {
        StoreRequest(
            entity: try entity(request), predicate: request.predicate, order: request.order,
            limit: request.limit,
            offset: request.offset)
    }

    // MARK: - Relationships

    /// The object at the other end of a to-one relationship that a program reads.
    ///
    /// Another program may have changed the id at the near end, so a doubtful owner is read first.
    func presentTarget(of owner: ManagedObject, column: Int) throws -> ManagedObject? {
        coordinator.noticeOtherPrograms()
        learnOfOtherSaves()
        if owner.freshness == .doubtful { try bringUpToDate(owner) }
        return try target(of: owner, column: column)
    }

    /// The object at the other end of a to-one relationship.
    func target(of object: ManagedObject, column: Int) throws -> ManagedObject? {
        guard case .integer(let id) = object.values[column] else { return nil }
        let relationship = object.entity.toOne(at: column)
        let registry = registry(ofEntityAt: relationship.destinationIndex, besides: object)
        learnOfOtherSaves()
        if let known = registry.table[id] { return try present(known) }
        let target = try self.object(id, in: registry)
        if let target { recent.keep(target) }
        return target
    }

    /// The ids at the other end of a to-many relationship, sorted.
    func memberIDs(of owner: ManagedObject, position: Int) throws -> [Int64] {
        coordinator.noticeOtherPrograms()
        learnOfOtherSaves()
        if let known = owner.related?.ids(at: position, epoch: relatedEpoch) { return known }
        guard owner.isAlive else { return [] }
        try writeChanges()
        let relationship = owner.entity.toMany[position]
        let store = try coordinator.store(at: owner.home.store)
        var ids: [Int64] = []
        if let link = relationship.link {
            ids = try store.linkedIDs(link, of: owner.id)
        } else if case .toOne(let column) = relationship.inverse {
            ids = try store.ids(
                of: model.destination(of: relationship), with: .integer(owner.id), inColumn: column,
                limit: nil)
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
        let registry = registry(ofEntityAt: relationship.destinationIndex, besides: owner)
        let ids = try memberIDs(of: owner, position: position)
        if ids.isEmpty { return [] }
        let known = ids.compactMap { registry.table[$0] }.filter { $0.freshness == .current }
        if known.count == ids.count { return known.filter(\.isAlive) }
        var fetched: [ManagedObject] = []
        try writeChanges()
        try fetchObjects(request(for: relationship, of: owner), in: registry) { fetched.append($0) }
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
        return object
    }

    // MARK: - Objects that other contexts have saved

    /// An object in memory with the values that the store has now; nil if it is deleted, here or in the store.
    ///
    /// An object with unsaved changes is returned even if another context has deleted it. The save of these changes
    /// reports the conflict.
    @inline(__always)
    private func present(_ known: ManagedObject) throws -> ManagedObject? {
        if known.freshness != .current { try bringUpToDate(known) }
        return known.isAlive ? known : nil
    }

    private func bringUpToDate(_ object: ManagedObject) throws {
        guard object.state == .saved else { return }
        coordinator.enter(self)
        let store = try coordinator.store(at: object.home.store)
        if let row = try store.row(object.id, of: object.entity) {
            bringUpToDate(object, row)
        } else if !object.isUpdated {
            detach(object)
        } else {
            object.freshness = .outdated
        }
    }

    /// Gives an object the values of its row, except where it has unsaved changes. With these it still counts as
    /// outdated, so that their save reports the conflict.
    private func bringUpToDate(_ object: ManagedObject, _ row: RowValues) {
        guard object.state == .saved else { return }
        if object.changed.isEmpty { return renew(object, row) }
        for column in 0..<row.count
        where !object.changed.contains(column) && object.values[column] != row[column] {
            object.values[column] = row[column]
            object.savedValues?[column] = row[column]
            object.freshness = .outdated
        }
    }

    func renew(_ object: ManagedObject, _ values: RowValues) {
        object.values.assign(values)
        object.savedValues = nil
        object.freshness = .current
    }
}
