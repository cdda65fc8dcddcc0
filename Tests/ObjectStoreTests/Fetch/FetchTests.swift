import ObjectStore
import Testing

@Suite struct FetchTests {
    let shelf: Shelf

    init() throws {
        shelf = try Shelf()
    }

    @Test(arguments: [
        ([FetchOrder("title")], ["Emma", "Mansfield Park", "Persuasion", "emma", "Éire"]),
        ([FetchOrder("title", ascending: false)], ["Éire", "emma", "Persuasion", "Mansfield Park", "Emma"]),
        (
            [FetchOrder("title", options: .caseInsensitive)],
            ["Emma", "emma", "Mansfield Park", "Persuasion", "Éire"]
        ),
        (
            [FetchOrder("title", options: [.caseInsensitive, .diacriticInsensitive])],
            ["Éire", "Emma", "emma", "Mansfield Park", "Persuasion"]
        ),
        ([FetchOrder("rating")], ["emma", "Éire", "Mansfield Park", "Persuasion", "Emma"]),
        (
            [FetchOrder("publisher.name", ascending: false), FetchOrder("pages")],
            ["Persuasion", "Emma", "Mansfield Park", "Éire", "emma"]
        ),
        ([FetchOrder("id", ascending: false)], ["Éire", "Mansfield Park", "Persuasion", "emma", "Emma"]),
    ])
    func ordersSortObjects(_ order: [FetchOrder], _ titles: [String]) throws {
        #expect(try shelf.titles(FetchRequest(orderedBy: order)) == titles)
    }

