import Foundation
import ObjectStore
import SQLiteDriver
import Testing

@Suite struct SQLiteStoreTests {
    let store = TemporaryStore()

    private func permissions(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func error(opening model: ManagedObjectModel? = nil) throws -> StoreError? {
        let model = try model ?? Library.model()
        return #expect(throws: StoreError.self) {
            try PersistentStoreCoordinator(model: model).addStore(.sqlite(path: store.path))
        }
    }

    // MARK: - Schema

    @Test func onlyOwnerHasAccessToFile() throws {
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        let path = store.directory + "/a/b/library.sqlite"
        try coordinator.addStore(.sqlite(path: path))
        #expect(try permissions(store.directory + "/a") == 0o700)
        #expect(try permissions(store.directory + "/a/b") == 0o700)
        for suffix in ["", "-wal", ".lock"] { #expect(try permissions(path + suffix) == 0o600) }
    }

    @Test func schemaIsPlainSQL() throws {
        let coordinator = try store.coordinator()
        #expect(
            try store.rows("SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name") == [
                """
                CREATE TABLE "Author" ("id" INTEGER PRIMARY KEY, "name" TEXT, "born" INTEGER) STRICT
                """,
                """
                CREATE TABLE "Author_books" ("owner" INTEGER NOT NULL REFERENCES "Author" ("id") DEFERRABLE INITIALLY \
                DEFERRED, "other" INTEGER NOT NULL REFERENCES "Book" ("id") DEFERRABLE INITIALLY DEFERRED, PRIMARY KEY \
                ("owner", "other")) STRICT, WITHOUT ROWID
                """,
                """
                CREATE INDEX "Author_books other" ON "Author_books" ("other", "owner")
                """,
                """
                CREATE TABLE "Book" ("id" INTEGER PRIMARY KEY, "title" TEXT, "published" REAL, "pages" INTEGER, \
                "inPrint" INTEGER, "isbn" TEXT, "rating" REAL, "publisher" INTEGER REFERENCES "Publisher" ("id") \
                DEFERRABLE INITIALLY DEFERRED, "cover" INTEGER REFERENCES "Cover" ("id") DEFERRABLE INITIALLY DEFERRED) \
                STRICT
                """,
                """
                CREATE INDEX "Book cover" ON "Book" ("cover")
                """,
                """
                CREATE INDEX "Book isbn" ON "Book" ("isbn")
                """,
                """
                CREATE INDEX "Book published" ON "Book" ("published")
                """,
                """
                CREATE INDEX "Book publisher" ON "Book" ("publisher")
                """,
                """
                CREATE INDEX "Book title where ""inPrint"" = 1" ON "Book" ("title") WHERE "inPrint" = 1
                """,
                """
                CREATE TABLE "Cover" ("id" INTEGER PRIMARY KEY, "image" BLOB, "token" TEXT, "price" TEXT, "book" INTEGER \
                REFERENCES "Book" ("id") DEFERRABLE INITIALLY DEFERRED) STRICT
                """,
                """
                CREATE INDEX "Cover book" ON "Cover" ("book")
                """,
                """
                CREATE TABLE "Publisher" ("id" INTEGER PRIMARY KEY, "name" TEXT, "site" TEXT) STRICT
                """,
                """
                CREATE TABLE "_largestIDs" ("entity" TEXT PRIMARY KEY, "id" INTEGER NOT NULL) STRICT, WITHOUT ROWID
                """,
                """
                CREATE TABLE "_metadata" ("key" TEXT PRIMARY KEY, "value" TEXT NOT NULL) STRICT, WITHOUT ROWID
                """,
            ])
        #expect(try store.rows("PRAGMA application_id") == ["\(0x4F42_5354)"])
        #expect(try store.rows("PRAGMA user_version") == ["1"])
        #expect(try store.rows("PRAGMA journal_mode") == ["wal"])
        withExtendedLifetime(coordinator) {}
    }

