import ObjectStore
import Testing

// The example of docs/object-store.md. `DocumentationTests` requires every line of code of that page here or in the
// extensions, so the code of the page is compiled and run.

/// A shelf of books, as an example of a program that uses the library.
@Suite struct BooksExample {
    final class Book: ManagedObject {
        @Attribute(.required, .length(1...200)) var title: String
        @Attribute(.range(0...)) var pages: Int = 0
        @Attribute var published: Timestamp?
        @Attribute var genre: Genre = .novel
        @ToOne var publisher: Publisher?
        @ToMany(inverse: \Author.books) var authors: RelatedObjects<Author>

        override func validate() throws {
            if published != nil, pages == 0 { throw invalid(\Book.pages, detail: "is 0 in a published book") }
        }
    }

    final class Author: ManagedObject {
        @Attribute(.required) var name: String
        @ToMany var books: RelatedObjects<Book>
    }

    final class Publisher: ManagedObject {
        @Attribute(.required, .uniqueIgnoringCase) var name: String
        @ToMany(inverse: \Book.publisher, deleteRule: .deny) var books: RelatedObjects<Book>
    }

    enum Genre: Int, AttributeValueConvertible {
        case novel, poetry, science
    }

    final class Recipe: ManagedObject {
        @Attribute(.required) var name: String
        @ToMany(inverse: \Step.recipe, orderedBy: \.place) var steps: RelatedObjects<Step>
    }

    final class Step: ManagedObject {
        @Attribute(.required) var text: String
        @Attribute var place: Int?
        @ToOne var recipe: Recipe?
    }

    struct PostalAddress: CompositeAttribute {
        var street = ""
        var city: String?

        static var partRules: [CompositePart<PostalAddress>] { [.part(\.street, .length(0...100))] }
    }

    final class Member: ManagedObject {
        @Attribute(.required) var name: String
        @Composite var home: PostalAddress
        @Composite(partRules: [.part(\.city, .required)]) var work: PostalAddress?
    }

    final class Track: ManagedObject {
        @Attribute(.required) var title: String
        @Attribute var seconds: Int = 0
        @Attribute(derivedFrom: "lowercase(title)") var sortTitle: String?
        @Attribute(derivedFrom: "(seconds + 59) / 60") var minutes: Int = 0
    }

    final class Page: ManagedObject {
        @Attribute(.required) var number: Int
        @External(.length(0...50_000_000)) var scan: [UInt8]?
    }

    class Item: ManagedObject {
        override class var isAbstract: Bool { self == Item.self }
        @Attribute(.required) var title: String
    }

    final class Chore: Item {
        @Attribute var minutes: Int = 15
    }

