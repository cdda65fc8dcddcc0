internal import ObjectStore
internal import PostgreSQLDriver

extension PostgreSQLStore {
    /// Runs `body` and converts an error of PostgreSQL to an error of the store.
    func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as PostgreSQLError {
            if !connection.isInTransaction { forgetTransaction() }
            throw try failure(error)
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
            let owner =
                switch reference.owner {
                case .object(let entity, let column): "\(entity.name).\(entity.columns[column].name)"
                case .pair(let name): "a pair of \(name)"
                }
            return StoreError(
                .danglingReference,
                "\(owner) refers to an object that does not exist; delete or change it first", path: name)
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
            case .connectionLost: (.unreachable, "the connection to the server was lost")
            case .readOnly: (.readOnly, "the server only allows reading; nothing was saved")
            case .full: (.full, "no space is left; nothing was saved, make room and save again")
            case .locked, .concurrent:
                (.locked, "another program is changing the same objects; nothing was saved, try again")
            case .notAllowed: (.unreachable, "the role may not use the store")
            case .missing:
                (.damaged, "a table of the store is missing")
            case .unique, .reference, .cancelled, .invalidValue, .longName, .other:
                (.other, "the database refused")
            }
        return StoreError(code, message, path: name, cause: error)
    }
}
