import Foundation
import PostgreSQLDriver
import TestServers
import Testing

@Suite struct PostgreSQLConnectionTests {
    private func connect() throws -> PostgreSQLConnection {
        try PostgreSQLConnection(PostgreSQLServer.sharedConnection, program: "tests")
    }

    private func parameters(
        _ fill: (inout PostgreSQLParameters) throws -> Void
    ) rethrows -> PostgreSQLParameters {
        var parameters = PostgreSQLParameters()
        try fill(&parameters)
        return parameters
    }

    // MARK: - Values

    @Test func parametersAreReadBack() throws {
        let parameters = try parameters {
            $0.append(Int64.min)
            $0.append(-0.5)
            try $0.append("\u{1}é🦉")
            try $0.append("")
            $0.append([0, 255])
            $0.append([UInt8]())
            $0.append(true)
            $0.append(uuid: (1, .max))
            try $0.append(numeric: "-12.5")
            $0.appendNull(.text)
        }
        let row = try connect().query("SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10", parameters)
        #expect(row.count == 1)
        #expect(row[0].integer(0) == .min)
        #expect(row[0].real(1) == -0.5)
        #expect(row[0].text(2) == "\u{1}é🦉")
        #expect(row[0].text(3) == "")
        #expect(row[0].blob(4) == [0, 255])
        #expect(row[0].blob(5) == [])
        #expect(row[0].boolean(6))
        #expect(row[0].uuid(7).map { [$0.high, $0.low] } == [1, .max])
        #expect(row[0].numeric(8) == "-12.5")
        #expect((0..<10).map { row[0].isNull($0) } == Array(repeating: false, count: 9) + [true])
        #expect(row[0].text(9) == nil && row[0].uuid(9) == nil && row[0].numeric(9) == nil)
    }

    @Test(arguments: [
        "0", "1", "-1", "0.1", "-0.001", "9999", "10000", "10001.0001", "1.50", "100000000000000000000.1",
        "0.00000000000000000001", "123456789012345678901234567890", "-99999999.99999999", "0.00",
    ])
    func numberKeepsItsDigits(_ text: String) throws {
        let parameters = try parameters { try $0.append(numeric: text) }
        let row = try connect().query("SELECT $1, $1::text", parameters)
        #expect(row[0].numeric(0) == text)
        #expect(row[0].text(1) == text)
    }

