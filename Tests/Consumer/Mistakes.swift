import ObjectStore

// Mistakes that the compiler has to refuse. The check `mistakes` compares its only error in a line with the comment before
// that line.

final class Book: ManagedObject {
    @Attribute(.required) var title: String
    @Attribute var pages: Int = 7
    @Attribute var isDone: Bool = false
    @Attribute var isbn: String?
    @Composite var size: Size
    @ToOne var publisher: Publisher?
}

struct Size: CompositeAttribute {
    var height = 20
    var width: Int?
}

final class Publisher: ManagedObject {
    @Attribute(.required) var name: String
    @ToMany(inverse: \Book.publisher) var books: RelatedObjects<Book>
}

func misspelt(_ context: ManagedObjectContext) throws {
    // has no dynamic member 'titel'
    _ = Book.where { $0.titel == "x" }
    // has no dynamic member 'nam'
    _ = Book.where { $0.publisher.nam == "x" }
    // has no dynamic member 'hieght'
    _ = Book.where { $0.size.hieght > 20 }
    // value of type 'Book' has no member 'titel'
    _ = Book.all.ordered(by: \.titel)
    // value of type 'Book' has no member 'titel'
    _ = EntityDescription(Book.self, indexedBy: .index(\.titel))
    // has no dynamic member 'pagse'
    _ = EntityDescription(Book.self, indexedBy: .index(\.title, where: { $0.pagse > 3 }))
    // value of type 'Book' has no member 'titel'
    _ = try context.rows(Book.all, of: \.titel, \.pages)
    // has no dynamic member 'pagse'
    try context.updateAll(Book.all) { $0.pagse = 3 }
}

func mistyped(_ context: ManagedObjectContext, _ text: String) throws {
    // the value is not of the type of the property
    _ = Book.where { $0.pages > "3" }
    // the property is not optional, so it is never nil
    _ = Book.where { $0.pages == nil }
    // a relationship is compared with an object of its class
    _ = Book.where { $0.publisher == text }
    // only a Boolean property is a condition by itself
    _ = Book.where { $0.title }
    // a composite attribute is compared with a value of its type
    _ = Book.where { $0.size == 3 }
    // requires that 'String' conform to 'AttributeNumber'
    _ = Publisher.where { $0.books.sum(\.title) > "x" }
    // requires that 'String' conform to 'AttributeNumber'
    _ = try context.rows(Book.all, of: .average(\.isbn))
    // cannot assign value of type '[(String, Int)]'
    let _: [(String, String)] = try context.rows(Book.all, of: \.title, \.pages)
    // cannot assign value of type 'String' to type 'Int'
    try context.updateAll(Book.all) { $0.pages = "x" }
    // cannot convert value of type 'String'
    _ = try context.object(of: Book.self, matching: \.pages, equals: "x")
}

func misunderstood(_ context: ManagedObjectContext, _ flag: Bool) throws {
    // a predicate cannot be joined with a Bool; test the Bool with `if` before
    _ = Book.where { $0.pages > 3 && flag }
    // a predicate cannot be joined with a Bool; test the Bool with `if` before
    _ = Book.where { $0.isDone && flag }
    // arithmetic needs two numbers of one type
    _ = Book.where { $0.title + 1 > "x" }
    // only a relationship or an external attribute is prefetched
    _ = Book.all.prefetching(\.title)
    // it cannot be computed from old values
    try context.updateAll(Book.all) { $0.pages += 3 }
}
