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
    /// The rows after the batch, once they are all read.
    private var detached: PostgreSQLResult?

    /// Opens a cursor in the open transaction, which ends it.
    ///
    /// - Parameter sql: A SELECT.
    package init(
        on connection: PostgreSQLConnection, _ sql: String,
        _ parameters: PostgreSQLParameters = PostgreSQLParameters()
    ) throws(PostgreSQLError) {
        self.connection = connection
        name = "c\(connection.nextNumber())"
        _ = try connection.query("DECLARE \(name) NO SCROLL CURSOR FOR \(sql)", parameters)
    }

    /// Returns the next row, or `nil` after the last row.
    package func next() throws(PostgreSQLError) -> PostgreSQLRow? {
        row += 1
        if let batch, row < batch.count { return batch[row] }
        if let detached {
            (batch, row, self.detached) = (detached, 0, nil)
            return detached.count > 0 ? detached[0] : nil
        }
        guard !isAtEnd else { return nil }
        let next = try connection.query("FETCH \(batchSize) FROM \(name)")
        isAtEnd = next.count < batchSize
        batchSize = min(batchSize * 2, Self.largestBatch)
        (batch, row) = (next, 0)
        return next.count > 0 ? next[0] : nil
    }

    /// Reads all rows that are left into the memory of this program, so that the transaction can end.
    package func detach() throws(PostgreSQLError) {
        guard !isAtEnd else { return }
        let rest = try connection.query("FETCH ALL FROM \(name)")
        isAtEnd = true
        detached = rest
    }

    /// Closes the cursor. After an error, the end of the transaction closes it.
    package func close() {
        isAtEnd = true
        batch = nil
        guard !connection.isTransactionFailed else { return }
        _ = try? connection.execute("CLOSE \(name)")
    }
}
