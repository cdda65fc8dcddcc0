internal import ObjectStore
internal import PostgreSQLDriver

/// A transaction on a connection of its own that reads the state that is saved at its beginning.
final class SavedState {
    private let reader: RowReader
    /// The store in messages.
    private let name: String

    init(of store: PostgreSQLStore) throws {
        name = store.name
        let connection = try PostgreSQLConnection(store.place.connection, program: "ObjectStore reader")
        reader = RowReader(connection, store.layout)
        let schema = StoreSchema(on: connection, place: store.place)
        try schema.beginSession()
        // The lock lets a migration wait for the end of the transaction. Unlike a read, it does not choose the state that the
        // transaction sees.
        try connection.execute(
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; LOCK TABLE \"_metadata\" IN ACCESS SHARE MODE")
        let found = try schema.readMetadata()
        guard found.versionHash == store.metadata.versionHash else {
            throw found.migratedError(store.model, path: name)
        }
    }

    func cursor(_ query: StoreQuery) throws -> SavedStateCursor {
        try translating { SavedStateCursor(try reader.cursor(query), of: self) }
    }

    /// Returns the pairs of a many-to-many relationship, sorted.
    func pairs(_ link: Entity.Link) throws -> SavedStateCursor {
        try translating { SavedStateCursor(try reader.pairs(link), of: self) }
    }

    fileprivate func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as PostgreSQLError {
            throw PostgreSQLStore.storeError(error, name: name)
        }
    }

    fileprivate var interruption: @Sendable () -> Void { reader.connection.interruption }
}

/// A cursor in a saved state, which it keeps open.
final class SavedStateCursor: StoreCursor {
    let state: SavedState
    private let cursor: any StoreCursor

    init(_ cursor: any StoreCursor, of state: SavedState) {
        self.cursor = cursor
        self.state = state
    }

    func next() throws -> [AttributeValue]? {
        try state.translating { try cursor.next() }
    }

    func nextInPlace() throws -> (any StoreRow)? {
        try state.translating { try cursor.nextInPlace() }
    }

    var interruption: @Sendable () -> Void { state.interruption }
}
