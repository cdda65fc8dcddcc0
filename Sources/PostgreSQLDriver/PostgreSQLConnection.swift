internal import CPostgreSQL

/// A connection to a PostgreSQL server, used by one queue at a time.
///
/// The type is not `Sendable`: the compiler prevents a connection and its results from crossing threads.
package final class PostgreSQLConnection {
    /// The oldest supported version, 13: it is the first with transaction IDs of 64 bits.
    private static let oldestVersion: Int32 = 130_000
    /// The seconds to wait for each host, unless the connection string says something else.
    private static let connectTimeout = "10"

    private let handle: OpaquePointer
    private var isOpen = true
    private var isDropped = false
    private var lastNumber = 0
    /// The names of prepared statements that are no longer used, but that the server still has.
    private var unusedStatements: [String] = []
    /// The number of times that the connection was made again.
    package private(set) var generation = 0

    /// Connects to a server.
    ///
    /// - Parameters:
    ///   - connection: A connection string of libpq, such as `service=todod`, or a URI.
    ///   - program: The name of this program in `pg_stat_activity`.
    package init(_ connection: String, program: String) throws(PostgreSQLError) {
        // Later keywords override earlier ones, and those of the connection string are at the position of `dbname`.
        let options: KeyValuePairs = [
            "connect_timeout": Self.connectTimeout, "fallback_application_name": program,
            "dbname": connection, "client_encoding": "UTF8",
        ]
        let made = Self.withPointers(options.map(\.key)) { keywords in
            Self.withPointers(options.map(\.value)) { values in PQconnectdbParams(keywords, values, 1) }
        }
        guard let made else { throw PostgreSQLError(.cannotConnect, "no memory is left") }
        guard PQstatus(made) == CONNECTION_OK else {
            let message = Self.message(of: made)
            PQfinish(made)
            throw PostgreSQLError(PostgreSQLError.kind(ofFailedConnection: message), message)
        }
        handle = made
        // The default prints warnings to standard error.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        let version = PQserverVersion(handle)
        guard version >= Self.oldestVersion else {
            throw PostgreSQLError(
                .tooOld,
                "the server has version \(version / 10_000); upgrade it to \(Self.oldestVersion / 10_000) or later"
            )
        }
    }

    deinit {
        close()
        PQfinish(handle)
    }

    /// Ends the session. All later calls throw.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        // Without a message, the server would notice the end of the connection at some later time.
        PQclear(PQexec(handle, "SELECT pg_catalog.pg_advisory_unlock_all()"))
    }

    /// Makes all calls fail as if the connection were lost, until `reconnect` succeeds.
    package func drop() { isDropped = true }

    /// Connects again after the connection was lost, to the first of the hosts that accepts it.
    ///
    /// The session is a new one: it has no prepared statements, locks, settings or notifications of the former one.
    package func reconnect() throws(PostgreSQLError) {
        isDropped = false
        try requireOpen("CONNECT")
        PQreset(handle)
        unusedStatements = []
        generation += 1
        guard !isLost else {
            let message = Self.message(of: handle)
            throw PostgreSQLError(PostgreSQLError.kind(ofFailedConnection: message), message)
        }
    }

    private static func withPointers<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        var bytes: [CChar] = []
        var offsets: [Int] = []
        for text in texts {
            offsets.append(bytes.count)
            bytes += text.utf8CString
        }
        return bytes.withUnsafeBufferPointer { memory in
            let pointers = offsets.map { offset in memory.baseAddress.map { $0 + offset } } + [nil]
            return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
        }
    }

    private static func message(of handle: OpaquePointer) -> String {
        let text = String(cString: PQerrorMessage(handle))
        return text.split(separator: "\n").joined(separator: " ")
    }

    // MARK: - State

    /// Whether a transaction is open. It may have failed.
    package var isInTransaction: Bool {
        isOpen && [PQTRANS_INTRANS, PQTRANS_INERROR].contains(PQtransactionStatus(handle))
    }

    /// Whether a statement of the open transaction has failed, so that it can only be rolled back.
    package var isTransactionFailed: Bool { isOpen && PQtransactionStatus(handle) == PQTRANS_INERROR }

    /// Whether the connection was lost.
    package var isLost: Bool { PQstatus(handle) == CONNECTION_BAD }

    /// The number of the process of the server that serves the connection.
    package var serverProcess: Int64 { Int64(PQbackendPID(handle)) }

    /// A text that names the server and the database, for messages. It has no password.
    package var place: String {
        let database = String(cString: PQdb(handle))
        let host = PQhost(handle).map { String(cString: $0) } ?? ""
        return host.isEmpty ? database : "\(database) on \(host)"
    }

    /// Returns a number that no other call on this connection has returned, for names.
    package func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// A function that cancels the running statement, which then throws an error of the kind `cancelled`. Any thread may call
    /// it. It makes a connection of its own, so it may block.
    package var interruption: @Sendable () -> Void {
        let cancellation = Cancellation(handle)
        return { cancellation.run() }
    }

    /// `@unchecked Sendable`: libpq allows `PQcancel` on any thread.
    private final class Cancellation: @unchecked Sendable {
        private static let messageSize: Int32 = 256
        private let handle: OpaquePointer?

        init(_ connection: OpaquePointer) {
            handle = PQgetCancel(connection)
        }

        deinit { PQfreeCancel(handle) }

        func run() {
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(Self.messageSize)) { message in
                _ = PQcancel(handle, message.baseAddress, Self.messageSize)
            }
        }
    }

    // MARK: - Notifications

    /// Reads the notifications that have arrived without waiting, and returns the number of those that other connections sent.
    package func takeNotifications() throws(PostgreSQLError) -> Int {
        try requireOpen("LISTEN")
        guard PQconsumeInput(handle) == 1 else {
            throw PostgreSQLError(.connectionLost, Self.message(of: handle))
        }
        var count = 0
        while let notification = PQnotifies(handle) {
            if notification.pointee.be_pid != PQbackendPID(handle) { count += 1 }
            PQfreemem(notification)
        }
        return count
    }

    // MARK: - Statements

    /// Executes statements without parameters and ignores their rows.
    package func execute(_ sql: String) throws(PostgreSQLError) {
        _ = try texts(sql)
    }

    /// Executes statements without parameters and returns the rows of the last one, whose columns are texts.
    package func texts(_ sql: String) throws(PostgreSQLError) -> PostgreSQLResult {
        try requireOpen(sql)
        return try result(PQexec(handle, sql), sql: sql)
    }

    /// Executes one statement that is not prepared, and returns its rows.
    package func query(
        _ sql: String, _ parameters: PostgreSQLParameters = PostgreSQLParameters()
    ) throws(PostgreSQLError) -> PostgreSQLResult {
        try requireOpen(sql)
        let types = parameters.types.map(\.oid)
        let executed = parameters.withPointers { values, lengths, formats in
            PQexecParams(handle, sql, Int32(parameters.count), types, values, lengths, formats, 1)
        }
        return try result(executed, sql: sql)
    }

    /// Prepares a statement for parameters of these types.
    package func prepare(
        _ sql: String, _ types: [PostgreSQLType] = []
    ) throws(PostgreSQLError) -> PostgreSQLStatement {
        try requireOpen(sql)
        try discardUnusedStatements()
        let name = "s\(nextNumber())"
        _ = try result(PQprepare(handle, name, sql, Int32(types.count), types.map(\.oid)), sql: sql)
        return PostgreSQLStatement(name: name, sql: sql, connection: self)
    }

    func execute(
        _ statement: PostgreSQLStatement, _ parameters: PostgreSQLParameters
    ) throws(PostgreSQLError) -> PostgreSQLResult {
        try requireOpen(statement.sql)
        let executed = parameters.withPointers { values, lengths, formats in
            PQexecPrepared(
                handle, statement.name, Int32(parameters.count), values, lengths, formats, 1)
        }
        return try result(executed, sql: statement.sql)
    }

    /// Lets the server forget a prepared statement before the next one is prepared.
    func discard(_ name: String, generation: Int) {
        if isOpen, generation == self.generation { unusedStatements.append(name) }
    }

    private func discardUnusedStatements() throws(PostgreSQLError) {
        guard !unusedStatements.isEmpty, !isTransactionFailed else { return }
        let names = unusedStatements
        unusedStatements = []
        try execute(names.map { "DEALLOCATE \($0)" }.joined(separator: "; "))
    }

    private func requireOpen(_ sql: String) throws(PostgreSQLError) {
        guard isOpen else { throw PostgreSQLError(.connectionLost, "the connection is closed", sql: sql) }
        guard !isDropped else {
            throw PostgreSQLError(.connectionLost, "the session could not be restored", sql: sql)
        }
    }

    // MARK: - Errors

    private func result(_ made: OpaquePointer?, sql: String) throws(PostgreSQLError) -> PostgreSQLResult {
        // The statement could not be sent.
        guard let made else { throw PostgreSQLError(.connectionLost, Self.message(of: handle), sql: sql) }
        let status = PQresultStatus(made)
        if status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK { return PostgreSQLResult(made) }
        defer { PQclear(made) }
        func field(_ letter: Unicode.Scalar) -> String? {
            PQresultErrorField(made, Int32(letter.value)).map { String(cString: $0) }
        }
        let state = field("C")
        // libpq itself reports failures of the connection, without a SQLSTATE.
        let kind = isLost ? .connectionLost : state.map(PostgreSQLError.kind(ofState:)) ?? .connectionLost
        throw PostgreSQLError(
            kind, field("M") ?? Self.message(of: handle), state: state, detail: field("D"),
            constraint: field("n"), sql: sql)
    }
}
