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
        @ToMany(inverse: "shelf") var works: RelatedObjects<Novel>
        var firstTitle: String { works.first { _ in true }?.title ?? "" }
        var moodOrTag: Mood { tag.text.isEmpty ? .calm : mood }
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

    @Test func computedPropertyIsNoKey() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = FetchOrder(\Case.firstTitle)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                "a key path of Case does not consist of properties that are declared with @Attribute"))
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
