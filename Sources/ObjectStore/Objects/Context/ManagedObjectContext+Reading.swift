extension ManagedObjectContext {
    /// Returns the object with the given ID, or `nil` if there is none.
    ///
    /// - Throws: A `FetchError` if several stores have an object with this ID. Use an `ObjectID` then.
    public func object<Object: ManagedObject>(of objectClass: Object.Type, id: Int64) throws -> Object? {
        let entity = try entity(of: objectClass, named: nil)
        // Apart from the others, because a program gets most objects from a single store.
        if let store = coordinator.onlyPosition(of: entity) {
            return try object(of: objectClass, id: id, entity: entity, at: store)
        }
        var found: Object?
        for place in try coordinator.places(of: entity) {
            guard let object = try object(of: objectClass, id: id, entity: entity, at: place.position) else {
                continue
            }
            if let found {
                throw FetchError(
                    .several,
                    "\(found.objectID) and \(object.objectID) have this id; name one by its ObjectID")
            }
            found = object
        }
        return found
    }

    private func object<Object: ManagedObject>(
        of objectClass: Object.Type, id: Int64, entity: Entity, at store: Int
    ) throws -> Object? {
        guard let object = try object(id, in: registry(of: entity, at: store)),
            entity.includes(object.entity)
        else { return nil }
        return unsafeDowncast(object, to: objectClass)
    }

    /// Returns the object with the given object ID, or `nil` if there is none.
    public func object(_ objectID: ObjectID) throws -> ManagedObject? {
        let entity = try entity(of: ManagedObject.self, named: objectID.entity)
        let place = try coordinator.places(of: entity).first { $0.objectIdentifier == objectID.store }
        let found = try place.flatMap { try object(objectID.id, in: registry(of: entity, at: $0.position)) }
        return found.flatMap { entity.includes($0.entity) ? $0 : nil }
    }

    /// Returns the object of the first store with the given ID, or `nil` if there is none.
    func object(of entity: Entity, id: Int64) throws -> ManagedObject? {
        try object(id, in: registry(of: entity, at: 0))
    }

    func object(_ id: Int64, in registry: ObjectRegistry) throws -> ManagedObject? {
        coordinator.noticeOtherPrograms()
        noticeOtherSaves()
        if let known = registry.table[id] { return try present(known) }
        coordinator.beginCall()
        defer { coordinator.endCall() }
        try enterStores()
        guard let values = try coordinator.store(at: registry.store).row(id, of: registry.stored) else {
            return nil
        }
        return try make(id, values, in: registry)
    }

    /// Returns the objects with the given IDs. Objects that are not in memory are read in a few fetches.
    func objects(_ ids: some Collection<Int64>, in registry: ObjectRegistry) throws -> [ManagedObject] {
        coordinator.noticeOtherPrograms()
        noticeOtherSaves()
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
        try beginReading()
        defer { endReading() }
        for start in stride(from: 0, to: missing.count, by: Self.idsAtOnce) {
            let batch = missing[start..<min(start + Self.idsAtOnce, missing.count)]
            let isWanted = FetchPredicate(.key("id"), .in, .list(batch.map { .value(.integer($0)) }))
            try fetchObjects(StoreRequest(entity: registry.stored, predicate: isWanted), in: registry) {
                objects.append($0)
            }
        }
        return objects
    }

    /// Returns the objects that match a request, including unsaved changes.
    @inlinable
    public func fetch<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [Object] {
        var objects: [Object] = []
        // Fetches of a few objects are frequent, and growing the array is a part of their cost.
        objects.reserveCapacity(min(request.limit ?? 32, 32))
        // The entity's class was compared with the request's when the entity was found.
        try fetchObjects(request) { objects.append(unsafeDowncast($0.takeRetainedValue(), to: Object.self)) }
        if !request.prefetching.isEmpty { try prefetch(for: request, objects) }
        return objects
    }

    /// Returns the number of objects that `fetch` would return.
    public func count<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> Int {
        try beginReading()
        defer { endReading() }
        let request = try routed(request)
        try deriveValues(usedBy: request.request)
        if let store = request.onlyStore { return try store.count(request.request) }
        return try SpanningFetch(request, model).count()
    }

    /// Returns the IDs of the objects that `fetch` would return, without creating the objects.
    ///
    /// - Throws: A `FetchError` if the request concerns several stores, in which the same ID may occur. Use
    ///   `objectIDs` then.
    public func ids<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [Int64] {
        try beginReading()
        defer { endReading() }
        let request = try routed(request)
        try deriveValues(usedBy: request.request)
        guard let store = request.onlyStore else {
            throw FetchError(
                .unsupported,
                "objects of \(request.request.entity.name) in several stores may have the same id; "
                    + "ask for objectIDs, or of one store by affectedStores")
        }
        return try store.ids(request.request)
    }

    /// Returns the object IDs of the objects that `fetch` would return, without creating the objects.
    public func objectIDs<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [ObjectID] {
        try beginReading()
        defer { endReading() }
        let request = try routed(request)
        try deriveValues(usedBy: request.request)
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

    /// Returns values of the objects that `fetch` would return, without creating the objects.
    ///
    /// The columns can contain aggregates, over all objects or over each group.
    ///
    ///     rows(FetchRequest<Book>(orderedBy: [FetchOrder("title")]), of: ["title", "publisher.name"])
    ///     rows(FetchRequest<Book>(), of: ["publisher.name", .count], groupedBy: ["publisher.name"])
    ///
    /// `having` is a condition for the groups: `@count > 3 AND @avg.pages < 200`. An order can contain aggregates, too. An
    /// aggregate of no values is nil, as in a column.
    public func rows<Object: ManagedObject>(
        _ request: FetchRequest<Object>, of columns: [FetchColumn], groupedBy groups: [String] = [],
        having: FetchPredicate = .all, distinct: Bool = false
    ) throws -> FetchedRows {
        try beginReading()
        defer { endReading() }
        let request = try routed(request)
        let query = StoreQuery(
            request: request.request, columns: columns, groupedBy: groups, having: having,
            isDistinct: distinct)
        try deriveValues(usedBy: query)
        if let store = request.onlyStore { return try store.rows(query) }
        return try SpanningFetch(request, model).rows(query)
    }

    /// Calls `body` with each row that `rows` would return.
    ///
    /// A row is valid only until `body` returns. With a single store, the rows are not copied.
    public func forEachRow<Object: ManagedObject>(
        _ request: FetchRequest<Object>, of columns: [FetchColumn], _ body: (any StoreRow) throws -> Void
    ) throws {
        try beginReading()
        defer { endReading() }
        let request = try routed(request)
        let query = StoreQuery(request: request.request, columns: columns)
        try deriveValues(usedBy: query)
        if let store = request.onlyStore { return try store.forEachRow(query, body) }
        for row in try SpanningFetch(request, model).rows(query) { try body(row) }
    }

    /// Returns the statement and the query plan of a request. With several stores, they are listed store by store.
    public func explanation<Object: ManagedObject>(of request: FetchRequest<Object>) throws
        -> FetchExplanation
    {
        let request = try routed(request)
        if let store = request.onlyStore { return try store.explanation(of: request.request) }
        return try SpanningFetch(request, model).explanation()
    }

    /// Calls `body` with each object that matches a request. `body` has to take over the reference.
    @usableFromInline
    func fetchObjects(
        _ request: FetchRequest<some ManagedObject>, _ body: (Unmanaged<ManagedObject>) -> Void
    ) throws {
        try beginReading()
        defer { endReading() }
        let request = try routed(request)
        try deriveValues(usedBy: request.request)
        let entity = request.request.entity
        if request.places.count == 1 || !request.request.isOrdered {
            for place in request.places {
                let registry = registry(of: entity, at: place.position)
                try place.store.fetch(request.request(at: place)) { id, values in
                    body(.passRetained(try object(id, in: registry, values)))
                }
            }
            return
        }
        try SpanningFetch(request, model).forEachRow(of: entity.objectColumns) { place, row in
            guard case .integer(let id) = row[0] else { return }
            let registry = registry(of: entity, at: place.position)
            body(.passRetained(try object(id, in: registry) { .make(row.dropFirst()) }))
        }
    }

    func fetchObjects(
        _ request: StoreRequest, in registry: ObjectRegistry, _ body: (ManagedObject) -> Void
    ) throws {
        try coordinator.store(at: registry.store).fetch(request) { id, values in
            body(try object(id, in: registry, values))
        }
    }

    /// Returns the object of a row that was just read.
    // Inlined, because a call with a closure for each object slows down a large fetch.
    @inline(__always)
    private func object(
        _ id: Int64, in registry: ObjectRegistry, _ values: () throws -> RowValues
    ) throws -> ManagedObject {
        guard let known = registry.table[id] else { return try make(id, values(), in: registry) }
        if known.freshness != .current {
            let row = try values()
            bringUpToDate(known, row)
            // Its values were copied, and a new object may keep the memory that both rows share.
            row.releaseShared()
        }
        return known
    }

    func routed(_ request: FetchRequest<some ManagedObject>) throws -> RoutedRequest {
        let places = try coordinator.places(of: entity(request), among: request.affectedStores)
        let request = try storeRequest(request)
        guard coordinator.places.count > 1, places.count == 1 else {
            return RoutedRequest(request: request, places: places)
        }
        return RoutedRequest(request: request.inStore(places[0].objectIdentifier), places: places)
    }

    func storeRequest(_ request: FetchRequest<some ManagedObject>) throws -> StoreRequest {
        let entity = try entity(request)
        if let limit = request.limit, limit < 0 {
            throw FetchError(.unsupported, "the limit \(limit) is negative; leave it out to get all objects")
        }
        guard request.offset >= 0 else {
            throw FetchError(
                .unsupported, "the offset \(request.offset) is negative; use 0 to skip no object")
        }
        return StoreRequest(
            entity: model.stored(entity), predicate: try entity.selecting(request.predicate),
            order: request.order, limit: request.limit, offset: request.offset)
    }

    // MARK: - Relationships

    /// Returns the object at the other end of a to-one relationship that a program reads, or `nil` if there is none.
    ///
    /// Another program may have changed the ID in the owner's row, so a doubtful owner is read first.
    func presentTarget(of owner: ManagedObject, column: Int) throws -> ManagedObject? {
        coordinator.noticeOtherPrograms()
        noticeOtherSaves()
        if owner.freshness == .doubtful { try bringUpToDate(owner) }
        return try target(of: owner, column: column)
    }

    /// Returns the object at the other end of a to-one relationship, or `nil` if there is none.
    func target(of object: ManagedObject, column: Int) throws -> ManagedObject? {
        guard case .integer(let id) = object.values[column] else { return nil }
        let relationship = object.entity.toOne(at: column)
        let registry = registry(ofEntityAt: relationship.destinationIndex, besides: object)
        noticeOtherSaves()
        if let known = registry.table[id] { return try present(known) }
        let target = try self.object(id, in: registry)
        if let target { recent.keep(target) }
        return target
    }

    /// Returns the sorted IDs at the other end of a to-many relationship.
    func memberIDs(of owner: ManagedObject, position: Int) throws -> [Int64] {
        coordinator.noticeOtherPrograms()
        noticeOtherSaves()
        if let known = owner.related?.ids(at: position, epoch: relatedEpoch) { return known }
        guard owner.isAlive else { return [] }
        try beginReading()
        defer { endReading() }
        let relationship = owner.entity.toMany[position]
        let store = try coordinator.store(at: owner.storePosition)
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
        related.record(ids, at: position, epoch: relatedEpoch)
        owner.related = related
        return ids
    }

    /// Returns the objects at the other end of a to-many relationship, in its order or that of their IDs.
    func members(of owner: ManagedObject, position: Int) throws -> [ManagedObject] {
        let relationship = owner.entity.toMany[position]
        let registry = registry(ofEntityAt: relationship.destinationIndex, besides: owner)
        let ids = try memberIDs(of: owner, position: position)
        if ids.isEmpty { return [] }
        let known = ids.compactMap { registry.table[$0] }.filter { $0.freshness == .current }
        if known.count == ids.count { return inOrder(present(known, of: relationship), of: relationship) }
        var fetched: [ManagedObject] = []
        try beginReading()
        defer { endReading() }
        try fetchObjects(request(for: relationship, of: owner), in: registry) { fetched.append($0) }
        return inOrder(present(fetched, of: relationship).sorted { $0.id < $1.id }, of: relationship)
    }

    /// Returns the objects that are not deleted. In a hierarchy, a row that another program changed may lead to an object of
    /// another class, which is left out.
    private func present(
        _ members: [ManagedObject], of relationship: Entity.Relationship
    ) -> [ManagedObject] {
        guard model.hasHierarchies else { return members.filter(\.isAlive) }
        let destination = model.declaredDestination(of: relationship)
        return members.filter { $0.isAlive && destination.includes($0.entity) }
    }

    private func request(for relationship: Entity.Relationship, of owner: ManagedObject) -> StoreRequest {
        let destination = model.destination(of: relationship)
        let isMember = FetchPredicate(
            .key(relationship.description.inverse), .equal, .value(.integer(owner.id)),
            quantifier: relationship.link == nil ? .single : .any)
        return StoreRequest(entity: destination, predicate: isMember)
    }

    // MARK: - Making objects

    func make(
        _ id: Int64, _ values: consuming RowValues, in registry: ObjectRegistry
    ) throws -> ManagedObject {
        registry.stored.inheritance == nil
            ? registry.makeSaved(id, values) : try member(of: registry, id, values).makeSaved(id, values)
    }

    /// Returns the registry of the entity of an object in a hierarchy.
    private func member(
        of registry: ObjectRegistry, _ id: Int64, _ values: RowValues
    ) throws -> ObjectRegistry {
        let whole = self.registry(of: registry.stored, at: registry.store)
        guard let member = whole.member(of: values), !member.entity.description.isAbstract else {
            let name = if case .string(let name) = values[Entity.Inheritance.column] { name } else { "nil" }
            throw StoreError(
                .other,
                "\(whole.objectID(id)) is of the entity \(name), which the model does not have or which is abstract",
                path: try coordinator.store(at: registry.store).name)
        }
        return member
    }

    // MARK: - Objects that other contexts have saved

    /// Returns an object in memory with the current values of the store, or `nil` if it is deleted, here or in the
    /// store.
    ///
    /// An object with unsaved changes is returned even if another context has deleted it. The save of these changes
    /// reports the conflict.
    @inline(__always)
    private func present(_ known: ManagedObject) throws -> ManagedObject? {
        if known.freshness != .current { try bringUpToDate(known) }
        return known.isAlive ? known : nil
    }

    func bringUpToDate(_ object: ManagedObject) throws {
        guard object.state == .saved else { return }
        coordinator.beginCall()
        defer { coordinator.endCall() }
        try enterStores()
        let store = try coordinator.store(at: object.storePosition)
        if let row = try store.row(object.id, of: object.storedEntity) {
            bringUpToDate(object, row)
        } else if !object.isUpdated {
            detach(object)
        } else {
            object.freshness = .outdated
        }
    }

    /// Gives an object the values of its row, except where it has unsaved changes. An object with unsaved changes
    /// does not become current, so that its save reports the conflict.
    private func bringUpToDate(_ object: ManagedObject, _ row: RowValues) {
        guard object.state == .saved else { return }
        if object.changed.isEmpty { return renew(object, row) }
        if related != nil { takeRelatedValues(of: object, from: row) }
        let mine = object.values.copy()
        for column in 0..<row.count
        where !object.changed.contains(column) && object.values[column] != row[column] {
            object.values[column] = row[column]
            object.savedValues?[column] = row[column]
            object.freshness = .outdated
        }
        keepPlaces(of: object, since: mine, reading: row)
    }

    func renew(_ object: ManagedObject, _ values: RowValues) {
        object.values.assign(values)
        object.savedValues = nil
        object.freshness = .current
    }
}
