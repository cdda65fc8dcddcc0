import CSQLite
import Glibc

/// The part of AddItem that SQLite does: adds the rows of an item, as the daemon has written them, to the
/// same tables.
final class BareRows {
    private let handle: OpaquePointer
    private let directory: String
    private var tables: [Table] = []
    private var lastID: Int64 = 1_000_000

    /// A table that gets a row for each item. `second` returns the second column of the row.
    private struct Table {
        let insert: OpaquePointer
        let note: OpaquePointer
        let second: (Int64) -> String?
    }

    init(like store: String, in directory: String) {
        var opened: OpaquePointer?
        let path = "\(directory)/bare.sqlite"
        guard sqlite3_open(path, &opened) == SQLITE_OK, let opened else { fatalError("cannot open \(path)") }
        handle = opened
        self.directory = directory
        execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON")
        execute("ATTACH '\(store)' AS daemon")
        for sql in texts("SELECT sql FROM daemon.sqlite_schema WHERE sql IS NOT NULL") { execute(sql) }
        // The daemon's identifiers also increase with time.
        add("ToDo") { "019A0000-0000-7000-8000-" + String(0x1000_0000_0000 + $0, radix: 16, uppercase: true) }
        add("Change") { _ in nil }
        execute("DETACH daemon")
    }

    deinit {
        for table in tables { for statement in [table.insert, table.note] { sqlite3_finalize(statement) } }
        sqlite3_close(handle)
        unlink("\(directory)/bare.sqlite")
    }

    /// Adds `count` items with one COMMIT.
    func commit(_ count: Int) {
        execute("BEGIN IMMEDIATE")
        for _ in 0..<count {
            lastID += 1
            for table in tables {
                sqlite3_bind_int64(table.insert, 1, lastID)
                if let text = table.second(lastID) {
                    bind(text, table.insert, 2)
                } else {
                    sqlite3_bind_int64(table.insert, 2, lastID)
                }
                run(table.insert)
            }
        }
        for table in tables {
            sqlite3_bind_int64(table.note, 1, lastID)
            run(table.note)
        }
        execute("COMMIT")
    }

    /// Adds the table with that name, with the values of the daemon's last row bound.
    private func add(_ name: String, second: @escaping (Int64) -> String?) {
        let row = prepare("SELECT * FROM daemon.\"\(name)\" ORDER BY id DESC LIMIT 1")
        defer { sqlite3_finalize(row) }
        guard sqlite3_step(row) == SQLITE_ROW else { fatalError("the daemon has no \(name)") }
        let count = sqlite3_column_count(row)
        let places = repeatElement("?", count: Int(count)).joined(separator: ", ")
        let insert = prepare("INSERT INTO main.\"\(name)\" VALUES (\(places))")
        for column in 0..<count { sqlite3_bind_value(insert, column + 1, sqlite3_column_value(row, column)) }
        let note = prepare(
            "INSERT INTO main.\"_largestIDs\" VALUES ('\(name)', ?) ON CONFLICT DO UPDATE SET id = excluded.id"
        )
        tables.append(Table(insert: insert, note: note, second: second))
    }

    // MARK: - SQLite

    private func execute(_ sql: String) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { fail() }
    }

    private func prepare(_ sql: String) -> OpaquePointer {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else { fail() }
        return statement
    }

    private func run(_ statement: OpaquePointer) {
        guard sqlite3_step(statement) == SQLITE_DONE else { fail() }
        sqlite3_reset(statement)
    }

    private func texts(_ sql: String) -> [String] {
        let statement = prepare(sql)
        defer { sqlite3_finalize(statement) }
        var texts: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            texts.append(String(cString: sqlite3_column_text(statement, 0)))
        }
        return texts
    }

    private func bind(_ text: String, _ statement: OpaquePointer, _ index: Int32) {
        // SQLITE_TRANSIENT: SQLite copies the text.
        sqlite3_bind_text(statement, index, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }

    private func fail() -> Never { fatalError(String(cString: sqlite3_errmsg(handle))) }
}
