import Foundation
import ObjectStore
import ObjectStoreFoundation
import Testing

/// Objects that are encoded and decoded.
@Suite final class ObjectCodingTests {
    final class Book: ManagedObject {
        @Attribute(.required) var title: String
        @Attribute var pages: Int = 0
        @Attribute var genre: Genre = .novel
        @Attribute var published: Timestamp?
        @Attribute(type: .integer16) var shelf: Int16?
        @ToOne var publisher: Publisher?
        @ToMany(inverse: \Author.books) var authors: RelatedObjects<Author>
    }

    final class Author: ManagedObject {
        @Attribute(.required) var name: String
        @ToMany var books: RelatedObjects<Book>
    }

    final class Publisher: ManagedObject {
        @Attribute(.required) var name: String
        @Attribute var rating: Double?
        @Attribute var open: Bool = true
        @Attribute var mark: [UInt8]?
        @Attribute var token: UUIDValue?
        @Attribute var price: DecimalValue?
        @Attribute var site: URIValue?
        @Attribute var address: Address?
        @ToMany(inverse: \Book.publisher) var books: RelatedObjects<Book>
    }

    enum Genre: Int, AttributeValueConvertible {
        case novel, poetry
    }

    struct Address: JSONAttribute, Equatable {
        var street: String
        var floors: [Int]
    }

    let context: ManagedObjectContext
    let encoder = JSONEncoder()
    /// The contexts of the branches, which have to live as long as these.
    private var branches: [ManagedObjectContext] = []

