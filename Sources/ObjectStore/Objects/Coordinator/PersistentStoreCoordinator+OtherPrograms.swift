extension PersistentStoreCoordinator {
    /// Reports the saves of other programs to the observers, and reads the objects that they changed again.
    ///
    /// Contexts see such saves in their next fetch without this call, which finds out which objects changed and who
    /// changed them. It costs very little if no other program has saved, so a program may call it often. It works for a
    /// shared store, and for a store that was added read-only and records its history.
    ///
    /// An object with unsaved changes keeps its values. A save of it reports the conflict.
    ///
    /// - Parameter contexts: The contexts whose objects are read again and whose observers are notified.
    /// - Returns: The transactions of other programs since the last call, or since the store was added.
    /// - Throws: A ``StoreError``. Its code is `historyLost` if other programs have purged some of these transactions, or if a
    ///   database server may have lost saves, for example in a failover. The contexts are up to date, but observers do not get
    ///   these changes.
    @discardableResult
    public func mergeSavesOfOtherPrograms(
        into contexts: [ManagedObjectContext] = []
    ) throws -> [HistoryTransaction] {
        guard batch == nil else {
            throw StoreError(
                .misuse, "saves of other programs cannot be merged inside of a batch; do it afterwards")
        }
        noticeOtherPrograms()
        var saves: [HistoryTransaction] = []
        var incomplete: AddedStore?
        for place in places where place.reported != place.noticed {
            if let (transactions, last) = try place.recorder?.savesOfOthers(after: place.reported) {
                saves += transactions.map { $0.inStore(place.objectIdentifier) }
                place.reported = last
            } else {
                incomplete = place
                place.reported = place.noticed
            }
        }
        for context in contexts { context.refreshReadable(onlyOutdated: true) }
        for save in saves {
            let changes = SavedChanges(save)
            for context in contexts { context.observers.notify(.merged(changes)) }
            observers.notify(changes)
            reportToLiveResults(.saved(changes, by: nil, isDirect: true))
        }
        if incomplete != nil { reportToLiveResults(.discarded) }
        if !saves.isEmpty || incomplete != nil { reportToLiveResults(.settled) }
        guard let incomplete else { return saves }
        throw StoreError(
            .historyLost,
            "some saves of other programs are not in the history any more; read all objects again",
            path: incomplete.name)
    }
}
