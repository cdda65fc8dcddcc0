import ObjectStore
import Testing

@Suite struct ManyAtOnceTests {
    let shelf: Shelf

    init() throws {
        shelf = try Shelf()
    }

    @Test func updateAllChangesObjectsInOneStatement() throws {
        let context = shelf.context
        let emma = try #require(try context.object(of: Book.self, id: 1))
        var sent: [SavedChanges] = []
        let observation = context.coordinator.observeSaves { sent.append($0) }
        let short = FetchRequest<Book>(matching: try FetchPredicate("publisher.name == 'Murray'"))
        #expect(try context.updateAll(short, setting: ["inPrint": false, "rating": Double?.none]) == 2)
        #expect(!emma.inPrint)
        #expect(emma.rating == nil)
        #expect(!context.hasChanges)
        #expect(
            try shelf.store.rows("SELECT id FROM Book WHERE inPrint = 0 AND rating IS NULL") == ["1", "3"])
        #expect(sent.map { $0.updated.map(\.id) } == [[1, 3]])
        observation.cancel()
    }

    @Test func updateAllKeepsUnsavedChanges() throws {
        let context = shelf.context
        let emma = try #require(try context.object(of: Book.self, id: 1))
        emma.pages = 1
        #expect(
            try context.updateAll(
                FetchRequest<Book>(matching: try FetchPredicate("pages == 1")), setting: ["rating": 0.0]) == 0
        )
        #expect(try context.updateAll(FetchRequest<Book>(), setting: ["rating": 0.0, "pages": 2]) == 5)
        #expect(emma.pages == 1)
        #expect(emma.rating == 0)
        try context.save()
        #expect(try shelf.store.rows("SELECT pages FROM Book ORDER BY id") == ["1", "2", "2", "2", "2"])
    }

    @Test func updateAllRefusesInvalidValues() throws {
        let context = shelf.context
        let all = FetchRequest<Book>()
        let error = #expect(throws: ValidationError.self) {
            try context.updateAll(all, setting: ["title": "", "rating": 9.0])
        }
        #expect(
            error?.description
                == "Book.rating: range: more than the upper bound; Book.title: length: 0 is less than 1")
        #expect(throws: FetchError.self) { try context.updateAll(all, setting: ["isbn": "1"]) }
        #expect(throws: FetchError.self) { try context.updateAll(all, setting: ["cover": 1]) }
        #expect(throws: FetchError.self) { try context.updateAll(all, setting: ["titel": "x"]) }
        #expect(throws: StoreError.self) { try context.updateAll(all, setting: ["publisher": 99]) }
        #expect(try context.updateAll(all, setting: ["publisher": 2]) == 5)
        #expect(
            try context.objects(of: Publisher.self, matching: "name", equals: "Egerton").first?.books.count
                == 5)
    }

    @Test func deleteAllFollowsDeleteRules() throws {
        let context = shelf.context
        let emma = try #require(try context.object(of: Book.self, id: 1))
        let jane = try #require(try context.object(of: Author.self, id: 1))
        for id in [1, 3] as [Int64] {
            let cover = try context.insert(Cover.self)
            cover.image = [1]
            cover.book = try context.object(of: Book.self, id: id)
        }
        try context.save()
        #expect(jane.books.count == 3)
        let murray = FetchRequest<Book>(matching: try FetchPredicate("publisher.name == 'Murray'"))
        #expect(try context.deleteAll(murray) == 4)
        #expect(emma.isDeleted)
        #expect(jane.books.map(\.title) == ["Mansfield Park"])
        #expect(try shelf.store.rows("SELECT id FROM Book ORDER BY id") == ["2", "4", "5"])
        #expect(try shelf.store.rows("SELECT count(*) FROM Cover") == ["0"])
        #expect(try context.deleteAll(FetchRequest<Publisher>()) == 2)
        #expect(try shelf.store.rows("SELECT count(*) FROM Book WHERE publisher IS NOT NULL") == ["0"])
        #expect(try context.deleteAll(FetchRequest<Publisher>()) == 0)
    }

    @Test func deniedDeleteAllChangesNothing() throws {
        let store = TemporaryStore()
        let context = try store.context(Library.model(publisherRule: .deny))
        let publisher = try context.insert(Publisher.self)
        publisher.name = "Murray"
        let book = try context.insert(Book.self)
        book.title = "Emma"
        book.publisher = publisher
        try context.save()
        let error = #expect(throws: DeleteDeniedError.self) {
            try context.deleteAll(FetchRequest<Publisher>())
        }
        #expect(error?.description == "Publisher 1 cannot be deleted: Publisher 1.books still has Book 1")
        #expect(try store.rows("SELECT count(*) FROM Publisher") == ["1"])
        #expect(try context.deleteAll(FetchRequest<Book>()) == 1)
        #expect(try context.deleteAll(FetchRequest<Publisher>()) == 1)
    }
}
