internal import SQLiteDriver

extension SQLiteStore {
    /// Runs `body` and converts an error of SQLite to an error of the store.
    func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            if !connection.isInTransaction { transactionDepth = 0 }
            if let error = error.functionError { throw error }
            if error.isOfSearchTable(SearchTable.isName) { throw searchTableFailure(error) }
            let failure = Self.storeError(error, path: path)
            damageRecord.record(failure)
            throw failure
        }
    }

    /// Returns the error of the store for an error of SQLite.
    static func storeError(_ error: SQLiteError, path: String) -> StoreError {
        if error.kind == .damaged {
            return StoreError(
                .damaged, "the database is damaged; stop, keep a copy, and", restoring: "a backup",
                path: path, cause: error)
        }
        let (code, message): (StoreError.Code, String) =
            switch error.kind {
            case .unrecovered: (.unreachable, StoreError.halfChanged(path).message)
            case .full: (.full, "no space is left; nothing was saved, make room and save again")
            case .readOnly:
                (.readOnly, "the file cannot be written; nothing was saved, check its permissions")
            case .notADatabase: (.notADatabase, "the file is not a database; choose another path")
            case .cannotOpen:
                (.unreachable, "the database cannot be opened; check the directory and permissions")
            case .ioError: (.unreachable, "the disk failed to read or write; nothing was saved")
            case .busy:
                (
                    .locked,
                    "another program has locked the database, so nothing was saved; end its transaction and try again"
                )
            case .damaged, .constraint, .interrupted, .other: (.other, "the database refused")
            }
        return StoreError(code, message, path: path, cause: error)
    }
}
