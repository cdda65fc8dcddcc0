import SQLiteDriver
import Testing

@Suite struct SQLiteStatementTests {
    private func memory() throws -> SQLiteConnection {
        try SQLiteConnection(path: ":memory:", mode: .create)
    }

    @Test func boundValuesAreReadBack() throws {
        let statement = try memory().prepare("SELECT ?, ?, ?, ?, ?, ?, ?")
        statement.bind(Int64.min, at: 1)
        statement.bind(-0.5, at: 2)
        statement.bind("a\u{0}é🦉", at: 3)
        statement.bind("", at: 4)
        statement.bind([0, 255], at: 5)
        statement.bind([UInt8](), at: 6)
        statement.bindNull(7)
        #expect(try statement.step())
        #expect((0..<7).map { statement.kind($0) } == [.integer, .real, .text, .text, .blob, .blob, .null])
        #expect(statement.integer(0) == .min)
        #expect(statement.real(1) == -0.5)
        #expect(statement.text(2) == "a\u{0}é🦉")
        #expect(statement.text(3) == "")
        #expect(statement.blob(4) == [0, 255])
        #expect(statement.blob(5) == [])
        #expect(statement.isNull(6))
        #expect(statement.text(6) == nil)
        #expect(try !statement.step())
    }

    @Test func statementCanBeRunAgain() throws {
        let connection = try memory()
        try connection.execute("CREATE TABLE t (n INTEGER)")
        let insert = try connection.prepare("INSERT INTO t VALUES (?)", isKept: true)
        for number in 1...3 as ClosedRange<Int64> {
            insert.bind(number, at: 1)
            try insert.run()
            #expect(connection.changedRows == 1)
        }
        #expect(try connection.integer("SELECT sum(n) FROM t") == 6)
        #expect(insert.sql == "INSERT INTO t VALUES (?)")
        #expect(try connection.text("SELECT group_concat(n) FROM t") == "1,2,3")
        // No bound value is left.
        try insert.run()
        #expect(try connection.integer("SELECT count(*) FROM t WHERE n IS NULL") == 1)
    }

    @Test func errorContainsStatementButNoValues() throws {
        let connection = try memory()
        try connection.execute("CREATE TABLE t (n TEXT UNIQUE)")
        let insert = try connection.prepare("INSERT INTO t VALUES (?)")
        insert.bind("secret", at: 1)
        try insert.run()
        insert.bind("secret", at: 1)
        let error = #expect(throws: SQLiteError.self) { try insert.run() }
        #expect(error?.kind == .constraint)
        #expect(error?.extendedCode == 2067)
        #expect(error?.sql == "INSERT INTO t VALUES (?)")
        #expect(error?.description.contains("secret") == false)
        #expect(throws: SQLiteError.self) { try connection.prepare("SELEC 1") }
        #expect(throws: SQLiteError.self) { try connection.prepare("  ") }
    }

    @Test func violatedReferencesAreReportedBeforeCommit() throws {
        let connection = try memory()
        try connection.execute(
            """
            PRAGMA foreign_keys=ON;
            CREATE TABLE a (id INTEGER PRIMARY KEY);
            CREATE TABLE b (a INTEGER REFERENCES a (id) DEFERRABLE INITIALLY DEFERRED);
            BEGIN; INSERT INTO b VALUES (1)
            """)
        #expect(connection.isInTransaction)
        #expect(connection.hasViolatedReferences)
        try connection.execute("INSERT INTO a VALUES (1)")
        #expect(!connection.hasViolatedReferences)
        try connection.execute("COMMIT")
        #expect(!connection.isInTransaction)
    }

    @Test func functionsCanBeDefinedInSwift() throws {
        let connection = try memory()
        try connection.defineFunction("twice", arguments: 1) { call in
            switch call.kind(0) {
            case .integer: call.return(call.integer(0) * 2)
            case .real: call.return(call.real(0) * 2)
            case .text: call.return((call.text(0) ?? "") + (call.text(0) ?? ""))
            case .blob: call.return(call.blob(0) + call.blob(0))
            case .null: call.fail("nothing to double")
            }
        }
        let statement = try connection.prepare("SELECT twice(21), twice(0.5), twice('ab'), twice(x'01')")
        #expect(try statement.step())
        #expect(statement.integer(0) == 42)
        #expect(statement.real(1) == 1)
        #expect(statement.text(2) == "abab")
        #expect(statement.blob(3) == [1, 1])
        let error = #expect(throws: SQLiteError.self) { try connection.integer("SELECT twice(NULL)") }
        #expect(error?.message == "nothing to double")
    }

    @Test func missingFileIsNotCreated() throws {
        let error = #expect(throws: SQLiteError.self) {
            try SQLiteConnection(path: "/nonexistent/file.sqlite", mode: .readWrite)
        }
        #expect(error?.kind == .cannotOpen)
    }
}
