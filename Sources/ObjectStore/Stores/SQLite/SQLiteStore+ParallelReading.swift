internal import SQLiteDriver

extension SQLiteStore: ParallelReadable {
    public func readerOpening() -> (@Sendable () throws -> any StoreReader)? {
        guard openingError == nil, !isInMemory else { return nil }
        return { [path, model, damageRecord] in
            try damageRecord.refuseOpening()
            return try SQLiteStore(reading: path, model: model)
        }
    }
}

extension SQLiteStore: StoreReader {
    public func beginState() throws {
        // A transaction sees the state at its first read, so the first read is made now.
        do {
            try translating { try connection.execute("BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1") }
        } catch {
            endState()
            throw error
        }
    }

    public func endState() {
        guard connection.isInTransaction else { return }
        // Nothing was written, so a failure loses nothing.
        try? connection.execute("ROLLBACK")
    }

    public var interruption: @Sendable () -> Void { connection.interruption }
}
