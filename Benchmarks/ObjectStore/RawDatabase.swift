import CSQLite

/// SQLite's C API as a program would use it directly: with kept statements, and without a layer in between.
final class RawDatabase {
    private let handle: OpaquePointer
    private var statements: [OpaquePointer] = []

    init(_ path: String) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else { fatalError("cannot open \(path)") }
        handle = opened
        execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON")
    }

    deinit {
        for statement in statements { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    func execute(_ sql: String) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            fatalError(String(cString: sqlite3_errmsg(handle)))
        }
    }

    func prepare(_ sql: String) -> OpaquePointer {
        var statement: OpaquePointer?
        guard
            sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
                == SQLITE_OK,
            let statement
        else { fatalError(String(cString: sqlite3_errmsg(handle))) }
        statements.append(statement)
        return statement
    }

    static let columns = "id, name, notes, dueDate, createdDate, priority, completed, project"

    func insert(_ count: Int) {
        let insert = prepare("INSERT INTO Task (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        execute("BEGIN IMMEDIATE")
        for number in 1...count {
            let task = RawTask.sample(number)
            sqlite3_bind_int64(insert, 1, task.id)
            bind(task.name, insert, 2)
            if let notes = task.notes { bind(notes, insert, 3) } else { sqlite3_bind_null(insert, 3) }
            if let due = task.dueDate {
                sqlite3_bind_double(insert, 4, due)
            } else {
                sqlite3_bind_null(insert, 4)
            }
            sqlite3_bind_double(insert, 5, task.createdDate)
            sqlite3_bind_int64(insert, 6, task.priority)
            sqlite3_bind_int64(insert, 7, task.completed ? 1 : 0)
            sqlite3_bind_null(insert, 8)
            guard sqlite3_step(insert) == SQLITE_DONE else { fatalError("insert") }
            sqlite3_reset(insert)
        }
        execute("COMMIT")
    }

    /// Reads the rows of the statement, from its start to its end.
    func tasks(_ statement: OpaquePointer) -> [RawTask] {
        var tasks: [RawTask] = []
        while sqlite3_step(statement) == SQLITE_ROW { tasks.append(task(statement)) }
        sqlite3_reset(statement)
        return tasks
    }

    func tasks(_ statement: OpaquePointer, from start: Double, to end: Double) -> [RawTask] {
        sqlite3_bind_double(statement, 1, start)
        sqlite3_bind_double(statement, 2, end)
        return tasks(statement)
    }

    func task(_ statement: OpaquePointer, id: Int64) -> RawTask? {
        sqlite3_bind_int64(statement, 1, id)
        defer { sqlite3_reset(statement) }
        return sqlite3_step(statement) == SQLITE_ROW ? task(statement) : nil
    }

    func task(_ statement: OpaquePointer) -> RawTask {
        RawTask(
            id: sqlite3_column_int64(statement, 0),
            name: text(statement, 1) ?? "",
            notes: text(statement, 2),
            dueDate: isNull(statement, 3) ? nil : sqlite3_column_double(statement, 3),
            createdDate: sqlite3_column_double(statement, 4),
            priority: sqlite3_column_int64(statement, 5),
            completed: sqlite3_column_int64(statement, 6) != 0,
            project: isNull(statement, 7) ? nil : sqlite3_column_int64(statement, 7))
    }

    func bind(_ text: String, _ statement: OpaquePointer, _ index: Int32) {
        var text = text
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                _ = sqlite3_bind_text(
                    statement, index, characters.baseAddress, Int32(characters.count), copied)
            }
        }
    }

    private func isNull(_ statement: OpaquePointer, _ column: Int32) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    func text(_ statement: OpaquePointer, _ column: Int32) -> String? {
        sqlite3_column_text(statement, column).map { String(cString: $0) }
    }
}

/// `SQLITE_TRANSIENT`, which the importer cannot see.
private nonisolated(unsafe) let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
