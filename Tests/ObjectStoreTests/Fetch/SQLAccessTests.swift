import ObjectStore
import TestSupport
import Testing

/// Statements in SQL that a program has written.
@Suite struct SQLAccessTests {
    let directory = TemporaryStore()

    private func shelf() throws -> ManagedObjectContext { try TestedStore.sqlite.shelf(in: directory) }

    private func message(_ statement: SQLStatement, _ context: ManagedObjectContext) throws -> String {
        try #require(throws: SQLError.self) { try context.sql(statement, as: String.self) }.description
    }

    // MARK: - Queries

    @Test func rowsHaveTypesOfProperties() throws {
        let context = try shelf()
        let limit = 100
        let rows = try context.sql(
            "SELECT title, pages, rating FROM Book WHERE pages > \(limit) ORDER BY title",
            as: (String, Int, Double?).self)
        #expect(rows.map(\.0) == ["Emma", "Mansfield Park", "Persuasion"])
        #expect(rows.map(\.1) == [474, 480, 249])
        #expect(rows.map(\.2) == [4.5, 3.5, 4])
        #expect(try context.sql("SELECT count(*) FROM Book", as: Int.self) == [5])
        let average = try context.sql(
            "SELECT p.name, sum(b.pages) FROM Publisher p JOIN Book b ON b.publisher = p.id GROUP BY p.name ORDER BY 1",
            as: (String, Int).self)
        #expect(average.map(\.0) == ["Egerton", "Murray"] && average.map(\.1) == [480, 723])
    }

