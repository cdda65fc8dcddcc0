internal import SQLiteDriver

extension SQLiteStore: BackgroundWritable {
    /// Keeps the current state for this connection, and lets a background writer change the store.
    ///
    /// - Returns: the store for the background writer, or `nil` if no other connection can write to it.
    public func beginBackgroundWrite() throws -> (@Sendable () throws -> any PersistentStore)? {
        guard let lock, !isReadOnly, !isShared, openingError == nil else { return nil }
        hasBackgroundWriter = true
        do {
            // A transaction sees the state at its first read, so the first read is made now.
            try translating { try connection.execute("BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1") }
        } catch {
            endBackgroundWrite()
            throw error
        }
        return { [path, model, damageRecord] in
            try SQLiteStore(writing: path, model: model, lock: lock, damageRecord: damageRecord)
        }
    }

    /// Makes this connection see the state that is saved now.
    public func readSavedState() {
        endReadState()
        isMetadataOld = true
        // If this fails, the next change reads the metadata before it writes anything.
        try? readOldMetadata()
    }

    /// Reads the metadata if another connection may have changed it.
    func readOldMetadata() throws {
        guard isMetadataOld else { return }
        try translating { metadata = try SQLiteSchema.readMetadata(connection, path: path) }
        isMetadataOld = false
    }

    /// Ends the work of the background writer, so that this connection can write again.
    public func endBackgroundWrite() {
        endReadState()
        hasBackgroundWriter = false
    }

    private func endReadState() {
        guard hasBackgroundWriter, connection.isInTransaction else { return }
        // Nothing was written, so a failure loses nothing. After a failure, there is no transaction either.
        try? connection.execute("ROLLBACK")
    }
}
