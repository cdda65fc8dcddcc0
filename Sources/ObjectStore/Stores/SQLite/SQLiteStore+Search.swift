internal import SQLiteDriver

// A search table that is damaged or missing is no damage to the store: reads go on without it, and the next transaction makes
// it again.

extension SQLiteStore {
    /// Returns the error for a search table that is damaged or missing. From now on, searches do not use the tables.
    func searchTableFailure(_ error: SQLiteError) -> StoreError {
        isSearchTableLost = true
        useSearchTables(false)
        return StoreError(
            .searchIndex,
            "a search index is damaged or missing, but no object is; nothing was saved, try again, which makes the index again",
            path: path, cause: error)
    }

    private func useSearchTables(_ isPossible: Bool) {
        hasSearchTables = isPossible
        translations = TranslationCache(model: model, hasSearchTables: isPossible)
    }

    /// Makes the search tables again if one of them was found damaged or missing. No transaction is open.
    func renewSearchTables() throws {
        guard isSearchTableLost else { return }
        // A failure is that of this save only.
        isSearchTableLost = false
        do {
            try translating {
                try connection.execute("BEGIN IMMEDIATE")
                try SQLiteSchema.dropSearchTables(connection)
                try SQLiteSchema.updateIndexes(connection, model: model)
                try connection.execute("COMMIT")
            }
            useSearchTables(true)
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            isSearchTableLost = true
            throw error
        }
    }

    /// Runs a read again without search tables if one of them is damaged or missing.
    ///
    /// - Parameter isBegun: whether the read has given a row to the program.
    func searching<Result>(_ body: (_ isBegun: inout Bool) throws -> Result) throws -> Result {
        var isBegun = false
        let hadSearchTables = hasSearchTables
        do {
            return try body(&isBegun)
        } catch let error as StoreError where error.code == .searchIndex && hadSearchTables && !isBegun {
            return try body(&isBegun)
        }
    }
}
