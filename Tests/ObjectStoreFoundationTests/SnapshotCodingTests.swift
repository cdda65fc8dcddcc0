import Foundation
import ObjectStore
import ObjectStoreFoundation
import Testing

/// Snapshots that are encoded and decoded, and external attributes in encoded objects.
@Suite struct SnapshotCodingTests {
    final class Page: ManagedObject {
        @Attribute(.required) var title: String
        @Attribute var tags: [String] = []
        @Attribute var printed: Timestamp?
        @Attribute var price: DecimalValue?
        @Attribute var mark: [UInt8]?
        @Attribute var token: UUIDValue?
        @Attribute(derivedFrom: "uppercase(title)") var loud: String?
        @ToOne var book: Binder?
        @ToMany(inverse: \Page.sources) var uses: RelatedObjects<Page>
        @ToMany var sources: RelatedObjects<Page>
    }

    class Binder: ManagedObject {
        @Attribute var name: String = ""
        @ToMany(inverse: \Page.book) var pages: RelatedObjects<Page>
    }

    final class Folder: Binder {
        @Attribute var depth: Int = 0
    }

    final class Sheet: ManagedObject {
        @Attribute var number: Int = 0
        @External(.length(0...10)) var text: String?
        @External var scan: [UInt8]?
    }

    let context: ManagedObjectContext
    let encoder = JSONEncoder()
    let decoder = JSONDecoder()

