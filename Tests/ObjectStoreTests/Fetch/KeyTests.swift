import ObjectStore
import Testing

/// Requests with keys instead of names.
@Suite struct KeyTests {
    private let shelf: Shelf
    private var context: ManagedObjectContext { shelf.context }

    init() throws { shelf = try Shelf() }

    @Test func requestIsBuiltStepByStep() throws {
        let request = Book.where { $0.pages > 10 }.ordered(by: \.publisher?.name, ascending: false)
            .ordered(by: \.title).limit(3).offset(1)
        #expect(
            request.order == [FetchOrder("publisher.name", ascending: false), FetchOrder("title")]
                && request.limit == 3 && request.offset == 1)
        #expect(try shelf.titles(request) == ["Persuasion", "Mansfield Park", "emma"])
        #expect(try context.count(Book.all) == 5)
        #expect(try context.count(Book.all.where { $0.inPrint }.where { $0.rating == nil }) == 1)
        let names = [
            FetchOrder(\Book.id), FetchOrder(\Book.publisher), FetchOrder(\Book.authors.count),
            FetchOrder(\Book.publisher?.id), FetchOrder(\Book.cover?.book?.isbn),
        ].map(\.key)
        #expect(names == ["id", "publisher", "authors.@count", "publisher.id", "cover.book.isbn"])
    }

    @Test func objectsAreFoundByKey() throws {
        #expect(try context.object(of: Book.self, matching: \.title, equals: "Emma")?.pages == 474)
        #expect(try context.objects(of: Book.self, matching: \.publisher?.name, equals: "Murray").count == 2)
        #expect(try context.objects(of: Book.self, matching: \.publisher, equals: nil).count == 2)
        let murray = try context.object(of: Publisher.self, matching: \.name, equals: "Murray")
        #expect(try context.objects(of: Book.self, matching: \.publisher, equals: murray).count == 2)
        let publishers = try context.objects(of: Publisher.self)
        let books: [Book] = try context.prefetch(\.books, of: publishers)
        #expect(Set(books.map(\.title)) == ["Emma", "Persuasion", "Mansfield Park"])
    }

    // MARK: - Rows

    @Test func rowsHaveTypes() throws {
        let request = Book.where { $0.pages > 100 }.ordered(by: \.title)
        let titles: [String] = try context.rows(request, of: \.title)
        #expect(titles == ["Emma", "Mansfield Park", "Persuasion"])
        var found: [String] = []
        for (title, pages, publisher) in try context.rows(request, of: \.title, \.pages, \.publisher?.name) {
            found.append("\(title) \(pages + 1) \(publisher ?? "-")")
        }
        #expect(found == ["Emma 475 Murray", "Mansfield Park 481 Egerton", "Persuasion 250 Murray"])
        let six = try context.rows(
            request.limit(1), of: \.id, \.title, \.inPrint, \.rating, \.published, \.authors.count)
        #expect(six.count == 1 && six[0].1 == "Emma" && six[0].2 && six[0].3 == 4.5 && six[0].5 == 1)
        let ratings = try context.rows(Book.all.ordered(by: \.rating), of: \.inPrint, distinct: true)
        #expect(ratings == [true])
    }

    /// The compiler has to infer the type of each column from a key path with optional chaining.
    @Test func columnsAfterTheSecondLeadThroughOptionalRelationships() throws {
        let book = Book.where { $0.title == "Emma" }
        let three = try context.rows(
            book, of: .count, .sum(\.pages), .key(\.publisher?.name), groupedBy: [\.publisher?.name])
        let four = try context.rows(
            book, of: .count, .sum(\.pages), .max(\.cover?.book?.rating), .min(\.publisher?.name))
        let five = try context.rows(
            book, of: .count, .sum(\.pages), .average(\.cover?.book?.pages), .max(\.publisher?.name),
            .count)
        let six = try context.rows(
            book, of: .count, .sum(\.pages), .sum(\.cover?.book?.pages), .count, .average(\.rating),
            .max(\.publisher?.name))
        #expect(three.map(\.2) == ["Murray"] && four[0].2 == nil && four[0].3 == "Murray")
        #expect(five[0].2 == nil && five[0].3 == "Murray" && five[0].4 == 1)
        #expect(six[0].1 == 474 && six[0].2 == nil && six[0].4 == 4.5 && six[0].5 == "Murray")
    }

    @Test func moreThanSixColumnsHaveTypes() throws {
        let request = Book.where { $0.pages > 100 }.ordered(by: \.title).limit(1)
        let rows = try context.rows(
            request, of: \.id, \.title, \.inPrint, \.rating, \.published, \.authors.count, \.pages,
            \.publisher?.name, \.isbn)
        let row = try #require(rows.first)
        #expect(rows.count == 1 && row.1 == "Emma" && row.2 && row.3 == 4.5 && row.5 == 1)
        #expect(row.6 == 474 && row.7 == "Murray" && row.8 == nil)
        let sums = try context.rows(
            request, of: .count, .sum(\.pages), .min(\.pages), .max(\.pages), .average(\.pages),
            .min(\.title),
            .max(\.title), .max(\.rating))
        #expect(sums.count == 1 && sums[0].0 == 3 && sums[0].6 == "Persuasion" && sums[0].7 == 4.5)
        let stream = try context.stream(
            request, of: \.id, \.title, \.inPrint, \.rating, \.published, \.authors.count, \.pages, \.isbn)
        #expect(try stream.next()?.6 == 474)
        #expect(try stream.next() == nil)
    }

    @Test func streamHasTypes() throws {
        let request = Book.where { $0.pages > 100 }.ordered(by: \.title)
        let titles = try context.stream(request, of: \.title)
        let rows = try context.stream(request, of: \.title, \.pages, beside: titles.rows)
        var found: [String] = []
        while let (title, pages) = try rows.next() { found.append("\(title) \(pages + 1)") }
        #expect(found == ["Emma 475", "Mansfield Park 481", "Persuasion 250"])
        #expect(try titles.next() == "Emma")
    }

    @Test func preparedFetchHasTypes() throws {
        let long = try context.prepare(
            Book.where { $0.pages > .variable("limit") }.ordered(by: \.title), of: \.title, \.pages)
        let rows = try context.rows(long, with: ["limit": 300])
        #expect(rows.map(\.0) == ["Emma", "Mansfield Park"] && rows.map(\.1) == [474, 480])
        #expect(try context.rows(long.fetch, with: ["limit": 300]).count == 2)
        #expect(try context.rows(long.fetch, with: ["limit": .integer(300)]).count == 2)
        let titles = try context.prepare(Book.all.ordered(by: \.title).limit(1), of: \.title)
        #expect(try context.rows(titles) == ["Emma"])
        #expect(throws: (any Error).self) { try context.rows(long) }
    }

    @Test func columnsAreReadByName() throws {
        var columns = RowColumns<Book>()
        let title = columns.add(\.title)
        let rating = columns.add(\.rating)
        let publisher = columns.add(idOf: \.publisher)
        let name = columns.add(\.publisher?.name)
        var found: [String] = []
        try context.forEachRow(Book.where { $0.pages > 100 }.ordered(by: \.title), of: columns.list) { row in
            #expect((row.value(of: publisher) == nil) == (row.value(of: name) == nil))
            found.append(
                "\(row.value(of: title) ?? "") \(row.value(of: rating) ?? 0) \(row.value(of: name) ?? "-")")
        }
        #expect(found.first == "Emma 4.5 Murray" && found.count == 3)
    }

    @Test func updatesHaveTypes() throws {
        let murray = try #require(try context.object(of: Publisher.self, matching: \.name, equals: "Murray"))
        let ids = try context.ids(Book.all.ordered(by: \.id))
        var updates = TypedUpdates(of: Book.self, setting: \.pages, \.rating, \.publisher?.id)
        updates.append(id: ids[0], 7, nil, murray.id)
        updates.append(id: ids[1], 8, 1.5, nil)
        #expect(updates.updates.properties == ["pages", "rating", "publisher"])
        try context.updateEach([updates.updates])
        let books = try context.fetch(Book.all.ordered(by: \.id))
        #expect(books[0].pages == 7 && books[0].rating == nil && books[0].publisher === murray)
        #expect(books[1].pages == 8 && books[1].rating == 1.5 && books[1].publisher == nil)
    }

    @Test func changesAreFoundByKey() throws {
        let book = try #require(try context.first(Book.where { $0.title == "Emma" }))
        #expect(!book.hasChanges(\.title, \.pages, \.authors))
        book.pages = 7
        #expect(book.hasChanges(\.title, \.pages) && !book.hasChanges(\.title, \.publisher))
        #expect(try book.savedValue(of: \.pages) == 474)
        #expect(try book.savedValue(of: \.isbn) == nil)
        book.authors.removeAll()
        book.publisher = nil
        #expect(book.hasChanges(\.authors) && book.hasChanges(\.publisher))
        let new = try context.insert(Book.self)
        #expect(throws: PropertyError.self) { let _: String = try new.savedValue(of: \.title) }
    }

    @Test func keyOfOtherObjectHasNoChanges() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let shelf = try Shelf()
            let book = try shelf.context.insert(Book.self)
            book.pages = 1
            withExtendedLifetime(shelf) { _ = book.hasChanges(\.publisher?.name) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Book.publisher.name is not a property of the object itself"))
    }

    @Test func firstObjectIsFetched() throws {
        #expect(try context.first(Book.all.ordered(by: \.pages, ascending: false))?.title == "Mansfield Park")
        #expect(try context.first(Book.where { $0.pages > 9999 }) == nil)
        #expect(try context.first(Book.all.limit(0)) == nil)
        #expect(try context.exists(Book.where { $0.pages > 100 }))
        #expect(try !context.exists(Book.where { $0.pages > 9999 }))
        #expect(try context.exists(Book.all.offset(4)) && !context.exists(Book.all.offset(5)))
        let emma = try #require(try context.first(Book.where { $0.title == "Emma" }))
        let same: Book? = try context.object(of: Book.self, objectID: emma.objectID)
        #expect(same === emma)
        #expect(throws: FetchError.self) { try context.object(of: Author.self, objectID: emma.objectID) }
    }

    @Test func relationshipsArePrefetchedByKey() throws {
        #expect(Book.all.prefetching(\.publisher).prefetching == ["publisher"])
        #expect(Book.all.prefetching(\.publisher?.books).prefetching == ["publisher.books"])
        #expect(Book.all.prefetching(\.cover?.book?.publisher).prefetching == ["cover.book.publisher"])
        #expect(Publisher.all.prefetching(\.books, then: \.cover).prefetching == ["books.cover"])
        #expect(
            Publisher.all.prefetching(\.books, then: \.authors, then: \.books).prefetching
                == ["books.authors.books"])
        #expect(
            Book.all.prefetching(\.publisher?.books, then: \.authors, then: \.books).prefetching
                == ["publisher.books.authors.books"])
        #expect(
            Author.all.prefetching(\.books, then: \.authors).prefetching == ["books.authors"])
        let books = try context.fetch(Book.all.prefetching(\.publisher?.books, then: \.authors))
        let publishers: [Publisher] = try context.prefetch(\.publisher, of: books)
        #expect(Set(publishers.map(\.name)) == ["Murray", "Egerton"])
    }

    @Test func groupsHaveTypes() throws {
        let rows = try context.rows(
            Book.where { $0.publisher != nil }.ordered(by: \.publisher?.name),
            of: .key(\.publisher?.name), .count, .average(\.pages), .max(\.rating),
            groupedBy: [\.publisher?.name])
        #expect(rows.map(\.0) == ["Egerton", "Murray"])
        #expect(rows.map(\.1) == [1, 2])
        #expect(rows.map(\.2) == [480, 361.5])
        #expect(rows.map(\.3) == [3.5, 4.5])
        let sums = try context.rows(Book.all, of: .sum(\.pages), .min(\.title))
        #expect(sums.map(\.0) == [1222] && sums[0].1 == "Emma")
        #expect(try context.rows(Book.where { $0.pages < 0 }, of: .sum(\.pages)) == [nil])
    }

    @Test func missingValueOfRequiredColumnIsError() throws {
        let error = #expect(throws: FetchError.self) {
            try context.rows(Book.all, of: \.publisher!.name)
        }
        #expect(
            error?.message
                == "the column publisher.name has a value of the type nil, which String cannot hold")
    }

    // MARK: - Changes of many objects

    @Test func newValuesAreSetByKey() throws {
        let murray = try context.object(of: Publisher.self, matching: \.name, equals: "Murray")
        let count = try context.updateAll(Book.where { $0.publisher == nil }) {
            $0.inPrint = false
            $0.rating = nil
            $0.publisher = murray
        }
        #expect(count == 2)
        #expect(try context.count(Book.where { !$0.inPrint && $0.publisher == murray }) == 2)
        var updates = ObjectUpdates(of: Book.self, setting: [\.pages, \.publisher])
        #expect(updates.properties == ["pages", "publisher"])
        updates.append(id: 1, values: [.integer(5), .null])
        try context.updateEach([updates])
        #expect(try context.object(of: Book.self, id: 1)?.pages == 5)
    }

    // MARK: - Keys of classes

    class Work: ManagedObject {
        @Attribute var title: String
        @ToOne(inverse: "works") var shelf: Case?
    }

    final class Novel: Work {
        @Attribute var size: Int?
    }

    final class Case: ManagedObject {
        @Attribute var mood: Mood
        @Attribute var tag: Tag
        @Attribute var isOpen: Bool = false
        @Attribute var isNew: Bool = false
        @Attribute var height: Int = 0
        @Attribute var name: String = ""
        @Attribute var nickname: String?
        @ToMany(inverse: "shelf") var works: RelatedObjects<Novel>
        var firstTitle: String { works.first { _ in true }?.title ?? "" }
        var isOpenOrNew: Bool { isOpen || isNew }
        var isOpenAndNew: Bool { isOpen && isNew }
        var isClosed: Bool { !isOpen }
        var shownHeight: Int { max(height, 0) }
        var shownName: String { nickname ?? name }
        var isNicknamed: Bool { nickname != nil }
        var foldedName: String { name.lowercased() }
        var absoluteHeight: Int { abs(height) }
        var alias: String? { nickname }
    }

    enum Mood: String, AttributeValueConvertible {
        case gloomy, calm
    }

    /// A text without spaces. No placeholder is known, and no default is declared.
    struct Tag: AttributeValueConvertible, Hashable {
        static var attributeTypes: [AttributeType] { [.string] }
        static let empty = Tag(text: "#")
        let text: String

        init(text: String) { self.text = text }

        init?(attributeValue: AttributeValue) {
            guard case .string(let text) = attributeValue, text.hasPrefix("#") else { return nil }
            self.text = text
        }

        var attributeValue: AttributeValue { .string(text) }
    }

    @Test func inheritedPropertyHasOneNameInBothClasses() {
        #expect([FetchOrder(\Work.title), FetchOrder(\Novel.title)].map(\.key) == ["title", "title"])
        #expect(FetchOrder(\Novel.shelf?.works.count).key == "shelf.works.@count")
        #expect(Novel.where { $0.title == "x" }.predicate == Work.where { $0.title == "x" }.predicate)
        #expect(Case.where { $0.mood == .calm }.predicate.format == "mood == \"calm\"")
    }

    /// Computed properties, which read other properties than their own.
    enum ComputedKey: String, CaseIterable, Codable {
        case firstTitle, isOpenOrNew, isOpenAndNew, isClosed, shownHeight, shownName, isNicknamed, foldedName
        case absoluteHeight

        func use() {
            switch self {
            case .firstTitle: _ = FetchOrder(\Case.firstTitle)
            case .isOpenOrNew: _ = Case.where { $0.isOpenOrNew }
            case .isOpenAndNew: _ = Case.where { $0.isOpenAndNew }
            case .isClosed: _ = Case.where { $0.isClosed }
            case .shownHeight: _ = FetchOrder(\Case.shownHeight)
            case .shownName: _ = FetchOrder(\Case.shownName)
            case .isNicknamed: _ = Case.where { $0.isNicknamed }
            case .foldedName: _ = FetchOrder(\Case.foldedName)
            case .absoluteHeight: _ = FetchOrder(\Case.absoluteHeight)
            }
        }
    }

    @Test(arguments: ComputedKey.allCases)
    func computedPropertyIsNoKey(_ key: ComputedKey) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [key] in key.use()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                "a key path of Case does not consist of properties that are declared with @Attribute"))
    }

    @Test func propertyThatReturnsAnotherIsItsKey() {
        #expect(FetchOrder(\Case.alias).key == "nickname")
    }

    @Test func attributeWithoutPlaceholderIsNoKey() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Case.where { $0.tag != .empty }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                "Case.tag cannot be in a key path, because no value of Tag is known"))
        let tag = PropertyKey<Tag>("tag")
        #expect((tag == .empty) == (try? FetchPredicate("tag == '#'")))
    }
}
