internal import ObjectStore
internal import PostgreSQLDriver

extension PostgreSQLStore {
    /// Runs `body` and converts an error of PostgreSQL to an error of the store.
    func translating<Result>(_ body: () throws -> Result) throws -> Result {
        if let damage { throw damage }
        do {
            return try body()
        } catch let error as PostgreSQLError {
            if !isInMigration, !connection.isInTransaction {
                // The tables of another model may lack what the statement names.
                if error.kind == .missing { try requireModel() }
                if transactionDepth > 0 { transactionFailure = try failure(error) }
                forgetTransaction()
            }
            throw try failure(error)
        }
    }

    /// Runs `body`, which reads. Outside of a transaction, it runs again on a new connection if the connection was lost.
    func reading<Result>(_ body: () throws -> Result) throws -> Result {
        try translating {
            let isRepeatable = transactionDepth == 0 && !isInMigration
            do {
                return try body()
            } catch let error as PostgreSQLError {
                guard isRepeatable, [.connectionLost, .cannotConnect].contains(error.kind) else {
                    throw error
                }
                try reconnect()
                return try body()
            }
        }
    }

    /// Runs `body`, which reads rows and passes them on. It runs again on a new connection if the connection was lost before
    /// the first row.
    ///
    /// - Parameter body: Calls its argument before it passes a row on.
    func readingRows(_ body: (_ willPassRow: () -> Void) throws -> Void) throws {
        var hasPassedRow = false
        try reading {
            do {
                try body { hasPassedRow = true }
            } catch let error as PostgreSQLError {
                guard hasPassedRow, error.kind == .connectionLost else { throw error }
                throw Self.storeError(error, name: name)
            }
        }
    }

    /// Runs `body` and converts an error of PostgreSQL to an error of the store with a name.
    static func translating<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as PostgreSQLError {
            throw storeError(error, name: name)
        }
    }

    /// Forgets the open levels after the server has ended the transaction.
    func forgetTransaction() {
        transactionDepth = 0
        versions.rollbackAll()
        deletedIDs = []
    }

    private func failure(_ error: PostgreSQLError) throws -> any Error {
        guard let constraint = error.constraint else { return Self.storeError(error, name: name) }
        if error.kind == .reference, let reference = try references.reference(ofConstraint: constraint) {
            return StoreError(
                .danglingReference,
                "\(reference.owner.description) refers to an object that does not exist; delete or change it first",
                path: name)
        }
        for table in layout.tables where error.kind == .unique {
            for unique in try UniqueConstraint.all(of: table) where unique.name == constraint {
                return ValidationError([.init(of: table.entity, notUnique: unique.rule.columns)])
            }
        }
        return Self.storeError(error, name: name)
    }

    /// Returns the error of the store for an error of PostgreSQL.
    static func storeError(_ error: PostgreSQLError, name: String) -> StoreError {
        let (code, message): (StoreError.Code, String) =
            switch error.kind {
            case .cannotConnect, .authentication, .tooManyConnections, .tooOld:
                (.unreachable, "the server cannot be reached")
            case .connectionLost:
                (.unreachable, "the connection to the server was lost; nothing was saved, try again")
            case .readOnly: (.readOnly, "the server only allows reading; nothing was saved")
            case .full: (.full, "no space is left; nothing was saved, make room and save again")
            case .locked, .concurrent:
                (.locked, "another program is changing the same objects; nothing was saved, try again")
            case .notAllowed: (.unreachable, "the role may not use the store")
            case .missing:
                (.damaged, "a table or a column of the store is missing")
            case .unique, .reference, .cancelled, .invalidValue, .longName, .other:
                (.other, "the database refused")
            }
        return StoreError(code, message, path: name, cause: error)
    }
}
