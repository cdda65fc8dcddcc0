public import CivilTime

// The history of a store that records it. See `StoreConfiguration.recordsHistory`.

extension PersistentStoreCoordinator {
    /// Returns the saved transactions after that of a token, in the order in which they were saved.
    ///
    /// - Parameters:
    ///   - token: The token of a transaction. It decides which store is read. Without a token, all transactions that
    ///     were not purged are returned.
    ///   - limit: The maximum number of transactions, or `nil` for all.
    ///   - identifier: The identifier of the store, if there is no token and several stores record their history.
    /// - Throws: A ``StoreError``. Its code is `historyLost` if the store does not have the token's transaction any
    ///   more, and `noHistory` if there is no history. Throws a ``FetchError`` if the limit is negative.
    public func history(
        after token: HistoryToken? = nil, limit: Int? = nil, of identifier: UUIDValue? = nil
    ) throws -> [HistoryTransaction] {
        try Self.check(limit: limit)
        let (place, store) = try recordingStore(token?.store ?? identifier)
        return try store.history(after: token, limit: limit).map { $0.inStore(place.objectIdentifier) }
    }

    /// Returns the saved transactions after that of a token that a filter chooses, in the order in which they were saved.
    ///
    /// To read a long history in little memory, set a limit, and continue after the token of the last transaction.
    ///
    /// - Parameters:
    ///   - token: The token of a transaction, or `nil` for the beginning of the history.
    ///   - filter: The transactions and the changes that are wanted.
    ///   - limit: The maximum number of transactions, or `nil` for all.
    ///   - identifier: The identifier of the store, if there is neither a token nor an object and several stores record
    ///     their history.
    /// - Throws: A ``StoreError``, as without a filter, or a ``FetchError`` if the filter names an entity that the model does
    ///   not have, or one that shares the table of another one, or if the limit is negative.
    public func history(
        after token: HistoryToken? = nil, matching filter: HistoryFilter, limit: Int? = nil,
        of identifier: UUIDValue? = nil
    ) throws -> [HistoryTransaction] {
        try Self.check(limit: limit)
        var filter = filter
        var chosen = token?.store ?? identifier
        if let object = filter.object {
            // The ID of an object in the first store does not name it.
            guard let home = places.first(where: { $0.objectIdentifier == object.store }) else {
                throw StoreError(.noHistory, "the coordinator does not have the store of \(object)")
            }
            guard chosen == nil || chosen == home.store.metadata.identifier else { return [] }
            chosen = home.store.metadata.identifier
            filter.object = ObjectID(entity: try tableName(object.entity), id: object.id)
        }
        if let entity = filter.entity {
            filter.entity = try tableName(entity)
            guard filter.entity == entity else {
                throw FetchError(
                    .unsupported,
                    "the history names the objects of \(entity) by the root of its hierarchy, \(filter.entity ?? entity)"
                )
            }
        }
        let (place, store) = try recordingStore(chosen)
        return try store.history(after: token, limit: limit, matching: filter).map {
            $0.inStore(place.objectIdentifier)
        }
    }

    /// Returns the name of the entity with the table of an entity.
    private func tableName(_ entity: String) throws -> String {
        guard let known = model.entity(named: entity) else {
            throw FetchError(.unknownEntity, "the model has no entity \(entity)")
        }
        return known.storedName
    }

    /// Returns the token of the last transaction of a store, or that of the beginning of its history.
    ///
    /// - Parameter identifier: The identifier of the store, if several stores record their history.
    public func lastHistoryToken(of identifier: UUIDValue? = nil) throws -> HistoryToken {
        try recordingStore(identifier).store.lastHistoryToken()
    }

    /// Removes the transactions before that of a token from the history. The token remains valid, and earlier ones do
    /// not.
    public func purgeHistory(before token: HistoryToken) throws {
        try changeHistory(token.store) { try $0.purgeHistory(before: token) }
    }

    /// Removes the transactions that were saved before a time from the history. The last of them is kept, so that its
    /// token remains valid.
    ///
    /// - Parameters:
    ///   - time: The time.
    ///   - identifier: The identifier of the store, if several stores record their history.
    public func purgeHistory(before time: Timestamp, of identifier: UUIDValue? = nil) throws {
        try changeHistory(identifier) { try $0.purgeHistory(before: time) }
    }

