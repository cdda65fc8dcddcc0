import Dispatch
import Foundation
import ObjectStore
import Synchronization
import Testing

/// Entities that are derived from classes.
@Suite struct ClassModelTests {
    class Work: ManagedObject {
        @Attribute(.required, .length(1...200)) var title: String
        @Attribute(.range(0...)) var pages: Int = 7
    }

    final class Novel: Work {
        @Attribute var price: Int?
        @Attribute(.required) var published: Timestamp?
        @Attribute(type: .integer16) var volumes: Int = 1
        @Attribute("shelfMark", .pattern("[A-Z]+"), renamedFrom: "shelf", preservedInHistory: true) var mark:
            String?
        @Attribute var genre: Genre
        @Attribute var mood: Mood = .calm
        @Attribute var weight: Double? = 1.5
        @Attribute(rules: [.length(1...9), .unique]) var code: String?
        @ToOne(optional: false) var writer: Writer?
        @ToMany(inverse: \Novel.sequelOf, deleteRule: .deny) var sequels: RelatedObjects<Novel>
        @ToOne(renamedFrom: "before") var sequelOf: Novel?
        @ToOne(inverse: "twin") var twin: Novel?
        var isOpened = false
    }

    final class Writer: ManagedObject {
        @Attribute(.required, .uniqueIgnoringCase) var name: String
        @ToMany(inverse: \.writer, deleteRule: .cascade) var novels: RelatedObjects<Novel>

        override class var entityName: String { "Author" }
    }

    enum Genre: Int16, AttributeValueConvertible {
        case crime = 4
        case science
    }

    enum Mood: String, AttributeValueConvertible {
        case calm, gloomy
    }

    private static let hasPages = FetchPredicate(.key("pages"), .greater, .value(.integer(0)))

    private static let described = EntityDescription(
        "Novel", class: Novel.self,
        attributes: [
            .string("title", .required, .length(1...200)),
            .integer64("pages", .range(0...), default: 7),
            .integer64("price"),
            .date("published", .required),
            .integer16("volumes", default: 1),
            .string("shelfMark", .pattern("[A-Z]+"), renamedFrom: "shelf").preservedInHistory(),
            .integer16("genre", .required),
            .string("mood", default: "calm"),
            .double("weight", default: 1.5, optional: true),
            .string("code", .length(1...9), .unique),
        ],
        relationships: [
            .toOne("writer", destination: "Author", inverse: "novels", optional: false),
            .toMany("sequels", destination: "Novel", inverse: "sequelOf", deleteRule: .deny),
            .toOne("sequelOf", destination: "Novel", inverse: "sequels", renamedFrom: "before"),
            .toOne("twin", destination: "Novel", inverse: "twin"),
        ],
        indexes: [.index("published"), .index("title", "writer", where: hasPages)])

    @Test func derivedEntityEqualsDescription() throws {
        let novel = EntityDescription(
            Novel.self,
            indexedBy: .index(\.published), .index(\.title, \.writer, where: { $0.pages > 0 }))
        #expect(novel.name == "Novel" && novel.managedObjectClass == Novel.self)
        #expect(novel.attributes == Self.described.attributes)
        #expect(novel.relationships == Self.described.relationships)
        #expect(novel.indexes == Self.described.indexes)
        let derived = try ManagedObjectModel(entities: [novel, EntityDescription(Writer.self)])
        let long = try ManagedObjectModel(entities: [Self.described, EntityDescription(Writer.self)])
        #expect(derived.versionHash == long.versionHash)
    }

    @Test func derivedObjectsAreSavedAndRead() throws {
        let store = TemporaryStore()
        let context = try store.context(
            ManagedObjectModel(entities: [EntityDescription(Novel.self), EntityDescription(Writer.self)]))
        let writer = try context.insert(Writer.self)
        writer.name = "Shelley"
        let novel = try context.insert(Novel.self)
        #expect((novel.pages, novel.volumes, novel.mood, novel.weight) == (7, 1, .calm, 1.5))
        #expect(novel.sequelOf == nil && novel.sequels.isEmpty)
        novel.title = "Frankenstein"
        novel.published = Timestamp(secondsSince1970: -4_785_000_000)
        novel.genre = .science
        novel.mark = "FR"
        novel.writer = writer
        try context.save()
        #expect(try novel.value(of: "shelfMark") == .string("FR"))
        #expect(writer.novels.map(\.title) == ["Frankenstein"])
        let sequel = try context.insert(Novel.self)
        novel.sequels.insert(sequel)
        #expect(sequel.sequelOf === novel && novel.sequels.count == 1)
    }

    // MARK: - Mistakes

    final class Lonely: ManagedObject {
        @ToOne var friend: Lonely?
    }

    final class Page: ManagedObject {
        @ToOne var sheet: Sheet?
    }

    final class Computed: ManagedObject {
        @Attribute var number: Int
        var half: Int { number / 2 }
        var alias: Int { number }
    }