    @Test func valuesAreBoundAndNotText() throws {
        let context = try shelf()
        let hostile = "x' OR 1 --"
        #expect(
            try context.sql("SELECT count(*) FROM Book WHERE title = \(hostile)", as: Int.self) == [0])
        let list = ["Emma", "Persuasion"]
        #expect(
            try context.sql("SELECT count(*) FROM Book WHERE title IN (\(list))", as: Int.self) == [2])
        let made = SQLStatement(
            "SELECT count(*) FROM Book WHERE pages > ? AND pages < ?", values: [.integer(10), .integer(300)])
        #expect(try context.sql(made, as: Int.self) == [2])
    }

    @Test func classesAndKeysAreNames() throws {
        let context = try shelf()
        let murray = try #require(try context.object(of: Publisher.self, matching: \.name, equals: "Murray"))
        let titles = try context.sql(
            "SELECT \(\Book.title) FROM \(Book.self) WHERE \(\Book.publisher) = \(murray) ORDER BY \(\Book.id)",
            as: String.self)
        #expect(titles == ["Emma", "Persuasion"])
    }

    @Test func everyTypeIsReadAsStored() throws {
        let context = try shelf()
        let cover = try #require(try context.objects(of: Cover.self).first)
        let (token, price) = (UUIDValue(high: 1, low: 2), DecimalValue("12.50"))
        (cover.token, cover.price) = (token, price)
        let publisher = try #require(try context.objects(of: Publisher.self).first)
        publisher.site = URIValue("https://example.org")
        let covers = try context.sql(
            "SELECT image, token, price FROM Cover WHERE token = \(token)",
            as: ([UInt8], UUIDValue, DecimalValue?).self)
        #expect(covers.map(\.0) == [[0]] && covers.map(\.1) == [token] && covers.map(\.2) == [price])
        let emma = try context.sql(
            "SELECT published, inPrint, isbn FROM Book WHERE title = 'Emma'",
            as: (Timestamp, Bool, String?).self)
        #expect(emma.map(\.0) == [Timestamp(secondsSince1970: -4.5e9)])
        #expect(emma.map(\.1) == [true] && emma.map(\.2) == [nil])
        #expect(
            try context.sql("SELECT site FROM Publisher WHERE site IS NOT NULL", as: URIValue.self)
                == [URIValue("https://example.org")])
    }

    @Test func queriesSeeUnsavedChangesOfTheirContextOnly() throws {
        let context = try shelf()
        try context.insert(Book.self).title = "Lady Susan"
        let other = ManagedObjectContext(coordinator: context.coordinator)
        #expect(try context.sql("SELECT count(*) FROM Book", as: Int.self) == [6])
        #expect(try other.sql("SELECT count(*) FROM Book", as: Int.self) == [5])
        context.rollback()
        #expect(try context.sql("SELECT count(*) FROM Book", as: Int.self) == [5])
    }

    // MARK: - Refusals

    @Test func errorsNameStatementAndPlace() throws {
        let context = try shelf()
        #expect(
            try message("SELECT titel FROM Book", context)
                == "no such column: titel, at 7 of: SELECT titel FROM Book")
        #expect(
            try message("SELECT title FORM Book", context)
                == "near \"Book\": syntax error, at 18 of: SELECT title FORM Book")
        #expect(
            try message("SELECT pages FROM Book", context)
                == "the column 1 (pages) has a value that String cannot hold, in: SELECT pages FROM Book")
        #expect(
            try message("SELECT title, \(1) FROM Book", context)
                == "the rows have 2 columns, which is not the number of types, in: SELECT title, ? FROM Book")
        #expect(
            try message(SQLStatement("SELECT title FROM Book WHERE id = ?"), context)
                == "1 parameters have 0 values, in: SELECT title FROM Book WHERE id = ?")
        #expect(
            try message("vacuum", context)
                == "sql executes SELECT, WITH, VALUES and EXPLAIN, but not VACUUM, in: vacuum")
        #expect(
            try message(";", context)
                == "sql executes SELECT, WITH, VALUES and EXPLAIN, but not this text, in: ;")
        let change = try #require(throws: SQLError.self) { try context.executeSQL("VACUUM") }
        #expect(
            change.description
                == "executeSQL executes INSERT, UPDATE, DELETE, REPLACE and WITH, but not VACUUM, in: VACUUM")
    }

    @Test(arguments: [
        "UPDATE Book SET pages = 1", "DELETE FROM Book", "INSERT INTO Author (name) VALUES ('x')",
        "WITH a AS (SELECT 1) UPDATE Book SET pages = 1", "DROP TABLE Book", "PRAGMA foreign_keys = OFF",
        "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT a", "ATTACH ':memory:' AS other", "VACUUM",
        "SELECT title FROM Book; DELETE FROM Book", "SELECT title FROM Book; COMMIT", "-- SELECT\nCOMMIT",
        "/* SELECT */ PRAGMA user_version = 3", "", ";", "SELECT title FROM Book\u{0}; DELETE FROM Book",
        "UPDATE Book SET pages = 1 RETURNING title",
    ])
    func queryThatCouldWriteIsRefused(_ text: String) throws {
        let context = try shelf()
        let version = try directory.rows("PRAGMA user_version")
        try context.insert(Book.self).title = "Lady Susan"
        #expect(throws: SQLError.self) { try context.sql(SQLStatement(text), as: String.self) }
        #expect(try context.count(Book.where { $0.pages == 1 }) == 0)
        try context.save()
        #expect(try context.count(Book.all) == 6)
        #expect(try directory.rows("PRAGMA user_version") == version)
    }

    @Test(arguments: [
        "SELECT title FROM Book;", "  -- comment\n SELECT title FROM Book ; -- end",
        "/* a */SELECT title FROM Book",
        "WITH a AS (SELECT title FROM Book) SELECT title FROM a", "VALUES ('a'), ('b'), ('c'), ('d'), ('e')",
        "select title from Book /* open",
    ])
    func queryMayHaveCommentsAndSemicolon(_ text: String) throws {
        #expect(try shelf().sql(SQLStatement(text), as: String.self).count == 5)
    }

    @Test(arguments: TestedStore.allCases.filter { ![.sqlite, .sqliteInMemory].contains($0) })
    func otherKindsOfStoreSaySo(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        let query = try #require(throws: FetchError.self) { try context.sql("SELECT 1", as: Int.self) }
        let change = try #require(throws: FetchError.self) { try context.executeSQL("DELETE FROM Book") }
        let name = try #require(context.coordinator.store?.name)
        #expect(query.message == "\(name) does not execute SQL; only SQLite stores do")
        #expect(change == query)
    }

    @Test func oneOfSeveralStoresIsNamed() throws {
        let context = try shelf()
        try context.coordinator.addStore(.sqlite(path: directory.directory + "/archive.sqlite"))
        let archive = context.coordinator.stores[1]
        #expect(throws: FetchError.self) { try context.sql("SELECT count(*) FROM Book", as: Int.self) }
        #expect(try context.sql("SELECT count(*) FROM Book", as: Int.self, in: archive) == [0])
    }

    // MARK: - Changes

    @Test func changeIsSaveAndReachesContexts() throws {
        let context = try shelf()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let emma = try #require(try context.object(of: Book.self, matching: \.title, equals: "Emma"))
        let same = try #require(try other.object(of: Book.self, id: emma.id))
        let results = FetchedResultsController(Book.where { $0.pages > 1000 }, in: other)
        try results.performFetch()
        var saves = 0
        let observation = context.coordinator.observeSaves { _ in saves += 1 }
        #expect(try context.executeSQL("UPDATE Book SET pages = pages + \(1000) WHERE rating > \(4.0)") == 1)
        observation.cancel()
        #expect(emma.pages == 1474)
        #expect(results.objects.map(\.id) == [emma.id])
        #expect(try other.object(of: Book.self, id: emma.id) === same && same.pages == 1474)
        #expect(saves == 1)
        #expect(try directory.rows("SELECT pages FROM Book WHERE title = 'Emma'") == ["1474"])
    }

    /// The rows that changed are not known, so the save has no objects.
    @Test func changeInTransactionIsReportedAtItsEnd() throws {
        let coordinator = try shelf().coordinator
        let context = ManagedObjectContext(coordinator: coordinator)
        var saves: [SavedChanges] = []
        let observation = coordinator.observeSaves { saves.append($0) }
        try coordinator.transaction {
            try context.executeSQL("UPDATE Book SET rating = 1")
            #expect(saves == [])
        }
        #expect(saves == [SavedChanges()])
        observation.cancel()
    }

    @Test func unsavedChangeOfChangedRowConflicts() throws {
        let context = try shelf()
        let emma = try #require(try context.object(of: Book.self, matching: \.title, equals: "Emma"))
        emma.pages = 1
        try context.executeSQL("UPDATE Book SET rating = 1")
        #expect(emma.pages == 1)
        #expect(throws: ConflictError.self) { try context.save() }
    }

    @Test func idsOfInsertedRowsAreNotUsedAgain() throws {
        let context = try shelf()
        try context.executeSQL("INSERT INTO Author (id, name) VALUES (\(100), \("Fanny"))")
        #expect(try context.insert(Author.self).id == 101)
        context.rollback()
        try context.executeSQL("DELETE FROM Author WHERE id = 100")
        context.coordinator.close()
        #expect(try directory.context().insert(Author.self).id == 101)
    }

    @Test(arguments: [
        "DELETE FROM Publisher", "UPDATE Book SET title = NULL", "UPDATE Book SET publisher = 99",
        "UPDATE Book SET titel = 'x'", "SELECT title FROM Book", "PRAGMA foreign_keys = OFF",
        "DROP TABLE Book",
        "DELETE FROM Cover; COMMIT", "WITH a AS (SELECT 1) SELECT * FROM a",
    ])
    func refusedChangeChangesNothing(_ text: String) throws {
        let context = try shelf()
        let before = try directory.contents()
        #expect(throws: (any Error).self) { try context.executeSQL(SQLStatement(text)) }
        #expect(try directory.contents() == before)
        try context.insert(Author.self).name = "Fanny"
        try context.save()
        #expect(try context.count(Author.all) == 3)
    }

    @Test func valueThatCannotBeReadIsRefused() throws {
        let context = try shelf()
        let error = try #require(throws: SQLError.self) {
            try context.executeSQL("UPDATE Author SET born = 40000 WHERE name = 'Jane'")
        }
        #expect(
            error.description == "Author 1 would have a value that the model does not allow, in: "
                + "UPDATE Author SET born = 40000 WHERE name = 'Jane'")
    }

    @Test func failedBatchTakesChangeBack() throws {
        struct Stop: Error {}
        let context = try shelf()
        let emma = try #require(try context.object(of: Book.self, matching: \.title, equals: "Emma"))
        #expect(throws: Stop.self) {
            try context.coordinator.transaction {
                try context.executeSQL("UPDATE Book SET pages = 3")
                #expect(emma.pages == 3)
                throw Stop()
            }
        }
        #expect(emma.pages == 474)
    }

    @Test func storeWithHistoryRefusesChange() throws {
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        try coordinator.addStore(.sqlite(path: directory.path, history: true))
        let context = ManagedObjectContext(coordinator: coordinator)
        try context.insert(Author.self).name = "Jane"
        try context.save()
        let error = try #require(throws: FetchError.self) { try context.executeSQL("DELETE FROM Author") }
        #expect(
            error.message
                == "\(directory.path) records its history, which would lack the changes of: DELETE FROM Author; "
                + "use updateAll, updateEach or deleteAll")
        #expect(try context.sql("SELECT name FROM Author", as: String.self) == ["Jane"])
    }

    @Test func readOnlyStoreIsOnlyQueried() throws {
        try shelf().coordinator.close()
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        try coordinator.addStore(.sqlite(path: TestedStore.sqlite.path(in: directory), readOnly: true))
        let context = ManagedObjectContext(coordinator: coordinator)
        #expect(try context.sql("SELECT count(*) FROM Book", as: Int.self) == [5])
        let error = try #require(throws: StoreError.self) { try context.executeSQL("DELETE FROM Book") }
        #expect(error.code == .readOnly)
    }
}
