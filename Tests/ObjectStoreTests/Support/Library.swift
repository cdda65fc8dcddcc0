import ObjectStore

// The model of the tests: books, authors and publishers, with every kind of relationship.

final class Book: ManagedObject {
    @Attribute("title") var title: String
    @Attribute("published") var published: Timestamp?
    @Attribute("pages") var pages: Int
    @Attribute("inPrint") var inPrint: Bool
    @Attribute("isbn") var isbn: String?
    @Attribute("rating") var rating: Double?
    @ToOne("publisher") var publisher: Publisher?
    @ToOne("cover") var cover: Cover?
    @ToMany("authors") var authors: RelatedObjects<Author>
}

final class Author: ManagedObject {
    @Attribute("name") var name: String
    @Attribute("born") var born: Int16?
    @ToMany("books") var books: RelatedObjects<Book>
}

final class Publisher: ManagedObject {
    @Attribute("name") var name: String
    @Attribute("site") var site: URIValue?
    @ToMany("books") var books: RelatedObjects<Book>
}

/// The cover of a book. A book has at most one cover, which is deleted with it, and a cover belongs to at
/// most one book.
final class Cover: ManagedObject {
    @Attribute("image") var image: [UInt8]
    @Attribute("token") var token: UUIDValue?
    @Attribute("price") var price: DecimalValue?
    @ToOne("book") var book: Book?
}

enum Library {
    static func model(
        publisherRule: DeleteRule = .nullify, configurations: [String: Set<String>] = [:]
    ) throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: ["1"], entities: entities(publisherRule: publisherRule),
            configurations: configurations)
    }

    static func entities(publisherRule: DeleteRule = .nullify) -> [EntityDescription] {
        [
            EntityDescription(
                "Book", class: Book.self,
                attributes: [
                    .string("title", .required, .length(1...200)),
                    .date("published"),
                    .integer32("pages", .range(0...100_000), default: 0),
                    .boolean("inPrint", default: true),
                    .string("isbn", .unique),
                    .double("rating", .range(0.0...5.0)),
                ],
                relationships: [
                    .toOne("publisher", destination: "Publisher", inverse: "books"),
                    .toOne("cover", destination: "Cover", inverse: "book", deleteRule: .cascade),
                    .toMany("authors", destination: "Author", inverse: "books"),
                ],
                indexes: [
                    .index("published"),
                    .index("title", where: FetchPredicate(.key("inPrint"), .equal, .value(.boolean(true)))),
                ]),
            EntityDescription(
                "Author", class: Author.self,
                attributes: [.string("name", .required), .integer16("born")],
                relationships: [.toMany("books", destination: "Book", inverse: "authors")]),
            EntityDescription(
                "Publisher", class: Publisher.self,
                attributes: [.string("name", .required, .uniqueIgnoringCase), .uri("site")],
                relationships: [
                    .toMany("books", destination: "Book", inverse: "publisher", deleteRule: publisherRule)
                ]),
            EntityDescription(
                "Cover", class: Cover.self,
                attributes: [.binary("image", .required), .uuid("token"), .decimal("price")],
                relationships: [.toOne("book", destination: "Book", inverse: "cover")]),
        ]
    }
}
