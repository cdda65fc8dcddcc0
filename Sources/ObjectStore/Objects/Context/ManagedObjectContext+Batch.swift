extension ManagedObjectContext {
    /// Sets properties of all objects that match a request, with one statement and without creating the objects.
    ///
    ///     try context.updateAll(FetchRequest<Book>(matching: old), setting: ["inPrint": false])
    ///
    /// The update is a save of its own. It is durable when the method returns, or in a batch when the batch returns.
    /// Unsaved changes of the context stay unsaved and do not affect the update. A to-one relationship is set by the
    /// ID of its target. Values are validated. A one-to-one relationship or a property with a `unique` rule cannot be
    /// set this way.
    ///
    /// With several stores, each store is saved separately, in the order in which the stores were added; see `save`.
    /// A request with a limit or an offset then throws a `FetchError`.
    ///
    /// - Returns: The number of objects that match the request.
    @discardableResult
    public func updateAll<Object: ManagedObject>(
        _ request: FetchRequest<Object>, setting values: [String: any AttributeValueConvertible]
    ) throws -> Int {
        try update(request, values, targets: [:])
    }

    /// Implements `updateAll`.
    ///
    /// - Parameter targets: The objects whose IDs are among the values, by the names of the relationships.
    func update(
        _ request: FetchRequest<some ManagedObject>, _ values: [String: any AttributeValueConvertible],
        targets: [String: ManagedObject]
    ) throws -> Int {
        let columns = try self.columns(values, of: entity(request))
        try require(targets, for: request)
        let request = try routed(request)
        let entity = request.request.entity
        guard !columns.isEmpty else { return 0 }
        var count = 0
        let affecting = affectingColumns(Array(columns.keys), of: entity)
        try saveDirectly(at: placesToChange(request)) { place in
            var affected = AffectedOwners()
            if affecting != nil {
                let ids = try place.store.ids(request.request(at: place))
                try recordOwners(affectedBy: ids, of: entity, changing: affecting, at: place, &affected)
            }
            let leaving = try leavingMembers(of: entity, setting: Array(columns.keys), at: place) {
                (try place.store.ids(request.request(at: place)), { _, column in columns[column] ?? .null })
            }
            let ids = try place.store.update(request.request(at: place), set: columns)
            count += ids.count
            var properties = [
                ChangedProperties(entity: entity.index, names: values.keys.sorted(), ids: ids)
            ]
            properties += try takePlaces(of: leaving, of: entity, at: place)
            properties += try derive(ids, of: entity, after: Array(columns.keys), at: place)
            if affecting != nil {
                try recordOwners(affectedBy: ids, of: entity, changing: affecting, at: place, &affected)
            }
            let changed = ChangedIDs(updated: [entity.index: ids], properties: properties)
            return affected.isEmpty ? changed : changed.adding(try derive(affected))
        }
        return count
    }

    /// Deletes all objects that match a request, without creating them.
    ///
    /// The delete rules apply. If a `deny` rule prevents a deletion, the method throws a `DeleteDeniedError` and
    /// nothing changes. Like `updateAll`, it is a save of its own.
    ///
    /// - Returns: The number of deleted objects, including those that a cascade reached.
    @discardableResult
    public func deleteAll<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> Int {
        let request = try routed(request)
        var count = 0
        try saveDirectly(at: placesToChange(request)) { place in
            var affected = AffectedOwners()
            try recordOwners(affectedByDeletionOf: request.request(at: place), at: place, &affected)
            let deletion = try place.store.delete(request.request(at: place))
            let denials = deletion.denials.map { $0.inStore(place.objectIdentifier) }
            if let first = denials.first { throw DeleteDeniedError(object: first.object, denials: denials) }
            count += deletion.deleted.values.reduce(0) { $0 + $1.count }
            try recordOwners(affectedBy: deletion, at: place, &affected)
            let changed = ChangedIDs(
                updated: deletion.updated, unlinked: deletion.unlinked, deleted: deletion.deleted,
                properties: deletion.releases.map {
                    .init(entity: $0.entity, names: [$0.relationship], ids: $0.ids)
                }, preserved: deletion.preserved)
            return affected.isEmpty ? changed : changed.adding(try derive(affected))
        }
        return count
    }

    // MARK: - Implementation

    /// Throws if an object cannot be the target of a relationship, because the stores do not have it.
    private func require(_ targets: [String: ManagedObject], for request: FetchRequest<some ManagedObject>)
        throws
    {
        guard !targets.isEmpty else { return }
        let entity = try entity(request)
        let places = try coordinator.places(of: entity, among: request.affectedStores)
        for (name, target) in targets.sorted(by: { $0.key < $1.key }) {
            let refuse = { (reason: String) in
                PropertyError(
                    entity: entity.name, property: name,
                    problem: "cannot refer to \(target.objectID), which \(reason)")
            }
            guard target.context?.coordinator === coordinator else {
                throw refuse("belongs to another coordinator; get it from this one by its ObjectID")
            }
            guard target.isAlive else { throw refuse("is deleted") }
            guard target.isInStore else { throw refuse("is not saved yet; save it first") }
            if let other = places.first(where: { $0.position != target.storePosition }) {
                throw StoreError(
                    .crossStore,
                    "\(entity.name).\(name) cannot connect objects in \(other.name) to \(target.objectID) in "
                        + "\(coordinator.places[target.storePosition].name): a relationship stays within a store; "
                        + "name that store by affectedStores")
            }
        }
    }

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
        validation.checkComposites(of: columns, entity: entity)
        guard validation.failures.isEmpty else { throw ValidationError(validation.failures) }
        return columns
    }

    /// The IDs of objects that a save changed without creating them, by the positions of their entities.
    struct ChangedIDs {
        var updated: [Int: [Int64]] = [:]
        /// The objects that lost a pair of a many-to-many relationship. Their rows stay the same.
        var unlinked: [Int: Set<Int64>] = [:]
        var deleted: [Int: [Int64]] = [:]
        /// The objects that got other values derived from related objects.
        var derived: [Int: Set<Int64>] = [:]
        /// The updated and unlinked objects with the names of the changed properties. Only a history needs them.
        var properties: [ChangedProperties] = []
        /// Whether the save may have changed any object, because it was a statement in SQL.
        var isOfUnknownObjects = false
        /// The values of deleted objects that the history preserves.
        var preserved: [Int: [Int64: [String: AttributeValue]]] = [:]

        /// Returns the changes with those of attributes that are derived from related objects.
        func adding(_ derived: [ChangedProperties]) -> ChangedIDs {
            var changed = self
            for change in derived { changed.derived[change.entity, default: []].formUnion(change.ids) }
            changed.properties += derived
            return changed
        }
    }

    /// Objects of one entity in which the same properties were changed.
    struct ChangedProperties {
        let entity: Int
        let names: [String]
        let ids: [Int64]
    }

    /// Runs `body` on each store as a save of its own, and updates the objects in memory.
    func saveDirectly(at places: [AddedStore], _ body: (AddedStore) throws -> ChangedIDs) throws {
        try refuseInChild("direct saves, such as updateAll")
        guard !places.isEmpty else { return }
        coordinator.beginCall()
        defer { coordinator.endCall() }
        noticeOtherSaves()
        coordinator.abandonWriter()
        var changed: [ChangedIDs] = []
        let outcome: (saved: [Int], failure: (any Error)?)
        do {
            for place in places {
                try coordinator.openTransaction(for: self, at: place.position)
                noticeOtherSaves()
                let ids = try body(place)
                changed.append(ids)
                if coordinator.recordsHistory { try recordHistory(ids, at: place) }
            }
            if let reference = try coordinator.danglingReference() {
                throw StoreError(.danglingReference, "\(reference) refers to an object that does not exist")
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

    /// Returns the writable stores of a request.
    ///
    /// - Throws: A `StoreError` if a read-only store has matching objects, or a `FetchError` if the request has a
    ///   limit or an offset and there are several stores.
    private func placesToChange(_ request: RoutedRequest) throws -> [AddedStore] {
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
                "a limit or an offset has no meaning for objects of \(entity) in several stores; "
                    + "name one store by affectedStores")
        }
        return places
    }

    private func finishDirectSave(_ saved: [(AddedStore, ChangedIDs)]) throws {
        coordinator.history.countSave()
        ownSaves += 1
        voidings += 1
        var changes = SavedChanges(author: transactionAuthor)
        var lost: Set<PairKey> = []
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
                let derived = (changed.derived[entity.index] ?? [])
                    .subtracting(changed.updated[entity.index] ?? [])
                for id in derived.sorted() {
                    if coordinator.history.isWatching {
                        coordinator.history.appendDoubt(entity: entity, store: place.position, id: id)
                    }
                    if !unlinked.contains(id) { changes.updated.append(registry.objectID(id)) }
                    if let known = registry.table[id] { try readAgain(known) }
                }
                for id in changed.deleted[entity.index] ?? [] {
                    coordinator.history.append(id, in: registry)
                    changes.deleted.append(registry.objectID(id))
                    guard let known = registry.table[id] else { continue }
                    lost.formUnion(discardPairs(of: known))
                    detach(known)
                }
            }
        }
        if !lost.isEmpty { unwrittenPairs.removeAll { lost.contains($0.key) } }
        skipOwnHistory()
        let receipt = SaveReceipt(
            context: self, entries: [], pairs: [:], changes: changes, isDirect: true,
            isOfUnknownObjects: saved.contains { $1.isOfUnknownObjects })
        if let batch = coordinator.batch {
            batch.add(receipt, savedAt: saved.map(\.0.position))
        } else {
            receipt.notifyObservers()
            coordinator.reportToLiveResults(.settled)
        }
    }
}

extension DeleteDeniedError.Denial {
    /// Returns the denial with its object IDs in the given store.
    fileprivate func inStore(_ identifier: UUIDValue?) -> Self {
        let named = { (object: ObjectID) in
            ObjectID(entity: object.entity, id: object.id, store: identifier)
        }
        return Self(object: named(object), relationship: relationship, remaining: remaining.map(named))
    }
}