    init() throws {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(Page.self), EntityDescription(Binder.self), EntityDescription(Folder.self),
            EntityDescription(Sheet.self),
        ])
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(.memory)
        context = ManagedObjectContext(coordinator: coordinator)
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        decoder.userInfo[.managedObjectModel] = model
    }

    private func page() throws -> Page {
        let folder = try context.insert(Folder.self)
        (folder.name, folder.depth) = ("Red", 2)
        let page = try context.insert(Page.self)
        (page.title, page.tags, page.mark) = ("one", ["a", "b"], [0, 255])
        page.printed = Timestamp(secondsSince1970: 0.5)
        page.price = DecimalValue("12345678901234567890.125")
        page.token = UUIDValue(high: 1, low: 2)
        page.book = folder
        try context.save()
        return page
    }

    private func json(_ value: some Encodable) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func decode<Object>(_ text: String) throws -> ObjectSnapshot<Object> {
        try decoder.decode(ObjectSnapshot<Object>.self, from: Data(text.utf8))
    }

    private func error(_ text: String) throws -> String {
        try #require(throws: ObjectCodingError.self) { let _: ObjectSnapshot<Page> = try decode(text) }
            .description
    }

    // MARK: - Snapshots

    @Test func snapshotIsDecodedAsEncoded() throws {
        let page = try page()
        let snapshots = [page.snapshot(), page.snapshot()]
        let text = try json(snapshots)
        let copies = try decoder.decode([ObjectSnapshot<Page>].self, from: Data(text.utf8))
        #expect(copies == snapshots)
        #expect(copies[0].title == "one" && copies[0].loud == "ONE" && copies[0].tags == ["a", "b"])
        #expect(copies[0].book == page.book?.objectID)
        #expect(try json(copies) == text)
        #expect(text.contains(#""book":1,"id":1,"loud":"ONE""#), "\(text)")
    }

    @Test func snapshotOfSubclassNamesItsEntity() throws {
        let folder = try #require(page().book)
        let text = try json(folder.snapshot())
        #expect(text == #"{"depth":2,"entity":"Folder","id":1,"name":"Red"}"#)
        let copy: ObjectSnapshot<Binder> = try decode(text)
        #expect(copy == folder.snapshot() && copy.name == "Red")
        #expect(throws: ObjectCodingError.self) {
            let _: ObjectSnapshot<Folder> = try decode(#"{"entity":"Binder","id":1}"#)
        }
    }

    @Test func snapshotKeepsItsStore() throws {
        let coordinator = context.coordinator
        try coordinator.addStore(.memory)
        let page = try context.insert(Page.self)
        page.title = "two"
        try context.assign(page, to: coordinator.stores[1])
        try context.save()
        let copy: ObjectSnapshot<Page> = try decode(json(page.snapshot()))
        #expect(copy == page.snapshot())
        #expect(try context.object(copy.objectID) === page)
    }

    @Test func codingChoosesPropertiesOfSnapshot() async throws {
        let snapshot = try page().snapshot()
        let encoded = ObjectCoding<Page>(\.id, \.title).including(\.book).encoding(snapshot)
        let data = try await Task.detached { try JSONEncoder().encode(encoded) }.value
        #expect(try JSONDecoder().decode(Chosen.self, from: data) == Chosen(id: 1, title: "one", book: 1))
        let all = try json(ObjectCoding<Page>().encoding(snapshot))
        #expect(all == (try json(ObjectCoding<Page>().encoding(try context.fetch(Page.all)[0]))))
    }

    private struct Chosen: Decodable, Equatable {
        var id: Int
        var title: String
        var book: Int
    }

    @Test func propertyThatIsNotInSnapshotIsNamed() throws {
        let snapshot = try page().snapshot()
        func error(_ coding: ObjectCoding<Page>) throws -> String {
            try #require(throws: ObjectCodingError.self) { try json(coding.encoding(snapshot)) }.description
        }
        #expect(
            try error(ObjectCoding(\.uses))
                == "Page.uses is a to-many relationship, which is not in a snapshot; use the object, or leave it out"
        )
        #expect(
            try error(ObjectCoding(\.title).nesting(\.book, ObjectCoding())).hasPrefix("Page.book is nested"))
        #expect(
            try error(ObjectCoding(properties: ["titel"])) == "Page.titel is not a property of the entity")
        let sheet = try context.insert(Sheet.self)
        let external = try #require(throws: ObjectCodingError.self) {
            try json(ObjectCoding(\.scan).encoding(sheet.snapshot()))
        }
        #expect(external.description.hasPrefix("Sheet.scan is external and not in a snapshot"))
    }

    @Test func wrongSnapshotIsNamed() throws {
        #expect(try error(#"{"title":"a"}"#) == "Page.id is not the id of an object")
        #expect(try error(#"{"id":1}"#) == "Page.title is required and has no key")
        #expect(try error(#"{"id":1,"title":null}"#) == "Page.title must not be null")
        #expect(
            try error(#"{"id":1,"title":"a","tags":[1]}"#) == "Page.tags is not a list of the type string")
        #expect(try error(#"{"id":1,"title":"a","book":"x"}"#) == "Page.book is not the id of an object")
        #expect(
            try error(#"{"id":1,"title":"a","@store":"x"}"#) == "Page.@store is not the identifier of a store"
        )
        let short: ObjectSnapshot<Page> = try decode(#"{"id":7,"title":"a","unknown":1}"#)
        #expect(short.id == 7 && short.tags == [] && short.book == nil)
        let problem = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ObjectSnapshot<Page>.self, from: Data(#"{"id":1}"#.utf8))
        }
        #expect(problem.map { "\($0)".contains("userInfo[.managedObjectModel]") } == true)
    }

    @Test func decodedSnapshotFillsObject() throws {
        let page = try page()
        let binder = try context.insert(Binder.self)
        try context.save()
        let text = try json(page.snapshot()).replacing(#""one""#, with: #""new""#)
            .replacing(#""book":1"#, with: #""book":\#(binder.id)"#)
        let snapshot: ObjectSnapshot<Page> = try decode(text)
        try ObjectCoding<Page>().including(\.book).fill(page, from: snapshot)
        try context.save()
        #expect(page.title == "new" && page.book === binder && page.loud == "NEW" && page.tags == ["a", "b"])
        let other = try context.insert(Page.self)
        try ObjectCoding(\.title).fill(other, from: snapshot)
        #expect(other.title == "new" && other.tags == [])
        let gone: ObjectSnapshot<Page> = try decode(#"{"id":1,"title":"a","book":99}"#)
        let error = try #require(throws: ObjectCodingError.self) {
            try ObjectCoding(\.book).fill(page, from: gone)
        }
        #expect(error.description == "Page.book refers to Binder 99, which does not exist")
        #expect(throws: ObjectCodingError.self) { try ObjectCoding(\.uses).fill(page, from: snapshot) }
    }

    // MARK: - External attributes

    @Test func externalAttributeIsEncodedByItsName() throws {
        let sheet = try context.insert(Sheet.self)
        (sheet.number, sheet.text, sheet.scan) = (4, "words", [1, 2])
        try context.save()
        let coding = ObjectCoding(\Sheet.number, \.text, \.scan)
        let text = try json(coding.encoding(sheet))
        #expect(text == #"{"number":4,"scan":[1,2],"text":"words"}"#)
        #expect(try json(ObjectCoding<Sheet>(properties: ["scan"]).encoding(sheet)) == #"{"scan":[1,2]}"#)
        let copy = try coding.insert(into: context, fromJSON: Data(text.utf8))
        try context.save()
        #expect(copy !== sheet && copy.text == "words" && copy.scan == [1, 2])
        try coding.fill(copy, fromJSON: Data(#"{"text":null,"scan":[3]}"#.utf8))
        #expect(copy.text == nil && copy.scan == [3] && copy.number == 4)
        let all = try json(ObjectCoding<Sheet>().including(\.text).encoding(copy))
        #expect(all == #"{"number":4,"text":null}"#)
        let error = try #require(throws: ObjectCodingError.self) {
            try coding.fill(copy, fromJSON: Data(#"{"number":5,"scan":"x"}"#.utf8))
        }
        #expect(error.description == "Sheet.scan is not a value of the type binary" && copy.number == 4)
    }
}
