internal import ObjectStore
internal import PostgreSQLDriver

/// A transaction on a connection of its own that reads the state that is saved at its beginning.
final class SavedState {
    private let reader: RowReader
    /// The store in messages.
    private let name: String

    init(_ place: StorePlace, _ layout: Layout, name: String) throws {
        let connection = try PostgreSQLConnection(place.connection, program: "ObjectStore reader")
        // The transaction sees the state at its first read, so the first read is made now.
        try connection.execute(
            "SET search_path TO \(PostgreSQLName.quoted(place.schema)); SET jit TO off; "
                + "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1 FROM \"_metadata\" LIMIT 1")
        reader = RowReader(connection, layout)
        self.name = name
    }

    func cursor(_ query: StoreQuery) throws -> SavedStateCursor {
        SavedStateCursor(try reader.cursor(query), of: self)
    }

    /// Returns the pairs of a many-to-many relationship, sorted.
    func pairs(_ link: Entity.Link) throws -> SavedStateCursor {
        SavedStateCursor(try reader.pairs(link), of: self)
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