    /// The shell does not know the functions of the library. A schema that it cannot check would be wrong.
    @Test func shellChecksDatabase() throws {
        let shelf = try Shelf()
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        shell.arguments = [
            "sqlite3", shelf.store.path,
            "PRAGMA integrity_check; PRAGMA foreign_key_check; SELECT title FROM Book",
        ]
        let output = Pipe()
        shell.standardOutput = output
        try shell.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        shell.waitUntilExit()
        #expect(text == "ok\nEmma\nemma\nPersuasion\nMansfield Park\nÉire\n")
        #expect(shell.terminationStatus == 0)
    }

    @Test func indexesFollowTheModel() throws {
        try store.coordinator().close()
        var entities = Library.entities()
        entities[0].indexes = [.index("pages", "title")]
        let model = try ManagedObjectModel(versionIdentifiers: ["1"], entities: entities)
        try store.coordinator(model).close()
        let names = try store.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'Book' ORDER BY 1")
        #expect(names == ["Book cover", "Book isbn", "Book pages,title", "Book publisher"])
    }

    // MARK: - Ids

    @Test func idsContinueAfterRowsOfShell() throws {
        let first = try store.context()
        try first.insert(Author.self).name = "A"
        try first.save()
        first.coordinator.close()
        try store.execute("INSERT INTO Author (id, name) VALUES (50, 'B')")
        let context = try store.context()
        let author = try context.insert(Author.self)
        author.name = "C"
        try context.save()
        #expect(author.id == 51)
    }

    // MARK: - Metadata

    @Test func metadataStaysWithTheFile() throws {
        let identifier: UUIDValue?
        do {
            let coordinator = try store.coordinator()
            let kept = try #require(coordinator.store)
            identifier = kept.metadata.identifier
            #expect(kept.metadata.versionHash == coordinator.model.versionHash)
            #expect(kept.metadata.versionIdentifiers == ["1"])
            try kept.setMetadataEntries(["lead": "300", "identifier": "mine"])
            coordinator.close()
        }
        let kept = try #require(try store.coordinator().store)
        #expect(kept.metadata.identifier == identifier)
        #expect(kept.metadata.entries == ["lead": "300", "identifier": "mine"])
    }

    // MARK: - Refusals that change nothing

