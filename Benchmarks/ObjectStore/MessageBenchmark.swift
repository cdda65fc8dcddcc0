import CSQLite
import ObjectStore

/// Objects with few properties, and a search of words with an index of FTS5, against the raw C API.
struct MessageBenchmark {
    let directory: String
    let count: Int

    private var path: String { directory + "/messages.sqlite" }

    /// Runs the works with names that contain `filter`, one after the other.
    func run(_ filter: String, _ report: (Measurement) -> Void) throws {
        let works: [(name: String, work: (String) throws -> Measurement)] = [
            ("fetch \(count) as objects of three properties", fetchNarrow),
            ("search two words, with about 15 results", search),
        ]
        let wanted = works.filter { filter.isEmpty || $0.name.contains(filter) }
        guard !wanted.isEmpty else { return }
        try context().coordinator.close()
        RawDatabase(path).insertMessages((1...count).map { RawMessage.sample($0, of: count) })
        for (name, work) in wanted { report(try work(name)) }
    }

    private func context() throws -> ManagedObjectContext {
        let coordinator = PersistentStoreCoordinator(model: try Message.model())
        try coordinator.addStore(.sqlite(path: path))
        return ManagedObjectContext(coordinator: coordinator)
    }

    private func fetchNarrow(_ name: String) throws -> Measurement {
        let database = RawDatabase(path)
        let statement = database.prepare("SELECT \(RawMessage.columns) FROM Message")
        let context = try context()
        return try compare(name, limit: 2) {
            var sum: Int64 = 0
            for message in database.messages(statement) { sum &+= message.size }
            keep(sum)
        } ours: {
            var sum = 0
            for message in try context.fetch(FetchRequest<Message>()) { sum &+= message.size }
            keep(Int64(sum))
        }
    }

    private func search(_ name: String) throws -> Measurement {
        let database = RawDatabase(path)
        let table = "\"Message search (text)\""
        let statement = database.prepare(
            "SELECT \(RawMessage.columns) FROM Message "
                + "WHERE id IN (SELECT rowid FROM \(table) WHERE \(table) MATCH ?)")
        let context = try context()
        let numbers = (0..<500).map { $0 &* 7919 % RawMessage.numbers(of: count) }
        return try compare(name, limit: 1.3) {
            for number in numbers {
                let match = "\"text\" : (\"order\(number)\" AND \"urgent\")"
                keep(Int64(database.messages(statement, matching: match).count))
            }
        } ours: {
            for number in numbers {
                let isFound = FetchPredicate(
                    .key("text"), .containsWords, .value(.string("order\(number) urgent")))
                keep(Int64(try context.fetch(FetchRequest<Message>(matching: isFound)).count))
            }
        }
    }
}

/// An object with three properties and a search index.
final class Message: ManagedObject {
    @Attribute("text") var text: String
    @Attribute("sent") var sent: Timestamp
    @Attribute("size") var size: Int

    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(
                "Message", class: Message.self,
                attributes: [
                    .string("text", .required), .date("sent", .required), .integer64("size", .required),
                ],
                indexes: [.search("text")])
        ])
    }
}

/// The same as a plain structure.
struct RawMessage {
    static let columns = "id, text, sent, size"

    var id: Int64
    var text: String
    var sent: Double
    var size: Int64

    /// The number of different orders in `count` messages. Every other message about an order is urgent.
    static func numbers(of count: Int) -> Int { max(1, count / 30) }

    static func sample(_ number: Int, of count: Int) -> RawMessage {
        let isUrgent = number / numbers(of: count) % 2 == 0
        return RawMessage(
            id: Int64(number),
            text: "Please answer the \(isUrgent ? "urgent" : "last") letter about "
                + "order\(number % numbers(of: count)) of the harbour",
            sent: 1.69e9 + Double(number), size: Int64(number % 1000))
    }
}

extension RawDatabase {
    func insertMessages(_ messages: [RawMessage]) {
        let insert = prepare("INSERT INTO Message (\(RawMessage.columns)) VALUES (?, ?, ?, ?)")
        execute("BEGIN IMMEDIATE")
        for message in messages {
            sqlite3_bind_int64(insert, 1, message.id)
            bind(message.text, insert, 2)
            sqlite3_bind_double(insert, 3, message.sent)
            sqlite3_bind_int64(insert, 4, message.size)
            guard sqlite3_step(insert) == SQLITE_DONE else { fatalError("insert") }
            sqlite3_reset(insert)
        }
        execute("COMMIT")
    }

    /// Reads the rows of the statement, from its start to its end.
    func messages(_ statement: OpaquePointer) -> [RawMessage] {
        var messages: [RawMessage] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            messages.append(
                RawMessage(
                    id: sqlite3_column_int64(statement, 0), text: text(statement, 1) ?? "",
                    sent: sqlite3_column_double(statement, 2), size: sqlite3_column_int64(statement, 3)))
        }
        sqlite3_reset(statement)
        return messages
    }

    func messages(_ statement: OpaquePointer, matching match: String) -> [RawMessage] {
        bind(match, statement, 1)
        return messages(statement)
    }
}
