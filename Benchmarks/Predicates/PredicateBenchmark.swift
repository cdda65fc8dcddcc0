import CSQLite
import ObjectStore

/// The predicate language: reading a format, matching objects in memory, and its SQL against handwritten SQL.
struct PredicateBenchmark {
    static let alert =
        "completed == NO AND doNotAlert == NO AND dueDate >= $now AND dueDate <= $soon "
        + "AND (lastAlertDate == nil OR lastAlertDate < $quiet)"

    let directory: String
    let count: Int

    private var path: String { directory + "/items.sqlite" }

    func run(_ filter: String, _ report: (String) -> Void) throws {
        let isAll = filter.isEmpty || filter == "predicates"
        let works = Self.works.filter { isAll || $0.format.contains(filter) }
        guard !works.isEmpty else { return }
        report("")
        report("| predicates | time | limit |")
        report("| --- | ---: | ---: |")
        report(try parsing())
        report(try checking())
        report(try evaluation())
        report("")
        for line in Measurement.header { report(line.replacing("raw C API", with: "SQL by hand")) }
        try makeStore()
        for work in works { report(try comparison(work).line) }
    }

    // MARK: - Reading

    private func parsing() throws -> String {
        let rounds = 20_000
        let time = try (0..<5).map { _ in
            try seconds {
                for _ in 0..<rounds { keep(Int64(try FetchPredicate(Self.alert).root.hashValue & 1)) }
            }
        }
        return "| read the alert predicate | \(text(ofSeconds: median(time) / Double(rounds))) | 20 us |"
    }

    private func checking() throws -> String {
        let model = try Self.model()
        guard let entity = model.entity(named: "Item") else { fatalError("no entity") }
        let predicate = try Self.bound(Self.alert)
        let rounds = 20_000
        let time = try (0..<5).map { _ in
            try seconds { for _ in 0..<rounds { try predicate.check(against: entity, in: model) } }
        }
        return "| check it against its entity | \(text(ofSeconds: median(time) / Double(rounds))) | |"
    }

    // MARK: - In memory

    /// A row as another program's store could represent it.
    private struct Row: PredicateSubject {
        let values: [AttributeValue]
        var predicateIdentity: Int64 { 0 }
        func predicateValue(at column: Int) -> AttributeValue { values[column] }
        func predicateTarget(at column: Int) -> (any PredicateSubject)? { nil }
        func predicateMembers(at position: Int) -> [any PredicateSubject] { [] }
    }

    private func evaluation() throws -> String {
        let model = try Self.model()
        guard let entity = model.entity(named: "Item") else { fatalError("no entity") }
        let predicate = try Self.bound(Self.alert).compiled(for: entity, in: model)
        let rows = (0..<1_000_000).map { Row(values: Self.values($0)) }
        let time = try (0..<5).map { _ in
            try seconds {
                var matching: Int64 = 0
                for row in rows where try predicate.matches(row) { matching += 1 }
                keep(matching)
            }
        }
        let rate = Double(rows.count) / median(time) / 1e6
        return "| ask a million objects in memory | \(text(ofSeconds: median(time))), "
            + "\(rounded(rate)) M objects/s | 5 M objects/s |"
    }

    // MARK: - In SQL

    private struct Work {
        let format: String
        let sql: String
        /// The number of repetitions in a round.
        var times = 1
    }

    /// The SQL that a person would write for each format, with the values in the text.
    private static let works = [
        Work(
            format: alert,
            sql: "completed = 0 AND doNotAlert = 0 AND dueDate >= 1700000000.0 AND dueDate <= 1700000300.0 "
                + "AND (lastAlertDate IS NULL OR lastAlertDate < 1699999700.0)", times: 300),
        Work(format: "priority > 3 AND name != 'x'", sql: "priority > 3 AND name <> 'x'"),
        Work(format: "priority IN {1, 3, 5} OR name == nil", sql: "priority IN (1, 3, 5) OR name IS NULL"),
        Work(
            format: "name BEGINSWITH 'Call number 77'",
            sql: "name >= 'Call number 77' AND name < 'Call number 78'",
            times: 20),
        Work(format: "notes CONTAINS 'spare'", sql: "instr(notes, 'spare') > 0"),
        Work(format: "NOT (priority == 5)", sql: "NOT (priority IS 5)"),
        Work(
            format: "project.name == 'House'", sql: "project IN (SELECT id FROM Project WHERE name = 'House')"
        ),
        Work(
            format: "ANY project.items.priority == 0",
            sql: "EXISTS (SELECT 1 FROM Item AS i WHERE i.project = Item.project AND i.priority = 0)"),
    ]