    @Test func lockErrorNamesProcess() throws {
        let coordinator = try store.coordinator()
        let error = try error()
        #expect(error?.code == .inUse)
        #expect(
            error?.message
                == "the process \(ProcessInfo.processInfo.processIdentifier) has the store open, which is this one; "
                + "use that coordinator, or close it first")
        let closed = try #require(coordinator.store)
        coordinator.close()
        let next = try store.coordinator()
        #expect(throws: StoreError.self) { try closed.begin() }
        closed.rollback()
        withExtendedLifetime(next) {}
    }

    @Test(arguments: [
        (
            Data(
                "not a database, but long enough to have a header, were it one; so it is refused, and not touched"
                    .utf8), StoreError.Code.notADatabase
        ),
        (Data([1]), .notADatabase),
        (Data("SQLite format 3\0".utf8), .notADatabase),
    ])
    func otherFileIsLeftUnchanged(_ data: Data, _ code: StoreError.Code) throws {
        try FileManager.default.createDirectory(atPath: store.directory, withIntermediateDirectories: true)
        try data.write(to: URL(fileURLWithPath: store.path))
        #expect(try error()?.code == code)
        #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == data)
    }

    @Test(arguments: [
        ("PRAGMA application_id=7", StoreError.Code.foreign),
        ("PRAGMA user_version=3; PRAGMA application_id=\(0x4F42_5354)", .newer),
    ])
    func databaseOfOtherProgramIsLeftUnchanged(_ sql: String, _ code: StoreError.Code) throws {
        try FileManager.default.createDirectory(atPath: store.directory, withIntermediateDirectories: true)
        let connection = try SQLiteConnection(path: store.path, mode: .create)
        try connection.execute("CREATE TABLE theirs (x); \(sql)")
        connection.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: store.path))
        #expect(try error()?.code == code)
        #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == before)
    }

    @Test func storeOfAnotherModelRequiresMigration() throws {
        try store.coordinator().close()
        let before = try Data(contentsOf: URL(fileURLWithPath: store.path))
        let other = try ManagedObjectModel(
            versionIdentifiers: ["2"], entities: [EntityDescription("Book", attributes: [.string("title")])])
        let error = try error(opening: other)
        #expect(error?.code == .modelMismatch)
        #expect(
            error?.message == "the store was written with model 1, this is model 2; it has to be migrated: "
                + "add it with a migration, and not read-only")
        #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == before)
    }

    @Test func missingDirectoryIsNamed() throws {
        try FileManager.default.createDirectory(atPath: store.directory, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: store.directory + "/file"))
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        let error = #expect(throws: StoreError.self) {
            try coordinator.addStore(.sqlite(path: store.directory + "/file/library.sqlite"))
        }
        #expect(error?.code == .unreachable)
    }

    // MARK: - Faults

    @Test func fullDiskKeepsStoreAndChanges() throws {
        let shelf = try Shelf()
        let context = shelf.context
        let before = try shelf.store.contents()
        let kept = try #require(context.coordinator.store as? SQLiteStore)
        try kept.connection.execute("PRAGMA max_page_count=1")
        for number in 0..<100 {
            try context.insert(Book.self).title = String(repeating: "\(number) ", count: 40)
        }
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .full)
        #expect(error?.description.contains("no space is left") == true)
        #expect(context.insertedObjects.count == 100)
        #expect(try shelf.store.contents() == before)
        try kept.connection.execute("PRAGMA max_page_count=1000000")
        try context.save()
        #expect(try context.count(FetchRequest<Book>()) == 105)
    }

    @Test func fullDiskFailsWholeBatch() throws {
        let shelf = try Shelf()
        let context = shelf.context
        let kept = try #require(context.coordinator.store as? SQLiteStore)
        let emma = try #require(try context.object(of: Book.self, id: 1))
        var sent = 0
        let observation = context.coordinator.observeSaves { _ in sent += 1 }
        let error = #expect(throws: StoreError.self) {
            try context.coordinator.batch {
                emma.title = "first"
                try context.save()
                try kept.connection.execute("PRAGMA max_page_count=1")
                for number in 0..<100 {
                    try context.insert(Book.self).title = String(repeating: "\(number) ", count: 40)
                }
                try context.save()
            }
        }
        #expect(error?.code == .full)
        #expect(sent == 0)
        try kept.connection.execute("PRAGMA max_page_count=1000000")
        #expect(emma.title == "first")
        #expect(context.hasChanges)
        try context.save()
        #expect(sent == 1)
        #expect(
            try shelf.store.rows("SELECT count(*), min(title) FROM Book WHERE id = 1 OR id > 5") == [
                "101|0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
            ])
        observation.cancel()
    }

    @Test func readOnlyStoreRefusesSave() throws {
        let shelf = try Shelf()
        let context = shelf.context
        let kept = try #require(context.coordinator.store as? SQLiteStore)
        let before = try shelf.store.contents()
        try kept.connection.execute("PRAGMA query_only=ON")
        try context.insert(Author.self).name = "Nobody"
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .readOnly)
        #expect(context.hasChanges)
        #expect(try shelf.store.contents() == before)
    }

    @Test func damagedRowIsNamedWhenRead() throws {
        let shelf = try Shelf()
        let context = shelf.context
        let writer = try SQLiteConnection(path: shelf.store.path, mode: .readWrite)
        try writer.execute("INSERT INTO Book (id, pages, inPrint) VALUES (9, 1, 1)")
        let error = #expect(throws: StoreError.self) { try context.objects(of: Book.self) }
        #expect(error?.code == .damaged)
        #expect(error?.message.hasPrefix("Book 9.title has a value that the model does not allow") == true)
        #expect(try context.rows(FetchRequest<Book>(), of: ["id", "title"]).count == 6)
    }

    @Test(arguments: [false, true])
    func damagedPageIsReportedAndStopsWrites(isStreamed: Bool) throws {
        let shelf = try Shelf()
        for number in 0..<2000 { try shelf.context.insert(Book.self).title = "Book number \(number)" }
        try shelf.context.save()
        shelf.context.coordinator.close()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: shelf.store.path))
        let page = try #require(
            Int(try shelf.store.rows("SELECT rootpage FROM sqlite_schema WHERE name = 'Book'")[0]))
        try file.seek(toOffset: UInt64(page - 1) * 4096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        try file.close()
        #expect(try SQLiteBackup.problems(of: shelf.store.path).isEmpty == false)
        let context = try shelf.store.context()
        let other = try context.insert(Author.self)
        other.name = "Written before"
        try context.save()
        let error = #expect(throws: StoreError.self) {
            guard isStreamed else { return _ = try context.objects(of: Book.self) }
            let rows = try context.stream(FetchRequest<Book>(), of: ["title"])
            while try rows.next() != nil {}
        }
        #expect(error?.code == .damaged)
        #expect(context.coordinator.damage?.message == error?.message)
        other.name = "Written after"
        let refusal = #expect(throws: StoreError.self) { try context.save() }
        #expect(refusal?.code == .damaged)
        context.rollback()
        #expect(try context.objects(of: Author.self).map(\.name).contains("Written before"))
    }

    /// The tables are on the first page, which a stream reads again.
    @Test func damageFoundByNewStreamIsRecorded() throws {
        let shelf = try Shelf()
        try SQLiteConnection(path: shelf.store.path, mode: .readWrite)
            .execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: shelf.store.path))
        try file.seek(toOffset: 100)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 400))
        try file.close()
        let error = #expect(throws: StoreError.self) {
            try shelf.context.stream(FetchRequest<Book>(), of: ["title"])
        }
        #expect(error?.code == .damaged)
        #expect(shelf.context.coordinator.damage?.message == error?.message)
        try shelf.context.insert(Author.self).name = "Written after"
        let refusal = #expect(throws: StoreError.self) { try shelf.context.save() }
        #expect(refusal?.code == .damaged)
    }

    // MARK: - Copies

    @Test func backupHasOneStateDuringWrites() throws {
        let shelf = try Shelf()
        let copy = shelf.store.directory + "/backups/copy.sqlite"
        let expected = try shelf.store.contents()
        var steps: [Double] = []
        let isComplete = try SQLiteBackup.copy(shelf.store.path, to: copy) { done in
            steps.append(done)
            return true
        }
        #expect(isComplete)
        #expect(try permissions(copy) == 0o600)
        #expect(try SQLiteBackup.problems(of: copy).isEmpty)
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        try coordinator.addStore(.sqlite(path: copy))
        #expect(
            coordinator.store?.metadata.identifier == shelf.context.coordinator.store?.metadata.identifier)
        let context = ManagedObjectContext(coordinator: coordinator)
        #expect(try context.count(FetchRequest<Book>()) == expected.filter { $0.hasPrefix("Book:") }.count)
        #expect(throws: StoreError.self) { try SQLiteBackup.copy(shelf.store.path, to: copy) }
    }

    @Test func cancelledBackupLeavesNoFile() throws {
        let shelf = try Shelf()
        for number in 0..<20_000 { try shelf.context.insert(Author.self).name = "Author number \(number)" }
        try shelf.context.save()
        let copy = shelf.store.directory + "/copy.sqlite"
        #expect(try SQLiteBackup.copy(shelf.store.path, to: copy) { _ in false } == false)
        #expect(try shelf.store.files().filter { $0.hasPrefix("copy") } == [])
    }
}