    @Test func limitsAndOffsetsSelectRows() throws {
        let order = [FetchOrder("pages")]
        #expect(try shelf.titles(FetchRequest(orderedBy: order, limit: 2)) == ["Éire", "emma"])
        #expect(
            try shelf.titles(FetchRequest(orderedBy: order, limit: 2, offset: 3)) == [
                "Emma", "Mansfield Park",
            ])
        #expect(try shelf.titles(FetchRequest(orderedBy: order, offset: 4)) == ["Mansfield Park"])
        #expect(try shelf.titles(FetchRequest(limit: 0)) == [])
        #expect(try shelf.titles(FetchRequest(limit: 2)) == ["Emma", "emma"])
        #expect(try shelf.context.count(FetchRequest<Book>()) == 5)
        #expect(try shelf.context.count(FetchRequest<Book>(limit: 3)) == 3)
        #expect(try shelf.context.count(FetchRequest<Book>(offset: 4)) == 1)
        #expect(try shelf.context.ids(FetchRequest<Book>(orderedBy: order, limit: 2)) == [5, 2])
    }

    @Test func requestFetchesObjectsThatMatchItsPredicate() throws {
        let long = try FetchPredicate("pages > %d AND publisher.name ==[c] %@", 300, "murray")
        #expect(try shelf.titles(FetchRequest(matching: long)) == ["Emma"])
        #expect(try shelf.context.count(FetchRequest<Book>(matching: long)) == 1)
        let written = try FetchPredicate("ANY authors.name == 'Jane' AND rating < $limit")
        let bound = written.binding(["limit": AttributeValue.double(4)])
        #expect(try shelf.titles(FetchRequest(matching: bound)) == ["Mansfield Park"])
    }

    // MARK: - Statements

    @Test func explanationContainsStatement() throws {
        let request = FetchRequest<Book>(
            matching: try FetchPredicate("inPrint == YES AND publisher.name == %@", "Murray"),
            orderedBy: [FetchOrder("published", ascending: false)], limit: 10, offset: 20)
        let explanation = try shelf.context.explanation(of: request)
        #expect(
            explanation.statement == """
                SELECT t0."id", t0."title", t0."published", t0."pages", t0."inPrint", t0."isbn", t0."rating", \
                t0."publisher", t0."cover" FROM "Book" AS t0 LEFT JOIN "Publisher" AS t1 ON t1."id" = t0."publisher" \
                WHERE t0."inPrint" = 1 AND t1."name" = ? ORDER BY t0."published" DESC, t0."id" LIMIT ? OFFSET ?
                """)
        #expect(explanation.bindings == [.string("Murray"), .integer(10), .integer(20)])
        #expect(!explanation.plan.isEmpty)
        #expect(!explanation.description.contains("Murray"))
    }

    @Test func rangeUsesIndex() throws {
        let since = try FetchPredicate("published >= %@", Timestamp(secondsSince1970: 0))
        let plan = try shelf.context.explanation(of: FetchRequest<Book>(matching: since)).plan
        #expect(plan == ["SEARCH t0 USING INDEX Book published (published>?)"])
        let inPrint = try FetchPredicate("inPrint == YES AND title == %@", "Emma")
        let partial = try shelf.context.explanation(of: FetchRequest<Book>(matching: inPrint)).plan
        #expect(partial == ["SEARCH t0 USING INDEX Book title where \"inPrint\" = 1 (title=?)"])
    }

    // MARK: - Convenience

    @Test func convenienceFunctionsFetchObjects() throws {
        let context = shelf.context
        #expect(try context.objects(of: Author.self).map(\.name) == ["Jane", "Cassandra"])
        #expect(try context.objects(of: Book.self, matching: "publisher.name", equals: "Murray").count == 2)
        #expect(
            try context.objects(of: Book.self, matching: "rating", equals: Double?.none).map(\.title) == [
                "emma"
            ])
        #expect(try context.object(of: Book.self, matching: "title", equals: "Emma")?.pages == 474)
        #expect(try context.object(of: Book.self, matching: "title", equals: "Sanditon") == nil)
        let error = #expect(throws: FetchError.self) {
            try context.object(of: Book.self, matching: "publisher.name", equals: "Murray")
        }
        #expect(error?.description == "several objects of Book have this value of publisher.name")
    }

    // MARK: - Errors

    @Test func fetchErrorNamesReason() throws {
        let context = shelf.context
        #expect(throws: FetchError(.unknownEntity, "the model has no entity Shelf")) {
            try context.fetch(FetchRequest<ManagedObject>(entity: "Shelf"))
        }
        #expect(throws: FetchError(.unknownEntity, "the objects of Author are not of the class Book")) {
            try context.fetch(FetchRequest<Book>(entity: "Author"))
        }
        #expect(throws: FetchError(.unknownKey, "Book has no attribute or relationship titel")) {
            try context.fetch(FetchRequest<Book>(orderedBy: [FetchOrder("titel")]))
        }
        #expect(throws: (any Error).self) {
            try context.fetch(FetchRequest<Book>(matching: try FetchPredicate("titel == 'Emma'")))
        }
        #expect(throws: (any Error).self) {
            try context.fetch(FetchRequest<Book>(matching: try FetchPredicate("title == $name")))
        }
    }

    @Test func objectsWithoutAClassAreReadByName() throws {
        let model = try ManagedObjectModel(entities: [
            EntityDescription("Note", attributes: [.string("text"), .integer16("size")])
        ])
        let store = TemporaryStore()
        let context = try store.context(model)
        let note = try context.insert(entity: "Note")
        try note.setValue(.string("a"), of: "text")
        #expect(throws: ValidationError.self) { try note.setValue(.integer(70_000), of: "size") }
        #expect(throws: ValidationError.self) { try note.setValue(.string("1"), of: "size") }
        #expect(throws: PropertyError.self) { try note.setValue(.string("1"), of: "colour") }
        try context.save()
        let found = try context.fetch(FetchRequest<ManagedObject>(entity: "Note"))
        #expect(try found.map { try $0.value(of: "text") } == [.string("a")])
        #expect(try context.object(ObjectID(entity: "Note", id: 1)) === note)
    }
}
