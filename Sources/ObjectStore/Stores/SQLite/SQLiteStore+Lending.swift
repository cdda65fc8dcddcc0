internal import SQLiteDriver

extension SQLiteStore {
    /// Keeps the present state for this connection, and lets somebody else write. Nil where no other connection can.
    func lend() throws -> LentStore? {
        guard let lock, !isReadOnly, openingError == nil else { return nil }
        isLent = true
        do {
            // A transaction sees the state of its first read, so that is made now.
            try translating { try connection.execute("BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1") }
        } catch {
            takeBack()
            throw error
        }
        return LentStore(path: path, model: model, lock: lock, damageRecord: damageRecord)
    }

    /// Has this connection see what is saved by now.
    func seePresentState() {
        endKeptState()
        isMetadataOld = true
        // If it fails, the next change reads it before anything is written.
        try? readOldMetadata()
    }

    /// Reads the metadata if another connection may have changed them.
    func readOldMetadata() throws {
        guard isMetadataOld else { return }
        try translating { metadata = try SQLiteSchema.readMetadata(connection, path: path) }
        isMetadataOld = false
    }

    /// Lets this connection write again.
    func takeBack() {
        endKeptState()
        isLent = false
    }

    private func endKeptState() {
        guard isLent, connection.isInTransaction else { return }
        // Nothing was written, so nothing is lost when it fails; and then there is no transaction either.
        try? connection.execute("ROLLBACK")
    }
}