    private static let variables: [String: AttributeValue] = [
        "now": .date(Timestamp(secondsSince1970: 1.7e9)),
        "soon": .date(Timestamp(secondsSince1970: 1.7e9 + 300)),
        "quiet": .date(Timestamp(secondsSince1970: 1.7e9 - 300)),
    ]

    private static func bound(_ format: String) throws -> FetchPredicate {
        try FetchPredicate(format).binding(variables)
    }

    private func comparison(_ work: Work) throws -> Measurement {
        let coordinator = PersistentStoreCoordinator(model: try Self.model())
        try coordinator.addStore(.sqlite(path: path))
        let context = ManagedObjectContext(coordinator: coordinator)
        let database = RawDatabase(path)
        let statement = database.prepare("SELECT count(*) FROM Item WHERE \(work.sql)")
        let request = FetchRequest<ManagedObject>(entity: "Item", matching: try Self.bound(work.format))
        let expected = database.integer(statement)
        guard try context.count(request) == expected else {
            fatalError("\(work.format) finds other objects")
        }
        return try compare("\(work.format): \(expected)", limit: 1.1, rounds: 9) {
            for _ in 0..<work.times { keep(database.integer(statement)) }
        } ours: {
            for _ in 0..<work.times { keep(Int64(try context.count(request))) }
        }
    }

    // MARK: - Data

    private static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(
                "Item",
                attributes: [
                    .string("name"), .string("notes"), .date("dueDate"), .date("lastAlertDate"),
                    .integer16("priority"),
                    .boolean("completed"), .boolean("doNotAlert"),
                ],
                relationships: [.toOne("project", destination: "Project", inverse: "items")],
                indexes: [
                    .index("dueDate", where: try FetchPredicate("completed == NO AND doNotAlert == NO")),
                    .index("name"),
                ]),
            EntityDescription(
                "Project", attributes: [.string("name")],
                relationships: [.toMany("items", destination: "Item", inverse: "project")]),
        ])
    }

    private static func values(_ number: Int) -> [AttributeValue] {
        let sample = RawTask.sample(number)
        let due = Timestamp(secondsSince1970: sample.dueDate ?? 1.7e9)
        return [
            .string(sample.name), sample.notes.map { .string($0) } ?? .null, .date(due),
            number.isMultiple(of: 3) ? .null : .date(due - 600), .integer(sample.priority),
            .boolean(sample.completed),
            .boolean(number.isMultiple(of: 7)),
        ]
    }

    private func makeStore() throws {
        let coordinator = PersistentStoreCoordinator(model: try Self.model())
        try coordinator.addStore(.sqlite(path: path))
        let context = ManagedObjectContext(coordinator: coordinator)
        let projects = try ["House", "Garden", "Work"].map { name in
            let project = try context.insert(entity: "Project")
            try project.setValue(.string(name), of: "name")
            return project
        }
        let names = ["name", "notes", "dueDate", "lastAlertDate", "priority", "completed", "doNotAlert"]
        for number in 1...count {
            let item = try context.insert(entity: "Item")
            for (name, value) in zip(names, Self.values(number)) { try item.setValue(value, of: name) }
            if number.isMultiple(of: 20) { try item.setTarget(projects[number / 20 % 3], of: "project") }
        }
        try context.save()
        coordinator.close()
    }
}

extension RawDatabase {
    func integer(_ statement: OpaquePointer) -> Int64 {
        defer { sqlite3_reset(statement) }
        return sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0
    }
}
