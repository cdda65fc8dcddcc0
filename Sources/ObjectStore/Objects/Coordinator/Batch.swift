/// The saves of a batch that are not committed yet.
@usableFromInline
final class Batch {
    /// The errors that made stores discard the batch, by the positions of the stores.
    private(set) var failures: [Int: any Error] = [:]
    /// The errors from opening the batch's transaction, by the positions of the stores. No save is lost there,
    /// because each save was refused.
    private var refusals: [Int: any Error] = [:]
    /// The positions of the stores in which the batch's own transaction is open. It is opened before the first write.
    private var openPositions: [Int] = []
    /// The positions of the stores that the saves changed.
    private(set) var changedPositions: [Int] = []
    private var receipts: [SaveReceipt] = []
    /// Whether the batch keeps all changes or none. If it keeps none, contexts do not get their changes back as
    /// unsaved changes.
    let isTransaction: Bool
    /// The transaction around this one, or `nil` if there is none.
    let outer: Batch?

    init(isTransaction: Bool = false, inside outer: Batch? = nil) {
        self.isTransaction = isTransaction
        self.outer = outer
    }

    /// Whether the batch has not used any store.
    var isUntouched: Bool {
        openPositions.isEmpty && failures.isEmpty && refusals.isEmpty && receipts.isEmpty
    }

    func add(_ receipt: SaveReceipt, savedAt positions: [Int]) {
        receipts.append(receipt)
        changedPositions += positions.filter { !changedPositions.contains($0) }
    }

    /// Opens the batch's transaction in a store, unless it is open. A failure is not retried, because finding out
    /// that a store is locked takes long.
    func open(_ place: AddedStore) throws {
        if let failure = failures[place.position] ?? refusals[place.position] { throw failure }
        guard !openPositions.contains(place.position) else { return }
        try outer?.open(place)
        do {
            try place.begin()
            openPositions.append(place.position)
        } catch {
            refusals[place.position] = error
            throw error
        }
    }

    func isOpen(_ place: AddedStore) -> Bool { openPositions.contains(place.position) }

    /// Reports the saves to the observers after the COMMITs, except for those that were lost. Those inside another
    /// transaction are reported by it.
    func succeed() {
        if let outer {
            for receipt in receipts { outer.add(receipt, savedAt: changedPositions) }
            return
        }
        for receipt in receipts where !receipt.isEmpty { receipt.notifyObservers() }
    }

    /// Takes back the saves in a store that kept nothing. Except in a transaction, the contexts get them back as
    /// unsaved changes. All objects become doubtful, because they may have values that were never saved.
    func fail(_ error: any Error, at position: Int) {
        guard failures[position] == nil else { return }
        failures[position] = error
        receipts.first?.context.coordinator.history.distrustObjects()
        if isTransaction {
            returnToStores()
        } else {
            for receipt in receipts.reversed() { receipt.part { $0 == position }.restore() }
        }
        receipts = receipts.map { $0.part { $0 != position } }
    }

    /// Makes the contexts that saved match the stores again, because the stores did not keep the transaction.
    func returnToStores() {
        var contexts: [ManagedObjectContext] = []
        for receipt in receipts where !contexts.contains(where: { $0 === receipt.context }) {
            contexts.append(receipt.context)
        }
        for context in contexts { context.returnToStores() }
    }
}

extension PersistentStoreCoordinator {
    /// Runs `body` and commits all saves in it together, with one COMMIT per store.
    ///
    /// Each save succeeds or fails separately, as a savepoint. A failed save does not affect the others. The saves
    /// become durable, and observers are called, when the batch returns. If `body` throws, the saves before the error
    /// are committed, and the error is thrown again. A batch inside another batch is part of the outer one. A batch
    /// in which nothing is written costs nothing.
    ///
    /// If a COMMIT fails, its store and those that were added after it keep nothing. The contexts get these changes
    /// back as unsaved changes. If another store had changes and kept them, the error is a `PartialSaveError`.
    // Inlined, because a daemon runs a batch for every few calls, and most of them write nothing.
    @inlinable
    public func batch<Result>(_ body: () throws -> Result) throws -> Result {
        guard let batch = try beginBatch() else { return try body() }
        let result: Result
        do {
            result = try body()
        } catch {
            try end(batch)
            throw error
        }
        try end(batch)
        return result
    }

