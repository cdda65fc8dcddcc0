/// A cursor of the server. The client has a limited number of rows at once, however many the query finds.
package final class PostgreSQLCursor {
    /// The number of rows in the first batch. Each further batch is twice as large.
    private static let firstBatch = 64
    private static let largestBatch = 1024

    private let connection: PostgreSQLConnection
    private let name: String
    private var batch: PostgreSQLResult?
    private var row = -1
    private var batchSize = firstBatch
    private var isAtEnd = false

    /// Opens a cursor.
    ///
    /// - Parameters:
    ///   - isHeld: Whether the cursor outlives its transaction. The server then makes a copy of all rows. Outside of a
    ///     transaction, every cursor has to be held.
    ///   - sql: A SELECT.
    package init(
        on connection: PostgreSQLConnection, isHeld: Bool, _ sql: String,
        _ parameters: PostgreSQLParameters = PostgreSQLParameters()
    ) throws(PostgreSQLError) {
        self.connection = connection
        name = "c\(connection.nextNumber())"
        let hold = isHeld ? " WITH HOLD" : ""
        _ = try connection.query("DECLARE \(name) NO SCROLL CURSOR\(hold) FOR \(sql)", parameters)
    }

    /// Returns the next row, or `nil` after the last row.
    package func next() throws(PostgreSQLError) -> PostgreSQLRow? {
        row += 1
        if let batch, row < batch.count { return batch[row] }
        guard !isAtEnd else { return nil }
        let next = try connection.query("FETCH \(batchSize) FROM \(name)")
        isAtEnd = next.count < batchSize
        batchSize = min(batchSize * 2, Self.largestBatch)
        (batch, row) = (next, 0)
        return next.count > 0 ? next[0] : nil
    }

    /// Closes the cursor. After an error, the end of the transaction closes it.
    package func close() {
        isAtEnd = true
        batch = nil
        guard !connection.isTransactionFailed else { return }
        _ = try? connection.execute("CLOSE \(name)")
    }
}