    /// Removes a limited number of old changes from the history, so that other work can continue between two calls.
    ///
    /// A change counts once for all objects with consecutive IDs that have it. The last transaction is kept, so that its
    /// token remains valid.
    ///
    /// - Parameters:
    ///   - time: Transactions that were saved before it are removed.
    ///   - kept: The number of changes above which older transactions are removed, also after the time.
    ///   - limit: The number of changes to remove. One transaction is removed in any case.
    ///   - identifier: The identifier of the store, if several stores record their history.
    /// - Returns: Whether there is more to remove.
    /// - Throws: A ``StoreError``, or a ``FetchError`` if the limit is negative.
    public func purgeHistory(
        before time: Timestamp, keeping kept: Int, limit: Int, of identifier: UUIDValue? = nil
    ) throws -> Bool {
        try Self.check(limit: limit)
        var isMore = false
        try changeHistory(identifier) {
            isMore = try $0.purgeHistory(before: time, keeping: kept, limit: limit)
        }
        return isMore
    }

    private static func check(limit: Int?) throws {
        guard let limit, limit < 0 else { return }
        throw FetchError(.unsupported, "the limit \(limit) of a history is negative")
    }

    /// Begins to record the history of the coordinator's only store, unless it does so already.
    ///
    /// Unlike with ``StoreConfiguration/recordsHistory``, the store is open and stays open if this fails, for example
    /// because the disk is full.
    ///
    /// - Throws: A ``StoreError``. Its code is `noHistory` if the kind of the store has no history.
    public func beginHistory() throws {
        guard places.count == 1, let store = places[0].store as? any HistoryRecording else {
            throw StoreError(
                .noHistory, "the coordinator does not have one store that can record its history")
        }
        guard batch == nil else {
            throw StoreError(.misuse, "a history cannot begin inside of a batch; begin it afterwards")
        }
        abandonWriter()
        try store.beginHistory()
        updateCapabilities()
    }

    /// Ends the recording of the history of a store, and removes its history. No token of it is valid any more.
    ///
    /// - Parameter identifier: The identifier of the store, if several stores record their history.
    public func discardHistory(of identifier: UUIDValue? = nil) throws {
        try changeHistory(identifier) { try $0.discardHistory() }
        updateCapabilities()
    }

    private func changeHistory(
        _ identifier: UUIDValue?, _ body: (any HistoryRecording) throws -> Void
    ) throws {
        let (place, store) = try recordingStore(identifier)
        guard !store.isReadOnly else { throw StoreError.readOnly(store) }
        guard batch == nil else {
            throw StoreError(.misuse, "a history cannot be purged inside of a batch; do it afterwards")
        }
        abandonWriter()
        try store.begin()
        do {
            try body(store)
            try place.store.commit()
        } catch {
            store.rollback()
            throw error
        }
    }

    /// Returns the store with an identifier, or the only one that records its history.
    private func recordingStore(
        _ identifier: UUIDValue?
    ) throws -> (place: AddedStore, store: any HistoryRecording) {
        let recording = places.compactMap { place in place.recorder.map { (place, $0) } }
        if let identifier {
            guard let found = recording.first(where: { $0.0.store.metadata.identifier == identifier }) else {
                throw StoreError(
                    .noHistory, "the coordinator has no store \(identifier) that records its history")
            }
            return found
        }
        guard let only = recording.first else {
            throw StoreError(
                .noHistory, "no store of the coordinator records its history; add one with its history")
        }
        guard recording.count == 1 else {
            let names = recording.map { "\($0.0.name) (\($0.0.identifier))" }.joined(separator: ", ")
            throw StoreError(.misuse, "several stores record their history; name one of \(names)")
        }
        return only
    }
}

extension HistoryFilter {
    /// Creates a filter of the changes of a class.
    ///
    /// - Parameters:
    ///   - objectClass: The class of the objects whose changes are wanted. In a hierarchy, it is the root.
    ///   - author: The author of the transactions.
    public init(of objectClass: ManagedObject.Type, author: String? = nil) {
        self.init(entity: objectClass.entityName, author: author)
    }
}
