/// The saves of a batch whose COMMIT is still to come.
final class Batch {
    /// Set when the store gave up the whole transaction: then nothing of the batch is kept.
    private(set) var failure: (any Error)?
    /// Whether the batch's own transaction is open: from the first write on.
    private(set) var isOpen = false
    private var receipts: [SaveReceipt] = []

    func add(_ receipt: SaveReceipt) {
        receipts.append(receipt)
    }

    /// Opens the transaction, once. When that fails it is not tried again: to find a store locked takes long.
    func open(_ store: any PersistentStore) throws {
        if let failure { throw failure }
        guard !isOpen else { return }
        do {
            try store.begin()
            isOpen = true
        } catch {
            fail(error)
            throw error
        }
    }

    /// The COMMIT is done: everybody may be told.
    func succeed() {
        for receipt in receipts { receipt.announce() }
    }

    /// Nothing was kept: the contexts get back what they had saved, as unsaved changes.
    func fail(_ error: any Error) {
        guard failure == nil else { return }
        failure = error
        for receipt in receipts.reversed() { receipt.restore() }
        receipts = []
    }
}

extension PersistentStoreCoordinator {
    /// Runs `body` with one COMMIT at its end for all the saves in it.
    ///
    /// Each save succeeds or fails alone, as a savepoint; one that fails leaves the others as they are. What
    /// they saved is durable, and observers are told, only when the batch returns. An error of `body` is
    /// passed on after the COMMIT of what was saved before it. When the COMMIT itself fails, nothing is
    /// kept, and the contexts have their changes back, unsaved. A batch in which nothing is written costs nothing.
    public func batch<Result>(_ body: () throws -> Result) throws -> Result {
        guard self.batch == nil else { return try body() }
        abandonWriter()
        let store = try openStore()
        let batch = Batch()
        self.batch = batch
        defer { self.batch = nil }
        let outcome = Swift.Result { try body() }
        abandonWriter()
        if batch.failure == nil, batch.isOpen {
            do {
                try store.commit()
            } catch {
                store.rollback()
                batch.fail(error)
            }
        }
        if let failure = batch.failure { throw failure }
        self.batch = nil
        batch.succeed()
        return try outcome.get()
    }
}