    final class Note: Item {
        @Attribute var text: String?
    }

    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: ["1"],
            entities: [
                EntityDescription(
                    Book.self,
                    indexedBy: .index(\.published), .index(\.title, where: { $0.pages > 0 }),
                    .search(\.title)),
                EntityDescription(Author.self),
                EntityDescription(Publisher.self),
            ])
    }

    static func firstVersion() throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: ["0"],
            entities: [
                EntityDescription(
                    "Book",
                    attributes: [.string("title", .required), .integer32("pages", default: 0)],
                    relationships: [.toOne("publisher", destination: "Publisher", inverse: "books")],
                    indexes: [.index("title")]),
                EntityDescription(
                    "Publisher",
                    attributes: [.string("name", .required, .uniqueIgnoringCase)],
                    relationships: [
                        .toMany("books", destination: "Book", inverse: "publisher", deleteRule: .deny)
                    ]),
            ])
    }

    let temporary = TemporaryStore()

    func open() throws -> ManagedObjectContext {
        let path = temporary.path
        let coordinator = PersistentStoreCoordinator(model: try Self.model())
        try coordinator.addStore(.sqlite(path: path))
        let context = ManagedObjectContext(coordinator: coordinator)
        return context
    }

    func filled() throws -> ManagedObjectContext {
        let context = try open()
        let publisher = try context.insert(Publisher.self)
        publisher.name = "John Murray"

        let jane = try context.insert(Author.self)
        jane.name = "Jane Austen"

        let emma = try context.insert(Book.self)
        emma.title = "Emma"
        emma.pages = 474
        emma.publisher = publisher
        emma.authors.insert(jane)

        try context.save()
        return context
    }

    @Test func objectsAndRelationships() throws {
        let context = try filled()
        let publisher = try #require(try context.objects(of: Publisher.self).first)
        let emma = try #require(try context.objects(of: Book.self).first)
        print(publisher.books.map(\.title))  // ["Emma"]
        #expect(publisher.books.map(\.title) == ["Emma"])

        emma.publisher = nil
        print(publisher.books.isEmpty)  // true
        #expect(publisher.books.isEmpty)
        context.rollback()
        #expect(emma.publisher === publisher)
        #expect(throws: DeleteDeniedError.self) { try context.delete(publisher) }
    }

    @Test func orders() throws {
        let coordinator = PersistentStoreCoordinator(
            model: try ManagedObjectModel(entities: [
                EntityDescription(Recipe.self), EntityDescription(Step.self),
            ]))
        try coordinator.addStore(.memory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let recipe = try context.insert(Recipe.self)
        recipe.name = "Bread"
        let steps = try ["Mix", "Bake", "Serve"].map { text in
            let step = try context.insert(Step.self)
            step.text = text
            return step
        }
        let (mix, bake, serve) = (steps[0], steps[1], steps[2])
        recipe.steps.replace(with: [mix, bake, serve])
        recipe.steps.insert(bake, at: 0)
        let oven = try context.fetch(Recipe.where { $0.steps.first.text == "Bake" })
        #expect(oven.first?.steps.map(\.text) == ["Bake", "Mix", "Serve"])
    }

    @Test func derivedAttributes() throws {
        let coordinator = PersistentStoreCoordinator(
            model: try ManagedObjectModel(entities: [
                EntityDescription(Track.self, indexedBy: .index(\.sortTitle))
            ])
        )
        try coordinator.addStore(.memory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let track = try context.insert(Track.self)
        (track.title, track.seconds) = ("Blue in Green", 337)
        try context.save()
        print(track.sortTitle ?? "", track.minutes)  // blue in green 6
        let found = try context.fetch(Track.where { $0.minutes < 10 }.ordered(by: \.sortTitle))
        #expect(found == [track] && track.sortTitle == "blue in green" && track.minutes == 6)
    }

    @Test func compositeAttributes() throws {
        let coordinator = PersistentStoreCoordinator(
            model: try ManagedObjectModel(entities: [EntityDescription(Member.self)]))
        try coordinator.addStore(.memory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let member = try context.insert(Member.self)
        member.name = "Emma"
        member.home.city = "Paris"
        try context.save()
        let found = try context.fetch(Member.where { $0.home.city == "Paris" }.ordered(by: \.home.street))
        let same = try FetchPredicate("home.city == 'Paris' AND work == nil")
        #expect(try context.fetch(FetchRequest<Member>(matching: same)) == found && found == [member])
    }

    @Test func largeValues() throws {
        let coordinator = PersistentStoreCoordinator(
            model: try ManagedObjectModel(entities: [EntityDescription(Page.self)]))
        try coordinator.addStore(.memory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let page = try context.insert(Page.self)
        (page.number, page.scan) = (1, [1, 2, 3])
        try context.save()
        let missing = try context.fetch(Page.where { $0.scan == nil })
        let shown = try context.fetch(Page.where { $0.number < 3 }.prefetching(\.scan))
        #expect(missing.isEmpty && shown == [page] && page.scan == [1, 2, 3])
    }

    @Test func inheritance() throws {
        let coordinator = PersistentStoreCoordinator(
            model: try ManagedObjectModel(entities: [
                EntityDescription(Item.self), EntityDescription(Chore.self), EntityDescription(Note.self),
            ]))
        try coordinator.addStore(.memory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let chore = try context.insert(Chore.self)
        (chore.title, chore.minutes) = ("Attic", 90)
        try context.insert(Note.self).title = "Beans"
        let found = try context.fetch(Item.all.ordered(by: \.title))  // chores and notes
        let long = try context.fetch(Chore.where { $0.title.begins(with: "A") && $0.minutes > 60 })
        let notes = try context.fetch(FetchRequest<Item>(matching: FetchPredicate("entity == 'Note'")))
        #expect(found.map { "\(type(of: $0))" } == ["Chore", "Note"])
        #expect(long == [chore] && notes.map(\.title) == ["Beans"])
    }
}
