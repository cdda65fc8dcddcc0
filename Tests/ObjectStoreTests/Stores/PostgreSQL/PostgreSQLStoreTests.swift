import Foundation
import ObjectStore
import ObjectStorePostgreSQL
import PostgreSQLDriver
import Synchronization
import TestServers
import TestSupport
import Testing

/// The tables of a store in PostgreSQL, and its behavior beside other programs.
@Suite struct PostgreSQLStoreTests: PostgreSQLSuite {
    let directory = TemporaryStore()

    private func context(_ model: ManagedObjectModel? = nil) throws -> ManagedObjectContext {
        try TestedStore.postgresql.context(in: directory, model)
    }

    private func storeError(_ body: () throws -> Void) -> StoreError? {
        #expect(throws: StoreError.self, performing: body)
    }

    // MARK: - Tables

    @Test func savedObjectIsReadByAnotherConnection() throws {
        let context = try context()
        let book = try context.insert(Book.self)
        book.title = "Emma"
        book.pages = 474
        let publisher = try context.insert(Publisher.self)
        publisher.name = "Murray"
        book.publisher = publisher
        try context.save()
        #expect(
            try rows(
                #"SELECT "title", "pages"::text, "publisher"::text, "isbn" FROM "Book""#, columns: 4) == [
                    "Emma|474|1|NULL"
                ])
    }

    @Test func unsavedObjectIsNotReadByAnotherConnection() throws {
        let context = try context()
        try context.insert(Author.self).name = "Jane"
        #expect(try context.count(FetchRequest<Author>()) == 1)
        #expect(try rows(#"SELECT "name" FROM "Author""#).isEmpty)
        context.rollback()
        try context.save()
        #expect(try rows(#"SELECT "name" FROM "Author""#).isEmpty)
    }

    @Test func textColumnsHaveOrderOfScalars() throws {
        _ = try context()
        #expect(
            try rows(
                """
                SELECT DISTINCT collation_name::text FROM information_schema.columns \
                WHERE table_schema = '\(schema)' AND data_type = 'text'
                """) == ["C"])
        // The default order of the server is another one.
        #expect(
            try rows("SELECT t FROM (VALUES ('b'), ('A'), ('a')) AS v (t) ORDER BY t") == ["a", "A", "b"])
        let context = try self.context(try Library.model())
        for name in ["b", "A", "a", "\u{E4}"] { try context.insert(Author.self).name = name }
        try context.save()
        let sorted = FetchRequest<Author>(orderedBy: [FetchOrder("name")])
        #expect(try context.fetch(sorted).map(\.name) == ["A", "a", "b", "\u{E4}"])
    }

    @Test func longNamesStayDifferent() throws {
        let beginning = String(repeating: "n", count: 70)
        let names = ["\(beginning)1", "\(beginning)2", "xmin", "ctid"]
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                beginning, attributes: names.map { .string($0) },
                indexes: [.index("\(beginning)1", "\(beginning)2")])
        ])
        let context = try context(model)
        let object = try context.insert(entity: beginning)
        for name in names { try object.setValue(.string("value of \(name)"), of: name) }
        try context.save()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let read = try #require(
            try other.fetch(FetchRequest<ManagedObject>(entity: beginning)).first)
        for name in names { #expect(try read.value(of: name) == .string("value of \(name)")) }
        #expect(
            try rows(
                "SELECT max(length(relname))::text FROM pg_class WHERE relnamespace = '\"\(schema)\"'::regnamespace"
            ) == ["63"])
    }

    @Test(arguments: ["\u{0}", "\u{1}", "\u{2}", "a\u{0}b", "\u{1}\u{1}", "\u{0}\u{1}\u{2}"])
    func controlCharactersAreStoredAndFound(_ text: String) throws {
        let context = try context()
        let names = [
            "", "\u{0}", "\u{0}\u{0}", "\u{1}", "\u{1}\u{1}", "\u{2}", "a\u{0}b", "a\u{1}b", "ab",
            "\u{0}\u{1}\u{2}", "\u{3}",
        ]
        for name in names { try context.insert(Author.self).name = name.isEmpty ? " " : name }
        try context.save()
        let expected = try MemoryStore.context(try Library.model())
        for name in names { try expected.insert(Author.self).name = name.isEmpty ? " " : name }
        try expected.save()
        for comparator in ["==", "<", ">=", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "IN"] {
            let format = comparator == "IN" ? "name IN {%@, 'ab'}" : "name \(comparator) %@"
            let request = FetchRequest<Author>(
                matching: try FetchPredicate(format, text), orderedBy: [FetchOrder("name")])
            #expect(try context.ids(request) == expected.ids(request), "\(format)")
        }
    }

    @Test func uniqueValuesAreExchangedInOneSave() throws {
        let context = try context()
        let books = try ["1", "2"].map { isbn in
            let book = try context.insert(Book.self)
            book.title = isbn
            book.isbn = isbn
            return book
        }
        try context.save()
        (books[0].isbn, books[1].isbn) = ("2", "1")
        try context.save()
        #expect(try rows(#"SELECT "isbn" FROM "Book" ORDER BY "id""#) == ["2", "1"])
    }

    @Test func longUniqueTextsAreStored() throws {
        let context = try context()
        for index in 0..<2 {
            let book = try context.insert(Book.self)
            book.title = "\(index)"
            // Random letters, because the server compresses others below its limit.
            var random = SplitMix(state: UInt64(index))
            book.isbn = String((0..<10_000).map { _ in "abcdefghij".randomElement(using: &random) ?? "a" })
        }
        try context.save()
        #expect(try context.count(FetchRequest<Book>()) == 2)
    }

    @Test func valuesOutsideOfNumbersAreRefusedByTable() throws {
        _ = try context()
        for statement in [
            #"INSERT INTO "Book" ("id", "rating") VALUES (1, 'NaN')"#,
            #"INSERT INTO "Cover" ("id", "price") VALUES (1, 'NaN')"#,
        ] {
            #expect(throws: PostgreSQLError.self) { try connection().execute(statement) }
        }
    }

    @Test func manyRowsAreInsertedAndReadInOrder() throws {
        let context = try context()
        for number in 1...3_000 { try context.insert(Author.self).name = "\(number)" }
        try context.save()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        #expect(try other.objects(of: Author.self).map(\.name) == (1...3_000).map { "\($0)" })
    }

    @Test func largeFetchContinuesAfterSaveInItsBody() throws {
        let context = try context()
        for number in 1...3_000 { try context.insert(Author.self).name = "\(number)" }
        try context.save()
        var names: [String] = []
        try context.forEachRow(FetchRequest<Author>(), of: ["name"]) { row in
            if case .string(let name) = row.value(at: 0) { names.append(name) }
            // The rows of a large fetch come in several parts.
            guard names.count == 2_000 || names.count == 2_001 else { return }
            try context.insert(Author.self).name = "added"
            try context.save()
        }
        #expect(names == (1...3_000).map { "\($0)" })
        #expect(try rows(#"SELECT count(*)::text FROM "Author""#) == ["3002"])
    }

    @Test func largeFetchInsideOfAnotherOneIsComplete() throws {
        let context = try context()
        for number in 1...1_500 { try context.insert(Author.self).name = "\(number)" }
        try context.save()
        var counts: [Int] = []
        var outer = 0
        try context.forEachRow(FetchRequest<Author>(), of: ["id"]) { _ in
            outer += 1
            guard outer == 1_400 || outer == 10 else { return }
            var inner = 0
            try context.forEachRow(FetchRequest<Author>(), of: ["id"]) { _ in inner += 1 }
            counts.append(inner)
        }
        #expect(outer == 1_500)
        #expect(counts == [1_500, 1_500])
    }

    // MARK: - Indexes

    @Test func changedIndexesAreMadeAtNextStart() throws {
        func model(_ indexes: [IndexDescription]) throws -> ManagedObjectModel {
            try ManagedObjectModel(entities: [
                EntityDescription("Item", attributes: [.string("name"), .date("due")], indexes: indexes)
            ])
        }
        let listing = """
            SELECT indexdef FROM pg_indexes WHERE schemaname = '\(schema)' AND indexname LIKE 'Item %' ORDER BY 1
            """
        try context(model([.index("name")])).coordinator.close()
        #expect(try rows(listing).count == 1)
        var index = IndexDescription.index("due", "name")
        index.keys[0].isAscending = false
        try context(model([index])).coordinator.close()
        let found = try rows(listing)
        #expect(found.count == 1)
        #expect(found.first?.hasSuffix("(due DESC NULLS LAST, name NULLS FIRST)") == true)
    }

    // MARK: - Other programs

    @Test func changeByAnotherProgramIsConflict() throws {
        let context = try TestedStore.postgresql.shelf(in: directory)
        let book = try #require(try context.object(of: Book.self, id: 1))
        book.pages = 1
        try connection().execute(#"UPDATE "Book" SET "pages" = 2 WHERE "id" = 1"#)
        let error = #expect(throws: ConflictError.self) { try context.save() }
        #expect(error?.objects == [book.objectID])
        #expect(error?.description.contains("another program") == true)
        #expect(try rows(#"SELECT "pages"::text FROM "Book" WHERE "id" = 1"#) == ["2"])
        context.rollback()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let again = try #require(try other.object(of: Book.self, id: 1))
        #expect(again.pages == 2)
        again.pages = 3
        try other.save()
        #expect(try rows(#"SELECT "pages"::text FROM "Book" WHERE "id" = 1"#) == ["3"])
    }

    @Test func deletionOfObjectThatAnotherProgramChangedIsConflict() throws {
        let context = try TestedStore.postgresql.shelf(in: directory)
        let author = try #require(try context.object(of: Author.self, id: 2))
        try connection().execute(#"UPDATE "Author" SET "name" = 'C' WHERE "id" = 2"#)
        try context.delete(author)
        #expect(throws: ConflictError.self) { try context.save() }
        #expect(try rows(#"SELECT "name" FROM "Author" WHERE "id" = 2"#) == ["C"])
    }

    @Test func conflictIsFoundAmongManyObjects() throws {
        let context = try context()
        for number in 1...5_000 { try context.insert(Author.self).name = "\(number)" }
        try context.save()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let authors = try other.fetch(FetchRequest<Author>(orderedBy: [FetchOrder("id")]))
        try connection().execute(#"UPDATE "Author" SET "name" = 'theirs' WHERE "id" = 4321"#)
        for author in authors where author.id > 4_300 { author.name = "mine" }
        let error = #expect(throws: ConflictError.self) { try other.save() }
        #expect(error?.objects == [authors[4_320].objectID])
        #expect(try rows(#"SELECT count(*)::text FROM "Author" WHERE "name" = 'mine'"#) == ["0"])
    }

    @Test func rolledBackChangeIsNoConflict() throws {
        let context = try TestedStore.postgresql.shelf(in: directory)
        let book = try #require(try context.object(of: Book.self, id: 1))
        book.pages = 1
        #expect(try context.count(FetchRequest<Book>(matching: FetchPredicate("pages == 1"))) == 1)
        context.rollback()
        book.pages = 5
        try context.save()
        #expect(try rows(#"SELECT "pages"::text FROM "Book" WHERE "id" = 1"#) == ["5"])
    }

    @Test func valueThatAnotherProgramMakesEqualIsRefused() throws {
        let context = try context()
        let book = try context.insert(Book.self)
        book.title = "mine"
        book.isbn = "1"
        // The other program has not saved when the context looks for equal values, and saves while its COMMIT waits.
        let schema = schema
        let began = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        Thread {
            defer { ended.signal() }
            guard let other = try? Self.connection(schema) else {
                began.signal()
                return
            }
            try? other.execute(
                """
                BEGIN; INSERT INTO "Book" ("id", "title", "isbn", "pages", "inPrint") \
                VALUES (9, 'theirs', '1', 0, true)
                """)
            began.signal()
            let waiting =
                "SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid"
            while (try? other.query(waiting).count) == 0 {}
            try? other.execute("COMMIT")
        }.start()
        began.wait()
        let error = #expect(throws: ValidationError.self) { try context.save() }
        ended.wait()
        #expect(error?.failures.map(\.rule) == [.unique])
        #expect(try rows(#"SELECT "title" FROM "Book""#) == ["theirs"])
        #expect(try context.store.transactionDepth == 0)
    }

    @Test func secondProgramIsRefused() throws {
        let context = try context()
        let error = storeError { _ = try self.context() }
        #expect(error?.code == .inUse)
        context.coordinator.close()
        _ = try self.context()
    }

    @Test func programsThatStartTogetherCreateOneStore() throws {
        let configuration = directory.postgresql
        let identifiers = Mutex<[UUIDValue?]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            let identifier = try? {
                let coordinator = PersistentStoreCoordinator(model: try Library.model())
                try coordinator.addStore(configuration)
                defer { coordinator.close() }
                return coordinator.store?.metadata.identifier
            }()
            identifiers.withLock { $0.append(identifier) }
        }
        let found = identifiers.withLock { $0 }
        #expect(found.count == 4 && !found.contains(nil))
        #expect(Set(found).count == 1)
    }

    @Test func readerSeesSavedStateAndWritesNothing() throws {
        let path = try #require(directory.postgresql.path)
        let reading = StoreConfiguration(.postgresql, path: path, readOnly: true)
        let missing = storeError { try PersistentStoreCoordinator(model: Library.model()).addStore(reading) }
        #expect(missing?.code == .unreachable)
        #expect(try rows("SELECT nspname::text FROM pg_namespace WHERE nspname = '\(schema)'").isEmpty)
        let writer = try TestedStore.postgresql.shelf(in: directory)
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        try coordinator.addStore(reading)
        let reader = ManagedObjectContext(coordinator: coordinator)
        #expect(try reader.count(FetchRequest<Book>()) == 5)
        try #require(try reader.object(of: Book.self, id: 1)).pages = 1
        #expect(storeError { try reader.save() }?.code == .readOnly)
        _ = writer
    }

    // MARK: - Bad input

    @Test func schemaOfAnotherProgramIsRefused() throws {
        let connection = try connection()
        try connection.execute("CREATE SCHEMA \"\(schema)\"; CREATE TABLE \"\(schema)\".mine (n int)")
        let error = storeError { _ = try context() }
        #expect(error?.code == .foreign)
        #expect(try rows("SELECT tablename::text FROM pg_tables WHERE schemaname = '\(schema)'") == ["mine"])
    }

    @Test func emptySchemaIsUsed() throws {
        try connection().execute("CREATE SCHEMA \"\(schema)\"")
        try TestedStore.postgresql.shelf(in: directory).coordinator.close()
        #expect(try rows(#"SELECT count(*)::text FROM "Book""#) == ["5"])
    }

    @Test func newerStoreIsRefused() throws {
        try context().coordinator.close()
        try connection().execute(#"UPDATE "_metadata" SET "value" = '2' WHERE "key" = 'format'"#)
        #expect(storeError { _ = try context() }?.code == .newer)
    }

    @Test func storeOfAnotherModelIsRefused() throws {
        try context().coordinator.close()
        let error = storeError { _ = try context(Sample.model()) }
        #expect(error?.code == .modelMismatch)
        #expect(error?.message.contains("model 1") == true)
    }

    @Test(arguments: ["host=/nowhere", "service=nothing"])
    func unreachableServerIsNamed(_ connection: String) throws {
        let error = storeError {
            let coordinator = PersistentStoreCoordinator(model: try Library.model())
            try coordinator.addStore(.postgresql(connection, schema: "books"))
        }
        #expect(error?.code == .unreachable)
        #expect(error?.description.hasPrefix("the schema books: the server cannot be reached") == true)
    }

    @Test func roleWithoutRightsCreatesNothing() throws {
        let role = "guest-\(schema.suffix(8))"
        try connection().execute("CREATE ROLE \"\(role)\" LOGIN")
        let error = storeError {
            let coordinator = PersistentStoreCoordinator(model: try Library.model())
            try coordinator.addStore(
                .postgresql("\(PostgreSQLServer.sharedConnection) user='\(role)'", schema: schema))
        }
        #expect(error?.code == .unreachable)
        #expect(error?.description.contains("42501") == true)
        #expect(try rows("SELECT nspname::text FROM pg_namespace WHERE nspname = '\(schema)'").isEmpty)
    }
}
