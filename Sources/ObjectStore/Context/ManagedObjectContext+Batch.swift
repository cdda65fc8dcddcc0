extension ManagedObjectContext {
    /// Gives properties of many objects new values, without making the objects: one statement of the store.
    ///
    ///     try context.updateAll(FetchRequest<Book>(matching: old), setting: ["inPrint": false])
    ///
    /// It is a save of its own: what it changes is durable when it returns. Unsaved changes of the context
    /// stay unsaved, and the store does not see them. A to-one relationship is set by the id of its target.
    /// Values are validated; a property with a `unique` rule cannot be set this way.
    ///
    /// Of several stores, each is a save of its own, in the order in which they were added; see `save`. Then a
    /// limit or an offset is refused.
    ///
    /// - Returns: how many objects the request matched.
    @discardableResult
    public func updateAll<Object: ManagedObject>(
        _ request: FetchRequest<Object>, setting values: [String: any AttributeValueConvertible]
    ) throws -> Int {
        let request = try routed(request)
        let entity = request.request.entity
        let columns = try self.columns(values, of: entity)
        guard !columns.isEmpty else { return 0 }
        var count = 0
        try saveDirectly(at: placesToChange(request)) { place in
            let ids = try place.store.update(request.request, set: columns)
            count += ids.count
            return ChangedIDs(updated: [entity.index: ids])
        }
        return count
    }

    /// Deletes many objects without making them. The delete rules hold; a `deny` that stands against it
    /// leaves everything as it is.
    ///
    /// It is a save of its own, like `updateAll`.
    ///
    /// - Returns: how many objects are gone, those that a cascade reached included.
    @discardableResult
    public func deleteAll<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> Int {
        let request = try routed(request)
        var count = 0
        try saveDirectly(at: placesToChange(request)) { place in
            let deletion = try place.store.delete(request.request)
            let denials = deletion.denials.map { $0.inStore(place.objectIdentifier) }
            if let first = denials.first { throw DeleteDeniedError(object: first.object, denials: denials) }
            count += deletion.deleted.values.reduce(0) { $0 + $1.count }
            return ChangedIDs(
                updated: deletion.updated, unlinked: deletion.unlinked, deleted: deletion.deleted)
        }
        return count
    }

    // MARK: - Inside

    private func columns(
        _ values: [String: any AttributeValueConvertible], of entity: Entity
    ) throws -> [Int: AttributeValue] {
        var columns: [Int: AttributeValue] = [:]
        var validation = Validation()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            let position = try entity.columnSetDirectly(name)
            columns[position] = value.attributeValue
            validation.check(value.attributeValue, column: position, of: entity)
        }
        guard validation.failures.isEmpty else { throw ValidationError(validation.failures) }
        return columns
    }

    /// The objects that a save changed without making them, by the positions of their entities.
    struct ChangedIDs {
        var updated: [Int: [Int64]] = [:]
        /// Objects whose rows stayed the same.
        var unlinked: [Int: Set<Int64>] = [:]
        var deleted: [Int: [Int64]] = [:]
    }

    /// Runs `body` on each store as a save of its own, and brings the objects in memory up to date.
    func saveDirectly(at places: [StorePlace], _ body: (StorePlace) throws -> ChangedIDs) throws {
        guard !places.isEmpty else { return }
        learnOfOtherSaves()
        coordinator.abandonWriter()
        var changed: [ChangedIDs] = []
        let outcome: (saved: [Int], failure: (any Error)?)
        do {
            for place in places {
                try coordinator.openTransaction(for: self, at: place.position)
                changed.append(try body(place))
            }
            if let reference = try coordinator.danglingReference() {
                throw StoreError(.danglingReference, "\(reference) refers to an object that is not there")
            }
            outcome = try coordinator.commitTransactions(of: self)
        } catch {
            coordinator.transactionFailed(error)
            throw error
        }
        if let failure = outcome.failure { coordinator.transactionFailed(failure) }
        try finishDirectSave(Array(zip(places, changed).prefix(outcome.saved.count)))
        if let failure = outcome.failure {
            let (saved, unsaved) = (places.prefix(outcome.saved.count), places.dropFirst(outcome.saved.count))
            throw PartialSaveError(saved: saved.map(\.name), unsaved: unsaved.map(\.name), cause: failure)
        }
    }

    /// The stores that can be changed, of those that a request is about. One that cannot must have nothing that
    /// the request is about.
    private func placesToChange(_ request: RoutedRequest) throws -> [StorePlace] {
        let entity = request.request.entity.name
        for place in request.places where place.store.isReadOnly {
            guard try place.store.count(request.request) == 0 else {
                throw StoreError.readOnly("objects of \(entity)", place.store)
            }
        }
        let places = request.places.filter { !$0.store.isReadOnly }
        if places.count > 1, request.request.limit != nil || request.request.offset > 0 {
            throw FetchError(
                .unsupported,
                "a limit or an offset says nothing about objects of \(entity) in several stores; "
                    + "name one store by affectedStores")
        }
        return places
    }

    private func finishDirectSave(_ saved: [(StorePlace, ChangedIDs)]) throws {
        coordinator.history.countSave()
        ownSaves += 1
        voidings += 1
        var changes = SavedChanges()
        for (place, changed) in saved {
            for entity in model.entities {
                let registry = registry(of: entity, at: place.position)
                for id in changed.updated[entity.index] ?? [] {
                    coordinator.history.append(id, in: registry)
                    changes.updated.append(registry.objectID(id))
                    if let known = registry.table[id] { try readAgain(known) }
                }
                let unlinked = (changed.unlinked[entity.index] ?? [])
                    .subtracting(changed.updated[entity.index] ?? [])
                changes.updated += unlinked.sorted().map(registry.objectID)
                for id in changed.deleted[entity.index] ?? [] {
                    coordinator.history.append(id, in: registry)
                    changes.deleted.append(registry.objectID(id))
                    if let known = registry.table[id] { detach(known) }
                }
            }
        }
        skipOwnHistory()
        let receipt = SaveReceipt(context: self, entries: [], pairs: [:], changes: changes)
        if let batch = coordinator.batch {
            batch.add(receipt, savedAt: saved.map(\.0.position))
        } else {
            receipt.announce()
        }
    }
}

extension DeleteDeniedError.Denial {
    /// The denial with its objects named as those of a store.
    fileprivate func inStore(_ identifier: UUIDValue?) -> Self {
        let named = { (object: ObjectID) in
            ObjectID(entity: object.entity, id: object.id, store: identifier)
        }
        return Self(object: named(object), relationship: relationship, remaining: remaining.map(named))
    }
}
