import CPostgreSQL

/// libpq as a program would use it directly: prepared statements, binary values, and no layer in between.
final class RawPostgreSQL {
    /// The number of rows of one INSERT and of one FETCH.
    private static let batch = 1000
    private static let columns = "id, name, notes, \"dueDate\", \"createdDate\", priority, completed, project"

    private let handle: OpaquePointer

    init(_ connection: String, schema: String) {
        guard let opened = PQconnectdb(connection), PQstatus(opened) == CONNECTION_OK else {
            fatalError("cannot connect to \(connection)")
        }
        handle = opened
        // The default prints notices to standard error.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        execute("SET search_path TO \(schema); SET jit TO off")
    }

    deinit { PQfinish(handle) }

    func execute(_ sql: String) {
        PQclear(checked(PQexec(handle, sql)))
    }

    func prepare(_ name: String, _ sql: String) {
        PQclear(checked(PQprepare(handle, name, sql, 0, nil)))
    }

    /// Prepares the statements that need the tables.
    func prepareStatements() {
        prepare(
            "insert",
            """
            INSERT INTO "Task" (\(Self.columns)) SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], \
            $4::float8[], $5::float8[], $6::bigint[], $7::boolean[], $8::bigint[])
            """)
        prepare("one", "SELECT \(Self.columns) FROM \"Task\" WHERE id = $1::bigint")
        prepare("update", "UPDATE \"Task\" SET priority = (priority + 1) % 10 WHERE id = $1::bigint")
        prepare(
            "range",
            "SELECT \(Self.columns) FROM \"Task\" WHERE \"dueDate\" >= $1::float8 AND \"dueDate\" < $2::float8"
        )
        prepare(
            "due",
            """
            SELECT id, name, "dueDate" FROM "Task" WHERE completed = false AND "dueDate" >= $1::float8 \
            AND "dueDate" <= $2::float8 ORDER BY "dueDate" NULLS FIRST, id
            """)
    }

    // MARK: - Work

    func insert(_ count: Int) {
        execute("BEGIN")
        for start in stride(from: 1, through: count, by: Self.batch) {
            var columns = ([20, 25, 25, 701, 701, 20, 16, 20] as [Oid]).map { BinaryArray(type: $0) }
            for number in start..<min(start + Self.batch, count + 1) {
                let task = RawTask.sample(number)
                columns[0].append(UInt64(bitPattern: task.id))
                columns[1].append(task.name)
                columns[2].append(task.notes)
                columns[3].append(task.dueDate?.bitPattern)
                columns[4].append(task.createdDate.bitPattern)
                columns[5].append(UInt64(bitPattern: task.priority))
                columns[6].append(task.completed)
                columns[7].append(task.project.map { UInt64(bitPattern: $0) })
            }
            PQclear(checked(run("insert", columns.map { $0.finished() })))
        }
        execute("COMMIT")
    }

    func increasePriority(id: Int64) {
        PQclear(checked(run("update", [Self.bytes(UInt64(bitPattern: id))])))
    }

    func tasks() -> [RawTask] {
        var tasks: [RawTask] = []
        execute("BEGIN")
        execute("DECLARE all_tasks NO SCROLL CURSOR FOR SELECT \(Self.columns) FROM \"Task\" ORDER BY id")
        while true {
            let result = checked(
                PQexecParams(handle, "FETCH \(Self.batch) FROM all_tasks", 0, nil, nil, nil, nil, 1))
            let rows = PQntuples(result)
            for row in 0..<rows { tasks.append(task(result, row)) }
            PQclear(result)
            guard rows > 0 else { break }
        }
        execute("COMMIT")
        return tasks
    }

    func task(id: Int64) -> RawTask? {
        let result = checked(run("one", [Self.bytes(UInt64(bitPattern: id))]))
        defer { PQclear(result) }
        return PQntuples(result) > 0 ? task(result, 0) : nil
    }

    /// Returns the tasks that are due in a range of time.
    func tasks(from start: Double, to end: Double) -> [RawTask] {
        let result = checked(run("range", [Self.bytes(start.bitPattern), Self.bytes(end.bitPattern)]))
        defer { PQclear(result) }
        return (0..<PQntuples(result)).map { task(result, $0) }
    }

    /// Returns the open tasks that are due in a range of time.
    func dueTasks(from start: Double, to end: Double) -> [(id: Int64, name: String, dueDate: Double)] {
        let result = checked(run("due", [Self.bytes(start.bitPattern), Self.bytes(end.bitPattern)]))
        defer { PQclear(result) }
        return (0..<PQntuples(result)).map {
            (integer(result, $0, 0), text(result, $0, 1) ?? "", double(result, $0, 2))
        }
    }

    // MARK: - Values

    private func run(_ name: String, _ parameters: [[UInt8]]) -> OpaquePointer? {
        let lengths = parameters.map { Int32($0.count) }
        let formats = parameters.map { _ in Int32(1) }
        let memory = parameters.flatMap { $0 }
        return memory.withUnsafeBytes { memory in
            var offset = 0
            let values = parameters.map { parameter in
                defer { offset += parameter.count }
                return memory.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
            }
            return PQexecPrepared(handle, name, Int32(values.count), values, lengths, formats, 1)
        }
    }

    private func checked(_ result: OpaquePointer?) -> OpaquePointer? {
        let status = PQresultStatus(result)
        guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else {
            fatalError(String(cString: PQerrorMessage(handle)))
        }
        return result
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    private func task(_ result: OpaquePointer?, _ row: Int32) -> RawTask {
        RawTask(
            id: integer(result, row, 0), name: text(result, row, 1) ?? "", notes: text(result, row, 2),
            dueDate: PQgetisnull(result, row, 3) != 0 ? nil : double(result, row, 3),
            createdDate: double(result, row, 4), priority: integer(result, row, 5),
            completed: PQgetvalue(result, row, 6)[0] != 0,
            project: PQgetisnull(result, row, 7) != 0 ? nil : integer(result, row, 7))
    }

    private func integer(_ result: OpaquePointer?, _ row: Int32, _ column: Int32) -> Int64 {
        Int64(bigEndian: UnsafeRawPointer(PQgetvalue(result, row, column)).loadUnaligned(as: Int64.self))
    }

    private func double(_ result: OpaquePointer?, _ row: Int32, _ column: Int32) -> Double {
        Double(bitPattern: UInt64(bitPattern: integer(result, row, column)))
    }

    private func text(_ result: OpaquePointer?, _ row: Int32, _ column: Int32) -> String? {
        PQgetisnull(result, row, column) != 0 ? nil : String(cString: PQgetvalue(result, row, column))
    }
}

/// The binary form of an array in one dimension.
private struct BinaryArray {
    private let type: Oid
    private var count: UInt32 = 0
    private var bytes: [UInt8] = []

    init(type: Oid) {
        self.type = type
    }

    mutating func append(_ number: UInt64?) {
        count += 1
        guard let number else { return appendLength(.max) }
        appendLength(8)
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ flag: Bool) {
        count += 1
        appendLength(1)
        bytes.append(flag ? 1 : 0)
    }

    mutating func append(_ text: String?) {
        count += 1
        guard let text else { return appendLength(.max) }
        appendLength(UInt32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func appendLength(_ length: UInt32) {
        withUnsafeBytes(of: length.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// The array with its header: dimensions, whether there are NULLs, type, length and lower bound.
    func finished() -> [UInt8] {
        var header: [UInt8] = []
        for number in [1, 1, type, count, 1] as [UInt32] {
            withUnsafeBytes(of: number.bigEndian) { header.append(contentsOf: $0) }
        }
        return header + bytes
    }
}