    final class Sheet: ManagedObject {
        @ToMany(inverse: \Page.sheet) var front: RelatedObjects<Page>
        @ToMany(inverse: \Page.sheet) var back: RelatedObjects<Page>
    }

    final class Wrong: ManagedObject {
        @ToMany(inverse: \Wrong.next?.other) var others: RelatedObjects<Wrong>
        @ToOne(inverse: "next") var next: Wrong?
        @ToOne(inverse: "other") var other: Wrong?
    }

    final class BadDefault: ManagedObject {
        @Attribute(type: .integer16) var size: Int = 40_000
    }

    final class BadType: ManagedObject {
        @Attribute(type: .string) var size: Int
    }

    private func error(_ entities: [EntityDescription]) -> ModelError? {
        #expect(throws: ModelError.self) { try ManagedObjectModel(entities: entities) }
    }

    @Test func mistakesOfClassesAreErrorsOfTheModel() throws {
        #expect(
            error([EntityDescription(Lonely.self)])?.description
                == "Lonely.friend: neither side names its inverse; write one, as in @ToMany(inverse: \\Book.publisher)"
        )
        #expect(
            error([EntityDescription(Sheet.self), EntityDescription(Page.self)])?.description
                == "Page.sheet: is the inverse of front and back of Sheet")
        #expect(
            error([EntityDescription(Wrong.self)])?.description
                == "Wrong.others: its inverse is not a relationship of Wrong")
        #expect(error([EntityDescription(BadDefault.self)])?.code == .invalidDefault)
        #expect(
            error([EntityDescription(BadType.self)])?.description
                == "BadType.size: in the class BadType: its type Int cannot hold every value of the type string"
        )
        #expect(error([EntityDescription(Novel.self)])?.code == .unknownDestination)
    }

    @Test func computedPropertyIsNoKeyOfAnIndex() throws {
        let problem = error([EntityDescription(Computed.self, indexedBy: .index(\.half))])
        #expect(problem?.code == .invalidIndex)
        #expect(
            problem?.description
                == "Computed: a key of an index is not an attribute or to-one relationship of Computed")
        // It always returns the attribute, so it is the same key.
        #expect(EntityDescription(Computed.self, indexedBy: .index(\.alias)).indexes == [.index("number")])
    }

    // MARK: - Cost

    final class Counted: ManagedObject {
        static let evaluations = Atomic<Int>(0)
        static func counted() -> ValidationRule {
            evaluations.add(1, ordering: .relaxed)
            return .range(0...)
        }

        @Attribute(counted()) var size: Int?
    }

    final class Hooked: ManagedObject {
        static let hook = Mutex<(@Sendable () -> Void)?>(nil)

        @Attribute var size: Int?
        var called: Void = hook.withLock { $0 }?() ?? ()
        @Attribute(Counted.counted()) var weight: Int?
    }

    /// Rules are evaluated once for each class, also if another thread makes objects while a class is being read.
    @Test func rulesAreEvaluatedOnce() throws {
        let counted = try ManagedObjectModel(entities: [EntityDescription(Counted.self)])
        #expect(Counted.evaluations.load(ordering: .relaxed) == 1)
        let store = TemporaryStore()
        let context = try store.context(counted)
        for _ in 0..<3 { _ = try context.insert(Counted.self) }
        #expect(Counted.evaluations.load(ordering: .relaxed) == 1)

        let made = Mutex<[Int?]>([])
        Hooked.hook.withLock {
            $0 = {
                let finished = DispatchSemaphore(value: 0)
                Thread {
                    let store = TemporaryStore()
                    let context = try? store.context(counted)
                    let object = try? context?.insert(Counted.self)
                    made.withLock { $0.append(object?.size) }
                    finished.signal()
                }.start()
                finished.wait()
            }
        }
        _ = try ManagedObjectModel(entities: [EntityDescription(Hooked.self)])
        Hooked.hook.withLock { $0 = nil }
        #expect(made.withLock { $0.count } == 1)
        #expect(Counted.evaluations.load(ordering: .relaxed) == 2)
    }

    final class Shared: ManagedObject {
        @Attribute(.required) var name: String
        @Attribute var size: Int?
        @ToMany(inverse: \Shared.part) var parts: RelatedObjects<Shared>
        @ToOne var part: Shared?
    }

    @Test func threadsDeriveEqualEntities() throws {
        let hashes = Mutex<Set<String>>([])
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            let model = try? ManagedObjectModel(entities: [EntityDescription(Shared.self)])
            hashes.withLock { _ = $0.insert(model?.versionHash ?? "-") }
        }
        let described = try ManagedObjectModel(entities: [
            EntityDescription(
                "Shared", attributes: [.string("name", .required), .integer64("size")],
                relationships: [
                    .toMany("parts", destination: "Shared", inverse: "part"),
                    .toOne("part", destination: "Shared", inverse: "parts"),
                ])
        ])
        #expect(hashes.withLock { $0 } == [described.versionHash])
    }
}
