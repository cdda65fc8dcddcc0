extension ManagedObjectContext {
    /// Returns the store that the object is in. For a new object, it is the store that the next save writes to.
    ///
    /// - Throws: A ``StoreError``. Its code is `misuse` if the object belongs to another context.
    public func store(of object: ManagedObject) throws -> any PersistentStore {
        try requireOwn(object)
        return try coordinator.store(at: object.storePosition)
    }

    /// Makes the next save write a new object to the given store, instead of the default store for its entity.
    ///
    /// Assign an object before it gets relationships, because relationships cannot lead to another store. A saved
    /// object cannot be assigned to another store.
    ///
    /// - Throws: A ``StoreError``. Its code is `misuse` if the object belongs to another context.
    public func assign(_ object: ManagedObject, to store: any PersistentStore) throws {
        try requireOwn(object)
        guard let place = coordinator.places.first(where: { $0.store === store }) else {
            throw StoreError(
                .noStore, "the store is not one of the coordinator; add it first", path: store.name)
        }
        guard place.position != object.storePosition else { return }
        let name = "\(object.entity.name) \(object.id)"
        guard place.holds(object.storedEntity) else {
            throw StoreError(
                .noStore, "the store was added with a configuration that does not have \(object.entity.name)",
                path: store.name)
        }
        guard !store.isReadOnly else { throw StoreError.readOnly(name, store) }
        guard object.state == .inserted else {
            throw StoreError(
                .crossStore,
                "\(name) was saved and stays in its store; insert another object with its values there",
                path: coordinator.places[object.storePosition].name)
        }
        guard try !isRelated(object) else {
            throw StoreError(
                .crossStore,
                "\(name) has relationships already, which stay within a store; assign it before setting them",
                path: store.name)
        }
        if coordinator.isWriter(self) { coordinator.abandonWriter() }
        // A store that was added after the object was made may already have an object with this ID.
        guard try store.row(object.id, of: object.storedEntity) == nil else {
            throw StoreError(
                .misuse, "the store already has a \(name); insert the object again", path: store.name)
        }
        object.home.table.remove(object.id)
        object.assigned = registry(of: object.entity, at: place.position).member(object.entity)
        object.home.table.insert(object)
    }

    /// Throws if an object belongs to another context.
    func requireOwn(_ object: ManagedObject) throws(StoreError) {
        guard object.context !== self else { return }
        let problem =
            object.context == nil
            ? "was released; keep a reference to it"
            : "is another one; use that, or get the object by its ObjectID"
        throw StoreError(.misuse, "the context of \(object.objectID) \(problem)")
    }

    private func isRelated(_ object: ManagedObject) throws -> Bool {
        let entity = object.entity
        if (entity.firstToOne..<entity.columns.count).contains(where: { !object.values[$0].isNull }) {
            return true
        }
        return try entity.toMany.indices.contains { try !memberIDs(of: object, position: $0).isEmpty }
    }

    /// Throws if a relationship would lead from one store to another.
    func requireOneStore(
        of object: ManagedObject, and other: ManagedObject, for relationship: Entity.Relationship
    ) throws(StoreError) {
        guard object.storePosition != other.storePosition else { return }
        let places = coordinator.places
        let named = { (object: ManagedObject) in
            "\(object.entity.name) \(object.id) in \(places[object.storePosition].name)"
        }
        throw StoreError(
            .crossStore,
            "\(object.entity.name).\(relationship.name) cannot connect \(named(object)) to \(named(other)): "
                + "a relationship stays within a store; roll back, and assign the new object of the two to the "
                + "store of the other before they are related")
    }
}
