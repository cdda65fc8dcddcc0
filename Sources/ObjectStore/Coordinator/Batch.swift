/// The saves of a batch whose COMMITs are still to come.
@usableFromInline
final class Batch {
    /// Why the stores at these positions keep nothing of the batch.
    private(set) var failures: [Int: any Error] = [:]
    /// Why the batch's transaction could not be opened in the stores at these positions. Nothing was saved there that
    /// could be lost: each save was refused by itself.
    private var refusals: [Int: any Error] = [:]
    /// The positions of the stores in which the batch's own transaction is open: from the first write on.
    private var openPositions: Set<Int> = []
    /// The positions of the stores that the saves changed.
    private(set) var changedPositions: Set<Int> = []
    private var receipts: [SaveReceipt] = []
    /// All of it is kept or nothing, so nobody gets back what he had saved.
    let isTransaction: Bool

    init(isTransaction: Bool = false) { self.isTransaction = isTransaction }

    /// Whether nothing was asked of any store for it.
    var isUntouched: Bool {
        openPositions.isEmpty && failures.isEmpty && refusals.isEmpty && receipts.isEmpty
    }

    func add(_ receipt: SaveReceipt, savedAt positions: [Int]) {
        receipts.append(receipt)
        changedPositions.formUnion(positions)
    }

    /// Opens the batch's transaction in a store, once. When that fails it is not tried again: to find a store locked
    /// takes long.
    func open(_ place: StorePlace) throws {
        if let failure = failures[place.position] ?? refusals[place.position] { throw failure }
        guard !openPositions.contains(place.position) else { return }
        do {
            try place.store.begin()
            openPositions.insert(place.position)
        } catch {
            refusals[place.position] = error
            throw error
        }
    }

    func isOpen(_ place: StorePlace) -> Bool { openPositions.contains(place.position) }

    /// The COMMITs are done: everybody may be told of what was not lost.
    func succeed() {
        for receipt in receipts where !receipt.isEmpty { receipt.announce() }
    }

    /// Nothing was kept in that store: the contexts get back what they had saved there, as unsaved changes. Objects that
    /// any context read in the meantime may have values that were never saved.
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

    /// What a transaction saved is not kept: the contexts become as the stores are.
    func returnToStores() {
        var contexts: [ManagedObjectContext] = []
        for receipt in receipts where !contexts.contains(where: { $0 === receipt.context }) {
            contexts.append(receipt.context)
        }
        for context in contexts { context.returnToStores() }
    }
}

extension PersistentStoreCoordinator {
    /// Runs `body` with one COMMIT of each store at its end for all the saves in it.
    ///
    /// Each save succeeds or fails alone, as a savepoint; one that fails leaves the others as they are. What
    /// they saved is durable, and observers are told, only when the batch returns. An error of `body` is
    /// passed on after the COMMIT of what was saved before it. When a COMMIT itself fails, its store and those
    /// that were added after it keep nothing, and the contexts have those changes back, unsaved. If another
    /// store had changes and kept them, the error is a `PartialSaveError`. A batch in which nothing is written
    /// costs nothing.
    // Inlined, because a daemon has a batch around every few calls, most of which write nothing.
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

    /// Runs `body` with one COMMIT for all the saves in it, or keeps nothing of them: when `body` throws, or the COMMIT
    /// fails, the stores are as they were.
    ///
    /// Unlike a batch it holds no object that was saved, so it is for changes that are too large to be in memory at
    /// once: save now and then, and let go of what was saved. When nothing was kept, the contexts that saved are rolled
    /// back, and what they have in memory is read again. It cannot stand inside of a batch.
    ///
    /// With several stores a COMMIT that fails after another one has succeeded is a `PartialSaveError`.
    public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        precondition(batch == nil, "a transaction cannot stand inside of a batch")
        abandonWriter()
        let batch = Batch(isTransaction: true)
        self.batch = batch
        let result: Result
        do {
            result = try body()
        } catch {
            abandonWriter()
            for place in places where batch.isOpen(place) && place.store.transactionDepth > 0 {
                place.store.rollback()
            }
            self.batch = nil
            history.distrustObjects()
            batch.returnToStores()
            throw error
        }
        try end(batch)
        return result
    }

    /// Nil inside of another batch, which this one belongs to then.
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
            self.batch = nil
            if !batch.isTransaction { unusedBatch = batch }
            return
        }
        let failure = commit(batch, places.filter { batch.isOpen($0) })
        self.batch = nil
        batch.succeed()
        if let failure { throw failure }
    }

    /// Opens the batch's transactions now, in the stores that can be written: whoever is about to change something
    /// learns first that a store is locked.
    public func reserveStores() throws {
        guard let batch else { return }
        for place in places where !place.store.isReadOnly { try batch.open(place) }
    }

    /// Commits the stores in their order, up to the first that fails now or failed before.
    ///
    /// - Returns: why not all of them were saved.
    private func commit(_ batch: Batch, _ places: [StorePlace]) -> (any Error)? {
        for (count, place) in places.enumerated() {
            do {
                if let failure = batch.failures[place.position] { throw failure }
                try place.store.commit()
            } catch {
                for lost in places.dropFirst(count) {
                    if batch.isOpen(lost) { lost.store.rollback() }
                    batch.fail(error, at: lost.position)
                }
                let changed = { (places: ArraySlice<StorePlace>) in
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
