import ObjectStore
import Testing

/// Objects that outlive their context.
@Suite struct ReleasedContextTests {
    let directory = TemporaryStore()

    /// Makes the mistake under test: nothing keeps the context.
    private static func load(_ coordinator: PersistentStoreCoordinator) throws -> [Book] {
        try ManagedObjectContext(coordinator: coordinator).objects(
            of: Book.self, orderedBy: [FetchOrder("id")])
    }

    private static let remedy =
        "the context of Book 1 was released; keep a reference to the ManagedObjectContext for as long as its objects "
        + "are used"

    /// O4: Values stay readable, and each function that throws names the object and the remedy.
    @Test(arguments: TestedStore.allCases)
    func functionsThatThrowNameTheRemedy(_ kind: TestedStore) throws {
        let coordinator = try kind.shelf(in: directory).coordinator
        let book = try #require(try Self.load(coordinator).first)
        #expect(book.context == nil)
        #expect(book.title == "Emma")
        #expect(try book.value(of: "pages") == .integer(474))
        let reads: [(String, String, () throws -> Void)] = [
            ("publisher", "read", { _ = try book.target(of: "publisher") }),
            ("authors", "read", { _ = try book.authors.all() }),
            ("authors", "read", { _ = try book.objects(of: "authors").all() }),
            ("title", "changed", { try book.setValue(.string("E."), of: "title") }),
            ("publisher", "changed", { try book.setTarget(nil, of: "publisher") }),
        ]
        for (property, verb, body) in reads {
            let error = #expect(throws: PropertyError.self) { try body() }
            #expect(error?.description == "Book.\(property) cannot be \(verb): \(Self.remedy)")
        }
    }

    /// O4: A property cannot throw, so it ends the program with the same message.
    @Test func propertiesEndTheProgramWithTheRemedy() async throws {
        let toOne = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try TestedStore.memory.shelf(in: TemporaryStore())
            _ = try ReleasedContextTests.load(context.coordinator)[0].publisher
        }
        let toMany = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try TestedStore.memory.shelf(in: TemporaryStore())
            for author in try ReleasedContextTests.load(context.coordinator)[0].authors { print(author.name) }
        }
        let count = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try TestedStore.memory.shelf(in: TemporaryStore())
            _ = try ReleasedContextTests.load(context.coordinator)[0].authors.count
        }
        let value = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try TestedStore.memory.shelf(in: TemporaryStore())
            try ReleasedContextTests.load(context.coordinator)[0].title = "E."
        }
        let insertion = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try TestedStore.memory.shelf(in: TemporaryStore())
            let author = try #require(try context.objects(of: Author.self).first)
            try ReleasedContextTests.load(context.coordinator)[0].authors.insert(author)
        }
        let expected = [
            (toOne, "Book.publisher cannot be read"), (toMany, "Book.authors cannot be read"),
            (count, "Book.authors cannot be read"), (value, "Book.title cannot be changed"),
            (insertion, "Book.authors cannot be changed"),
        ]
        for (result, beginning) in expected {
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("\(beginning): \(Self.remedy)"), "\(text)")
        }
    }
}