    /// Runs `body` and commits all saves in it together, or keeps none of them.
    ///
    /// If `body` throws or the COMMIT fails, the stores do not change. The contexts that saved are rolled back, and
    /// read their objects in memory again. With several stores, a COMMIT that fails after another one has succeeded
    /// throws a `PartialSaveError`.
    ///
    /// Unlike a batch, a transaction does not keep saved objects alive. Use it for changes that are too large for
    /// memory: save from time to time, and release the saved objects.
    ///
    /// A transaction inside another one, such as a write of a ``PersistentContainer``, is a savepoint: if `body` throws,
    /// only its own saves are lost. What it saves is durable, and observers are called, when the outermost transaction
    /// returns.
    ///
    /// - Throws: The error of `body` or of the COMMIT, or a ``StoreError`` of the code `misuse` inside a batch.
    public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        guard batch?.isTransaction != false else {
            throw StoreError(
                .misuse, "a transaction cannot begin inside of a batch; begin it before, and the batch in it")
        }
        abandonWriter()
        let batch = Batch(isTransaction: true, inside: batch)
        self.batch = batch
        let result: Result
        do {
            result = try body()
        } catch {
            abandonWriter()
            for place in places
            where batch.isOpen(place) && batch.failures[place.position] == nil
                && place.store.transactionDepth > 0
            {
                place.store.rollback()
            }
            self.batch = batch.outer
            history.distrustObjects()
            batch.returnToStores()
            reportToLiveResults(.discarded)
            reportToLiveResults(.settled)
            throw error
        }
        try end(batch)
        return result
    }

    /// Returns the batch to end, or `nil` inside another batch, which then includes this one.
    @usableFromInline
    func beginBatch() throws -> Batch? {
        guard batch == nil else { return nil }
        abandonWriter()
        _ = try store(at: 0)
        let batch = unusedBatch ?? Batch()
        unusedBatch = nil
        self.batch = batch
        return batch
    }

    @usableFromInline
    func end(_ batch: Batch) throws {
        abandonWriter()
        if batch.isUntouched {
            self.batch = batch.outer
            if !batch.isTransaction { unusedBatch = batch }
            reportToLiveResults(.settled)
            return
        }
        let failure = commit(batch, places.filter { batch.isOpen($0) })
        self.batch = batch.outer
        batch.succeed()
        if !batch.failures.isEmpty { reportToLiveResults(.discarded) }
        reportToLiveResults(.settled)
        if let failure { throw failure }
    }

    /// Opens the batch's transactions in all writable stores, so that a locked store is found before anything is
    /// changed. Does nothing outside a batch.
    public func reserveStores() throws {
        guard let batch else { return }
        for place in places where !place.store.isReadOnly { try batch.open(place) }
    }

    /// Commits the stores in their order, up to the first that fails now or failed before.
    ///
    /// - Returns: The reason why not all stores were saved, or `nil` if all were.
    private func commit(_ batch: Batch, _ places: [AddedStore]) -> (any Error)? {
        for (count, place) in places.enumerated() {
            do {
                if let failure = batch.failures[place.position] { throw failure }
                try place.store.commit()
            } catch {
                for lost in places.dropFirst(count) {
                    if batch.isOpen(lost) { lost.store.rollback() }
                    batch.fail(error, at: lost.position)
                }
                let changed = { (places: ArraySlice<AddedStore>) in
                    places.filter { batch.changedPositions.contains($0.position) }.map(\.name)
                }
                let saved = changed(places.prefix(count))
                if saved.isEmpty { return error }
                return PartialSaveError(
                    saved: saved, unsaved: changed(places.dropFirst(count)), cause: error)
            }
        }
        return nil
    }
}