    init() throws {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(Book.self), EntityDescription(Author.self), EntityDescription(Publisher.self),
        ])
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(.memory)
        context = ManagedObjectContext(coordinator: coordinator)
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    final class Label: ManagedObject {
        @Attribute var text: String = ""
        @Attribute(derivedFrom: "uppercase(text)") var loud: String?
    }

    @Test func codingOfAllAttributesReadsDerivedOnesOfItsOwnOutput() throws {
        let coordinator = PersistentStoreCoordinator(
            model: try ManagedObjectModel(entities: [EntityDescription(Label.self)]))
        try coordinator.addStore(.memory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let label = try context.insert(Label.self)
        label.text = "low"
        try context.save()
        let json = try encoder.encode(ObjectCoding<Label>().encoding(label))
        #expect(String(decoding: json, as: UTF8.self) == #"{"loud":"LOW","text":"low"}"#)
        let copy = try ObjectCoding<Label>().insert(into: context, fromJSON: json)
        try context.save()
        #expect(copy.text == "low" && copy.loud == "LOW")
        #expect(throws: ObjectCodingError.self) {
            try ObjectCoding(\Label.loud).fill(copy, fromJSON: Data(#"{"loud":"x"}"#.utf8))
        }
    }

    final class Paint: ManagedObject {
        @Attribute var tags: [String] = []
        @Attribute var numbers: [Int]?
        @Attribute var dates: [Timestamp]?
    }

    @Test func listsAreArrays() throws {
        let coordinator = PersistentStoreCoordinator(
            model: try ManagedObjectModel(entities: [EntityDescription(Paint.self)]))
        try coordinator.addStore(.memory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let coding = ObjectCoding<Paint>()
        let paint = try context.insert(Paint.self)
        (paint.tags, paint.dates) = (["a", "b"], [Timestamp(secondsSince1970: 0)])
        let json = try encoder.encode(coding.encoding(paint))
        #expect(
            String(decoding: json, as: UTF8.self)
                == #"{"dates":["1970-01-01T00:00:00Z"],"numbers":null,"tags":["a","b"]}"#)
        let copy = try coding.insert(into: context, fromJSON: json)
        #expect(copy.tags == ["a", "b"] && copy.numbers == nil && copy.dates == paint.dates)
        for wrong in [
            #"{"tags":"a"}"#, #"{"tags":[1]}"#, #"{"numbers":[1,"b"]}"#, #"{"tags":["\u0000"]}"#,
            #"{"tags":[null]}"#,
        ] {
            let error = #expect(throws: ObjectCodingError.self) {
                try coding.insert(into: context, fromJSON: Data(wrong.utf8))
            }
            #expect(error.map { "\($0)".contains("is not a list of the type") } == true)
        }
    }

    private func emma() throws -> Book {
        let book = try context.insert(Book.self)
        (book.title, book.pages) = ("Emma", 474)
        book.published = Timestamp(secondsSince1970: -4.86e9 + 0.5)
        let publisher = try context.insert(Publisher.self)
        publisher.name = "Murray"
        book.publisher = publisher
        let author = try context.insert(Author.self)
        author.name = "Jane"
        book.authors.insert(author)
        return book
    }

    private func json<Object>(_ object: Object, _ coding: ObjectCoding<Object> = .init()) throws -> String {
        String(decoding: try encoder.encode(coding.encoding(object)), as: UTF8.self)
    }

    private func insert<Object>(_ text: String, _ coding: ObjectCoding<Object> = .init()) throws -> Object {
        try coding.insert(into: context, fromJSON: Data(text.utf8))
    }

    private func error(_ text: String, _ coding: ObjectCoding<Book> = .init()) throws -> String {
        try #require(throws: ObjectCodingError.self) { try insert(text, coding) }.description
    }

    // MARK: - Encoding

    @Test func attributesAreEncodedByDefault() throws {
        #expect(
            try json(emma())
                == #"{"genre":0,"pages":474,"published":"1815-12-30T00:00:00.5Z","shelf":null,"title":"Emma"}"#
        )
    }

    @Test func keysAndRelationshipsAreChosen() throws {
        let book = try emma()
        #expect(
            try json(book, ObjectCoding(\.id, \.publisher, \.authors))
                == #"{"authors":[1],"id":1,"publisher":1}"#)
        let nested = ObjectCoding<Book>(\.title).nesting(\.publisher, ObjectCoding(\.name))
            .nesting(\.authors, ObjectCoding(\.name))
        #expect(
            try json(book, nested)
                == #"{"authors":[{"name":"Jane"}],"publisher":{"name":"Murray"},"title":"Emma"}"#)
        book.publisher = nil
        #expect(
            try json(book, ObjectCoding(\.title).including(\.publisher))
                == #"{"publisher":null,"title":"Emma"}"#)
    }

    @Test func unknownPropertyIsRefused() throws {
        let book = try emma()
        let error = try #require(throws: ObjectCodingError.self) {
            try json(book, ObjectCoding(properties: ["title", "titel"]))
        }
        #expect(error.description == "Book.titel is not a property of the entity")
    }

    // MARK: - Composite attributes

    struct Site: CompositeAttribute, Equatable {
        var city = ""
        var zip: Int?
        var genre = Genre.novel
        var place = Place()
    }

    struct Place: CompositeAttribute, Equatable {
        var x: Double?
        var y: Double?
    }

    final class Branch: ManagedObject {
        @Attribute var name: String = ""
        @Composite var site: Site
        @Composite var annex: Site?
    }

    private func branch(_ text: String?, _ coding: ObjectCoding<Branch> = .init()) throws -> (String, Branch)
    {
        let coordinator = PersistentStoreCoordinator(
            model: try ManagedObjectModel(entities: [EntityDescription(Branch.self)]))
        try coordinator.addStore(.memory)
        let context = ManagedObjectContext(coordinator: coordinator)
        branches.append(context)
        let branch = try context.insert(Branch.self)
        branch.site = Site(city: "Bath", zip: 1, place: Place(x: 2, y: nil))
        if let text { try coding.fill(branch, fromJSON: Data(text.utf8)) }
        return (String(decoding: try encoder.encode(coding.encoding(branch)), as: UTF8.self), branch)
    }

    @Test func compositeAttributeIsNestedObject() throws {
        let (text, original) = try branch(nil)
        #expect(
            text
                == #"{"annex":null,"name":"","site":{"city":"Bath","genre":0,"place":{"x":2,"y":null},"zip":1}}"#
        )
        #expect(try branch(text).1.site == original.site)
        let (_, filled) = try branch(
            #"{"annex":{"city":"A","zip":null,"genre":1,"place":null},"site":{"zip":5}}"#)
        #expect(filled.annex == Site(city: "A", genre: .poetry) && filled.site.zip == 5)
        #expect(filled.site.city == "Bath")
        #expect(try branch(nil, ObjectCoding(\.site.zip, \.name)).0 == #"{"name":"","site":{"zip":1}}"#)
        #expect(try branch(nil, ObjectCoding(\.site.place)).0 == #"{"site":{"place":{"x":2,"y":null}}}"#)
    }

    @Test(arguments: [
        (#"{"site":null}"#, "Branch.site.city must not be null"),
        (#"{"site":3}"#, "Branch.site is not an object with the parts of the attribute"),
        (#"{"site":{"zip":"x"}}"#, "Branch.site.zip is not a value of the type integer64, in site"),
        (
            #"{"site":{"genre":7}}"#,
            "Branch.site.genre has a value that its type in Swift cannot hold, in site"
        ),
        (#"{"site":{"city":"x","town":"y"}}"#, "Branch.site.town is not one of the decoded properties"),
    ])
    func errorsNameParts(_ text: String, _ problem: String) throws {
        let error = #expect(throws: ObjectCodingError.self) {
            try branch(text, ObjectCoding().unknownKeys(.refused))
        }
        #expect(error?.description == problem)
    }

    // MARK: - Decoding

    @Test func everyTypeIsDecodedAsEncoded() throws {
        let publisher = try context.insert(Publisher.self)
        (publisher.name, publisher.rating, publisher.open) = ("Murray \u{1F4D6}", 0.1, false)
        (publisher.mark, publisher.token) = ([0, 255], UUIDValue(high: 1, low: 2))
        (publisher.price, publisher.site) = (
            DecimalValue("12345678901234567890.125"), URIValue("https://a.b/c")
        )
        publisher.address = Address(street: "Albemarle \"Street\"", floors: [1, 2])
        let copy: Publisher = try insert(json(publisher))
        #expect(copy !== publisher)
        #expect(try json(copy) == json(publisher))
        #expect(copy.address == publisher.address && copy.price == publisher.price && copy.mark == [0, 255])
        let book = try emma()
        let same: Book = try insert(
            json(book, .init().including(\.publisher)), .init().including(\.publisher))
        #expect(same.publisher === book.publisher && same.published == book.published && same.genre == .novel)
    }

    @Test func absentKeysKeepValuesAndNullClearsThem() throws {
        let book = try emma()
        try ObjectCoding<Book>().fill(book, fromJSON: Data(#"{"published":null,"pages":500}"#.utf8))
        #expect(book.title == "Emma" && book.pages == 500 && book.published == nil)
        let other: Book = try insert(#"{"title":"Persuasion"}"#)
        #expect(other.pages == 0 && other.genre == .novel)
    }

    @Test func nestedObjectsAreInsertedOrFilled() throws {
        let coding = ObjectCoding<Book>().nesting(\.publisher, ObjectCoding()).nesting(
            \.authors, ObjectCoding())
        let book: Book = try insert(
            #"{"title":"Emma","publisher":{"name":"Murray"},"authors":[{"name":"A"},{"name":"B"}]}"#, coding)
        #expect(book.authors.map(\.name) == ["A", "B"])
        let publisher = try #require(book.publisher)
        let single = ObjectCoding<Book>().nesting(\.publisher, ObjectCoding())
        try single.fill(book, fromJSON: Data(#"{"publisher":{"name":"Egerton"}}"#.utf8))
        #expect(book.publisher === publisher && publisher.name == "Egerton")
        let error = try #require(throws: ObjectCodingError.self) {
            try coding.fill(book, fromJSON: Data(#"{"authors":[{"name":"C"}]}"#.utf8))
        }
        #expect(
            error.description == "Book.authors has nested objects, which are decoded for a new object only")
    }

    @Test func errorsNameEntityAndProperty() throws {
        #expect(try error(#"{"pages":"many"}"#) == "Book.pages is not a value of the type integer64")
        #expect(try error(#"{"shelf":40000}"#) == "Book.shelf is not a value of the type integer16")
        #expect(try error(#"{"title":null}"#) == "Book.title must not be null")
        #expect(try error(#"{"published":"friday"}"#) == "Book.published is not a value of the type date")
        #expect(try error(#"{"genre":7}"#) == "Book.genre has a value that its type in Swift cannot hold")
        let withIDs = ObjectCoding<Book>().including(\.publisher)
        #expect(
            try error(#"{"publisher":9}"#, withIDs)
                == "Book.publisher refers to Publisher 9, which does not exist")
        #expect(try error(#"{"publisher":"x"}"#, withIDs) == "Book.publisher is not the id of an object")
        let nested = ObjectCoding<Book>().nesting(\.authors, ObjectCoding(\.name))
        #expect(
            try error(#"{"authors":[{"name":"A"},{"name":3}]}"#, nested)
                == "Author.name is not a value of the type string, in authors.1")
    }

    @Test func unknownKeysAreIgnoredOrRefused() throws {
        let text = #"{"title":"Emma","titel":1}"#
        let book: Book = try insert(text)
        #expect(book.title == "Emma")
        #expect(
            try error(text, ObjectCoding().unknownKeys(.refused))
                == "Book.titel is not one of the decoded properties")
    }

    @Test func failedInsertionLeavesNothing() throws {
        let nested = ObjectCoding<Book>().nesting(\.publisher, ObjectCoding()).nesting(
            \.authors, ObjectCoding())
        _ = try error(
            #"{"title":"Emma","publisher":{"name":"M"},"authors":[{"name":"A"},{"name":3}]}"#, nested)
        #expect(!context.hasChanges)
        #expect(try context.count(Book.all) + context.count(Author.all) + context.count(Publisher.all) == 0)
    }

    @Test func failedFillChangesNoAttribute() throws {
        let book = try emma()
        #expect(throws: ObjectCodingError.self) {
            try ObjectCoding<Book>().fill(book, fromJSON: Data(#"{"title":"x","genre":9}"#.utf8))
        }
        #expect(book.title == "Emma")
    }

    @Test func malformedJSONIsErrorOfDecoder() throws {
        for text in ["", "{", "[]", "3", #"{"title":"#] {
            #expect(throws: DecodingError.self) { let _: Book = try insert(text) }
        }
        #expect(!context.hasChanges)
    }

    // MARK: - Codable attributes

    @Test func codableAttributeIsStoredAsText() throws {
        let publisher = try context.insert(Publisher.self)
        publisher.name = "Murray"
        publisher.address = Address(street: "Albemarle", floors: [1])
        try context.save()
        #expect(try publisher.value(of: "address") == .string(#"{"floors":[1],"street":"Albemarle"}"#))
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let same = try other.fetch(
            Publisher.where { $0.address == Address(street: "Albemarle", floors: [1]) })
        #expect(same.map(\.address?.floors) == [[1]])
        publisher.address = nil
        try context.save()
        #expect(try context.count(Publisher.where { $0.address == nil }) == 1)
    }
}
