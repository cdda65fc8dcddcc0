import Foundation
import ObjectStore
import TestSupport
import Testing

/// The persistent history of a SQLite store.
@Suite struct HistoryTests {
    let store = TemporaryStore()

    func context(_ model: ManagedObjectModel? = nil, history: Bool = true) throws
        -> ManagedObjectContext
    {
        let coordinator = PersistentStoreCoordinator(model: try model ?? Library.model())
        try coordinator.addStore(.sqlite(path: store.path, history: history))
        return ManagedObjectContext(coordinator: coordinator)
    }

    @discardableResult
    func author(_ name: String, _ context: ManagedObjectContext) throws -> Author {
        let author = try context.insert(Author.self)
        author.name = name
        return author
    }

    /// The changes of each transaction as text, such as `inserted Author 1` or `updated Author 1 name,born`.
    func changes(_ context: ManagedObjectContext, after token: HistoryToken? = nil) throws
        -> [[String]]
    {
        try context.coordinator.history(after: token).map { transaction in
            transaction.changes.map { change in
                ([change.kind.rawValue, change.object.description] + [
                    change.properties.joined(separator: ",")
                ])
                .filter { !$0.isEmpty }.joined(separator: " ")
            }
        }
    }

    // MARK: - Saves

    @Test func eachSaveIsOneNumberedTransaction() throws {
        let context = try context()
        context.name = "main"
        context.transactionAuthor = "test"
        let jane = try author("Jane", context)
        try author("Mary", context)
        try context.save()
        jane.name = "Jane Austen"
        jane.born = 1775
        try context.save()
        context.transactionAuthor = nil
        try context.delete(jane)
        try context.save()
        try context.save()
        let history = try context.coordinator.history()
        #expect(history.map(\.number) == [1, 2, 3])
        #expect(history.map(\.author) == ["test", "test", nil])
        #expect(history.map(\.contextName) == ["main", "main", "main"])
        #expect(history.allSatisfy { !$0.isMigration })
        #expect(
            try changes(context) == [
                ["inserted Author 1", "inserted Author 2"], ["updated Author 1 name,born"],
                ["deleted Author 1"],
            ])
    }

    @Test func updateNamesOnlyPropertiesThatDiffer() throws {
        let context = try context()
        let jane = try author("Jane", context)
        try context.save()
        jane.name = "Mary"
        jane.name = "Jane"
        jane.born = 1775
        try context.save()
        jane.name = "Mary"
        jane.name = "Jane"
        try context.save()
        #expect(try changes(context).dropFirst() == [["updated Author 1 born"]])
    }

    @Test func changeWrittenForFetchIsRecordedOnce() throws {
        let context = try context()
        let jane = try author("Jane", context)
        #expect(try context.count(FetchRequest<Author>()) == 1)
        jane.name = "Jane Austen"
        #expect(try context.count(FetchRequest<Author>()) == 1)
        try context.save()
        #expect(try changes(context) == [["inserted Author 1"]])
    }

    @Test func manyToManyChangeIsOneOfBothEnds() throws {
        let context = try context()
        let jane = try author("Jane", context)
        let emma = try context.insert(Book.self)
        emma.title = "Emma"
        try context.save()
        emma.pages = 474
        emma.authors.insert(jane)
        try context.save()
        #expect(
            try changes(context).last.map(Set.init) == [
                "updated Author 1 books", "updated Book 1 pages,authors",
            ])
    }

    @Test func refusedSaveLeavesNoTransaction() throws {
        let context = try context()
        _ = try context.insert(Author.self)
        #expect(throws: ValidationError.self) { try context.save() }
        context.rollback()
        for name in ["Murray", "murray"] { try context.insert(Publisher.self).name = name }
        #expect(throws: ValidationError.self) { try context.save() }
        context.rollback()
        #expect(try context.coordinator.history().isEmpty)
        try author("Jane", context)
        try context.save()
        #expect(try context.coordinator.history().map(\.number) == [1])
    }

    @Test func savesOfBatchAreSeparateTransactions() throws {
        let context = try context()
        try context.coordinator.batch {
            try author("Jane", context)
            try context.save()
            _ = try context.insert(Author.self)
            #expect(throws: ValidationError.self) { try context.save() }
            context.rollback()
            try author("Mary", context)
            try context.save()
        }
        let ids = try context.ids(FetchRequest<Author>())
        #expect(try changes(context) == ids.map { ["inserted Author \($0)"] })
    }

    @Test func failedTransactionLeavesNoHistory() throws {
        struct Failure: Error {}
        let context = try context()
        #expect(throws: Failure.self) {
            try context.coordinator.transaction {
                try author("Jane", context)
                try context.save()
                throw Failure()
            }
        }
        #expect(try context.coordinator.history().isEmpty)
        #expect(try store.rows("SELECT count(*) FROM _changes") == ["0"])
    }

    @Test func historyOffMakesNoTables() throws {
        let context = try context(history: false)
        try author("Jane", context)
        try context.save()
        #expect(try store.rows("SELECT name FROM sqlite_schema WHERE name LIKE '%changes'") == [])
        #expect(throws: StoreError.self) { try context.coordinator.history() }
        #expect(throws: StoreError.self) { try context.coordinator.lastHistoryToken() }
    }

    @Test func objectsInsertedTogetherShareOneRow() throws {
        let context = try context()
        for number in 1...2_000 { try author("\(number)", context) }
        try context.save()
        #expect(
            try store.rows("SELECT number, kind, entity, first, last FROM _changes")
                == ["1|inserted|Author|1|2000"])
        let changes = try #require(try context.coordinator.history().first?.changes)
        #expect(changes.count == 2_000)
        #expect(changes.last?.object == ObjectID(entity: "Author", id: 2_000))
    }

    // MARK: - Preserved values

    @Test func deletedObjectKeepsPreservedValues() throws {
        let values: [(AttributeDescription, AttributeValue)] = [
            (.string("string"), .string("a,b\u{0}\n\"é\"")), (.integer16("integer16"), .integer(-3)),
            (.integer64("integer64"), .integer(.max)), (.double("double"), .double(0.1)),
            (.decimal("decimal"), .decimal("0.10000000000000000000000001")),
            (.boolean("boolean"), .boolean(true)),
            (.date("date"), .date(Timestamp(secondsSince1970: 1e9 / 3))),
            (.binary("binary"), .binary([0, 255])),
            (.uuid("uuid"), .uuid(UUIDValue(high: 1, low: 2))), (.uri("uri"), .uri("a:b")),
        ]
        let attributes =
            values.map { $0.0.preservedInHistory() } + [
                .string("empty").preservedInHistory(), .string("other"),
            ]
        let model = try ManagedObjectModel(entities: [EntityDescription("Item", attributes: attributes)])
        let context = try context(model)
        var items: [ManagedObject] = []
        for _ in 1...3 {
            let item = try context.insert(entity: "Item")
            for (attribute, value) in values { try item.setValue(value, of: attribute.name) }
            try item.setValue(.string("lost"), of: "other")
            items.append(item)
        }
        try context.save()
        try items[0].setValue(.integer(7), of: "integer64")
        try context.delete(items[0])
        try context.save()
        try context.deleteAll(FetchRequest<ManagedObject>(entity: "Item"))
        let deleted = try context.coordinator.history().dropFirst().flatMap(\.changes)
        #expect(deleted.map(\.object.id) == [1, 2, 3])
        let expected = Dictionary(uniqueKeysWithValues: values.map { ($0.0.name, $0.1) })
        for change in deleted { #expect(change.preserved == expected) }
    }

    @Test func preservedAttributeDoesNotChangeTheModel() throws {
        let models = try [AttributeDescription.string("a"), .string("a").preservedInHistory()].map {
            try ManagedObjectModel(entities: [EntityDescription("Item", attributes: [$0])])
        }
        #expect(models[0].versionHash == models[1].versionHash)
    }

    // MARK: - Batch changes

    @Test func updateAllIsRecorded() throws {
        let context = try context()
        context.transactionAuthor = "batch"
        for name in ["a", "b", "c"] { try author(name, context) }
        try context.save()
        try context.updateAll(
            FetchRequest<Author>(matching: try FetchPredicate("name != 'b'")),
            setting: ["born": 1 as Int16, "name": "x"])
        #expect(try changes(context).last == ["updated Author 1 born,name", "updated Author 3 born,name"])
        #expect(try context.coordinator.history().last?.author == "batch")
        try context.updateAll(
            FetchRequest<Author>(matching: try FetchPredicate("name == 'nobody'")),
            setting: ["born": 1 as Int16])
        #expect(try context.coordinator.history().count == 2)
    }

    @Test func deleteAllIsRecordedWithWhatItReleases() throws {
        let context = try context()
        let jane = try author("Jane", context)
        let murray = try context.insert(Publisher.self)
        murray.name = "Murray"
        let emma = try context.insert(Book.self)
        emma.title = "Emma"
        emma.publisher = murray
        emma.authors.insert(jane)
        let cover = try context.insert(Cover.self)
        cover.image = [1]
        emma.cover = cover
        try context.save()
        try context.deleteAll(FetchRequest<Publisher>())
        #expect(try changes(context).last == ["updated Book 1 publisher", "deleted Publisher 1"])
        try context.deleteAll(FetchRequest<Book>())
        #expect(try changes(context).last == ["updated Author 1 books", "deleted Book 1", "deleted Cover 1"])
    }

    @Test func updateEachIsRecorded() throws {
        let context = try context()
        for name in ["a", "b", "c"] { try author(name, context) }
        try context.save()
        var names = ObjectUpdates(of: Author.self, setting: ["name"])
        names.append(id: 3, values: [.string("x")])
        names.append(id: 1, values: [.string("y")])
        var years = ObjectUpdates(of: Author.self, setting: ["born"])
        years.append(id: 1, values: [.integer(1)])
        try context.updateEach([names, years])
        #expect(try changes(context).last == ["updated Author 1 name,born", "updated Author 3 name"])
    }

    // MARK: - The option

    @Test func historyContinuesWithoutTheOption() throws {
        try context().coordinator.close()
        let context = try context(history: false)
        try author("a", context)
        try context.save()
        #expect(try changes(context) == [["inserted Author 1"]])
    }

    @Test func discardThatIsRolledBackKeepsHistory() throws {
        let context = try context()
        try author("A", context)
        try context.save()
        let kept = try #require(context.coordinator.store as? SQLiteStore)
        try kept.begin()
        try kept.discardHistory()
        kept.rollback()
        #expect(kept.recordsHistory)
        #expect(try context.coordinator.history().count == 1)
    }

    @Test func discardedHistoryIsGone() throws {
        var context = try context()
        try author("a", context)
        try context.save()
        let token = try context.coordinator.lastHistoryToken()
        try context.coordinator.discardHistory()
        #expect(throws: StoreError.self) { try context.coordinator.history() }
        try author("b", context)
        try context.save()
        #expect(try store.rows("PRAGMA user_version") == ["1"])
        #expect(try store.rows("SELECT name FROM sqlite_schema WHERE name LIKE '%changes'") == [])
        context.coordinator.close()
        context = try self.context()
        try author("c", context)
        try context.save()
        #expect(try changes(context) == [["inserted Author 3"]])
        let error = try #require(throws: StoreError.self) { try context.coordinator.history(after: token) }
        #expect(error.code == .historyLost)
    }

    /// A library without history would save in such a store and not record it.
    @Test func olderLibraryDoesNotOpenStoreWithHistory() throws {
        try context().coordinator.close()
        #expect(try store.rows("PRAGMA user_version") == ["2"])
    }

    @Test func readerOfStoreReadsItsHistory() throws {
        let context = try context()
        let reader = PersistentStoreCoordinator(model: context.model)
        try reader.addStore(.sqlite(path: store.path, readOnly: true, history: true))
        try author("a", context)
        try context.save()
        #expect(try reader.history() == context.coordinator.history())
        #expect(throws: StoreError.self) { try reader.purgeHistory(before: reader.lastHistoryToken()) }
    }

    @Test func readerCannotBeginHistory() throws {
        try context(history: false).coordinator.close()
        let reader = PersistentStoreCoordinator(model: try Library.model())
        let error = try #require(throws: StoreError.self) {
            try reader.addStore(.sqlite(path: store.path, readOnly: true, history: true))
        }
        #expect(error.code == .noHistory)
    }

    @Test func savesOfBackgroundWriterAreRecorded() throws {
        let context = try context()
        let writer = try #require(try context.coordinator.beginBackgroundWrite())
        let coordinator = try writer.open()
        let other = ManagedObjectContext(coordinator: coordinator)
        other.transactionAuthor = "background"
        try author("a", other)
        try other.save()
        coordinator.close()
        context.coordinator.endBackgroundWrite()
        #expect(try context.coordinator.history().map(\.author) == ["background"])
        #expect(try changes(context) == [["inserted Author 1"]])
    }

    @Test func historyOfSecondStoreNamesItsObjects() throws {
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        try coordinator.addStore(.memory)
        try coordinator.addStore(.sqlite(path: store.path, history: true))
        let context = ManagedObjectContext(coordinator: coordinator)
        let jane = try author("Jane", context)
        try context.assign(jane, to: coordinator.stores[1])
        try author("Mary", context)
        try context.save()
        #expect(try coordinator.history().flatMap(\.changes).map(\.object) == [jane.objectID])
        #expect(jane.objectID.store != nil)
    }

    @Test func storeIsNamedIfSeveralRecord() throws {
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        try coordinator.addStore(.sqlite(path: store.path, history: true))
        try coordinator.addStore(.sqlite(path: store.directory + "/second.sqlite", history: true))
        #expect(throws: StoreError.self) { try coordinator.history() }
        for store in coordinator.stores {
            let identifier = store.metadata.identifier
            #expect(try coordinator.lastHistoryToken(of: identifier).store == identifier)
        }
    }
}