    @Test(arguments: ["", "x", "1.5e3", ".", "1.x", "NaN", "١"])
    func textThatIsNoNumberIsRefused(_ text: String) throws {
        let error = #expect(throws: PostgreSQLError.self) {
            try parameters { try $0.append(numeric: text) }
        }
        #expect(error?.kind == .invalidValue)
    }

    @Test func numberWithTooManyDigitsIsRefused() throws {
        for text in [String(repeating: "1", count: 131_073), "0." + String(repeating: "1", count: 16_384)] {
            let error = #expect(throws: PostgreSQLError.self) {
                try parameters { try $0.append(numeric: text) }
            }
            #expect(error?.kind == .invalidValue)
            #expect(error?.message.contains("too many digits") == true)
        }
    }

    @Test func specialNumbersOfServerHaveNoText() throws {
        let row = try connect().query("SELECT 'NaN'::numeric, 'Infinity'::numeric")
        #expect(row[0].numeric(0) == nil && row[0].numeric(1) == nil)
    }

    @Test func arraysAreExpandedInOrder() throws {
        var (numbers, texts) = (PostgreSQLArray(of: .integer), PostgreSQLArray(of: .text))
        for number in [3, -1, 2] as [Int64] { numbers.append(number) }
        try texts.append("a")
        texts.appendNull()
        try texts.append("")
        let parameters = parameters {
            $0.append(numbers)
            $0.append(texts)
        }
        let rows = try connect().query("SELECT * FROM unnest($1::bigint[], $2::text[])", parameters)
        #expect((0..<3).map { rows[$0].integer(0) } == [3, -1, 2])
        #expect((0..<3).map { rows[$0].text(1) } == ["a", nil, ""])
    }

    @Test func emptyArrayHasNoRows() throws {
        let parameters = parameters { $0.append(PostgreSQLArray(of: .numeric)) }
        #expect(try connect().query("SELECT * FROM unnest($1::numeric[])", parameters).count == 0)
    }

    @Test func textWithNULIsRefused() throws {
        let error = #expect(throws: PostgreSQLError.self) { try parameters { try $0.append("a\u{0}b") } }
        #expect(error?.kind == .invalidValue)
        #expect(error?.message.contains("U+0000") == true)
    }

    // MARK: - Names

    @Test func nameIsQuoted() throws {
        #expect(try PostgreSQLName.quoted("due\"Date") == "\"due\"\"Date\"")
        #expect(try PostgreSQLName.quoted(String(repeating: "é", count: 31)).utf8.count == 64)
    }

    @Test(arguments: [String(repeating: "é", count: 32), "", "a\u{0}"])
    func nameThatServerWouldCutIsRefused(_ name: String) {
        let error = #expect(throws: PostgreSQLError.self) { try PostgreSQLName.quoted(name) }
        #expect(error?.kind == .longName)
    }

    // MARK: - Statements

    @Test func preparedStatementIsRunAgain() throws {
        let connection = try connect()
        let statement = try connection.prepare("SELECT $1 + 1", [.integer])
        for number in [1, 41] as [Int64] {
            let row = try statement.run(parameters { $0.append(number) })
            #expect(row[0].integer(0) == number + 1)
        }
    }

    @Test func releasedStatementsAreForgottenByServer() throws {
        let connection = try connect()
        for number in 1...20 { try connection.prepare("SELECT \(number)").run() }
        let last = try connection.prepare("SELECT count(*) FROM pg_prepared_statements")
        #expect(try last.run()[0].integer(0) == 1)
    }

    @Test func statementCanBePreparedAfterFailedTransaction() throws {
        let connection = try connect()
        try connection.prepare("SELECT 1").run()
        try connection.execute("BEGIN")
        #expect(throws: PostgreSQLError.self) { try connection.execute("SELECT 1 / 0") }
        #expect(connection.isInTransaction && connection.isTransactionFailed)
        #expect(throws: PostgreSQLError.self) { try connection.prepare("SELECT 2") }
        try connection.execute("ROLLBACK")
        #expect(!connection.isInTransaction)
        #expect(try connection.prepare("SELECT 2").run().count == 1)
    }

    @Test func changedRowsAreCounted() throws {
        let connection = try connect()
        try connection.execute("CREATE TEMP TABLE t (n int)")
        #expect(try connection.query("INSERT INTO t VALUES (1), (2)").changedRows == 2)
        #expect(try connection.query("DELETE FROM t WHERE n = 2").changedRows == 1)
    }

    // MARK: - Cursors

    @Test(arguments: [0, 1, 64, 65, 5_000])
    func cursorReadsEachRowOnce(count: Int) throws {
        let connection = try connect()
        try connection.execute("BEGIN")
        let cursor = try PostgreSQLCursor(
            on: connection, "SELECT n FROM generate_series(1, $1) AS n",
            parameters { $0.append(Int64(count)) })
        var (sum, rows) = (0 as Int64, 0)
        while let row = try cursor.next() {
            sum += row.integer(0)
            rows += 1
        }
        #expect(try cursor.next()?.integer(0) == nil)
        #expect(rows == count && sum == Int64(count) * (Int64(count) + 1) / 2)
        cursor.close()
    }

    @Test(arguments: [0, 1, 64, 100, 300])
    func detachedCursorOutlivesTransaction(readBefore: Int) throws {
        let connection = try connect()
        try connection.execute("BEGIN")
        let cursor = try PostgreSQLCursor(on: connection, "SELECT generate_series(1, 300)")
        var numbers: [Int64] = []
        for _ in 0..<readBefore { try cursor.next().map { numbers.append($0.integer(0)) } }
        try cursor.detach()
        try connection.execute("COMMIT")
        while let row = try cursor.next() { numbers.append(row.integer(0)) }
        #expect(numbers == Array(1...300))
    }

    // MARK: - Lost connections

    @Test func reconnectedSessionHasNoStatementsOfFormerOne() throws {
        let connection = try connect()
        var statement: PostgreSQLStatement? = try connection.prepare("SELECT 1")
        let process = connection.serverProcess
        try connect().execute("SELECT pg_terminate_backend(\(process))")
        let lost = #expect(throws: PostgreSQLError.self) {
            while true { try connection.execute("SELECT 1") }
        }
        #expect(lost?.kind == .connectionLost)
        try connection.reconnect()
        #expect(connection.serverProcess != process)
        #expect(throws: PostgreSQLError.self) { try statement?.run() }
        // The new session cannot discard it.
        statement = nil
        _ = try connection.prepare("SELECT 2").run()
        #expect(try connection.query("SELECT count(*) FROM pg_prepared_statements")[0].integer(0) == 1)
    }

    @Test func twoCursorsAreReadInTurns() throws {
        let connection = try connect()
        try connection.execute("BEGIN")
        let cursors = try (0..<2).map { _ in
            try PostgreSQLCursor(on: connection, "SELECT generate_series(1, 300)")
        }
        for number in 1...300 as ClosedRange<Int64> {
            for cursor in cursors {
                let next = try cursor.next()
                #expect(next?.integer(0) == number)
            }
        }
        for cursor in cursors { cursor.close() }
        #expect(try connection.query("SELECT count(*) FROM pg_cursors WHERE name <> ''")[0].integer(0) == 0)
    }

    // MARK: - Errors

    @Test func errorHasStateAndConstraintButNoValues() throws {
        let connection = try connect()
        try connection.execute("CREATE TEMP TABLE t (n text CONSTRAINT \"only once\" UNIQUE)")
        let insert = try connection.prepare("INSERT INTO t VALUES ($1)", [.text])
        let secret = try parameters { try $0.append("secret") }
        try insert.run(secret)
        let error = #expect(throws: PostgreSQLError.self) { try insert.run(secret) }
        #expect(error?.kind == .unique)
        #expect(error?.state == "23505")
        #expect(error?.constraint == "only once")
        #expect(error?.sql == "INSERT INTO t VALUES ($1)")
        #expect(error?.detail?.contains("secret") == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test(arguments: [
        ("SELECT * FROM nothing", PostgreSQLError.Kind.missing),
        ("BEGIN READ ONLY; CREATE TABLE t (n int)", .readOnly),
        ("SET statement_timeout = 1; SELECT pg_sleep(60)", .cancelled),
    ])
    func errorsHaveKinds(_ sql: String, _ kind: PostgreSQLError.Kind) throws {
        let connection = try connect()
        let error = #expect(throws: PostgreSQLError.self) { try connection.execute(sql) }
        #expect(error?.kind == kind, "\(String(describing: error))")
    }

    @Test(arguments: [
        ("service=nothing", "pg_service.conf"), ("host=/nowhere", "the server runs"),
        ("dbname=nothing", "create the role or the database"),
    ])
    func failedConnectionNamesNextStep(_ connection: String, _ advice: String) throws {
        let whole =
            connection.contains("dbname")
            ? PostgreSQLServer.sharedConnection + " " + connection : connection
        let error = #expect(throws: PostgreSQLError.self) {
            try PostgreSQLConnection(whole, program: "tests")
        }
        #expect(error?.kind == .cannotConnect)
        #expect(error?.description.contains(advice) == true, "\(String(describing: error))")
    }

    @Test func connectionThatServerEndsIsLost() throws {
        let connection = try connect()
        let number = try connection.query("SELECT pg_backend_pid()")[0].integer(0)
        _ = try connect().query("SELECT pg_terminate_backend(\(number))")
        let error = #expect(throws: PostgreSQLError.self) { try connection.execute("SELECT 1") }
        #expect(error?.kind == .connectionLost)
        #expect(connection.isLost && !connection.isInTransaction)
    }

    @Test func closedConnectionRefusesStatements() throws {
        let connection = try connect()
        connection.close()
        connection.close()
        let error = #expect(throws: PostgreSQLError.self) { try connection.execute("SELECT 1") }
        #expect(error?.kind == .connectionLost)
    }

    @Test func interruptionCancelsStatement() throws {
        let connection = try connect()
        let interruption = connection.interruption
        let number = try connection.query("SELECT pg_backend_pid()")[0].integer(0)
        // A task would need a thread of the pool that all tests block.
        let thread = Thread {
            guard
                let other = try? PostgreSQLConnection(PostgreSQLServer.sharedConnection, program: "tests")
            else { return }
            // The server shows when the statement runs.
            let running = "SELECT FROM pg_stat_activity WHERE pid = \(number) AND wait_event = 'PgSleep'"
            while (try? other.query(running).count) == 0 {}
            interruption()
        }
        thread.start()
        let error = #expect(throws: PostgreSQLError.self) { try connection.execute("SELECT pg_sleep(60)") }
        #expect(error?.kind == .cancelled)
        #expect(try connection.query("SELECT 1").count == 1)
    }
}
