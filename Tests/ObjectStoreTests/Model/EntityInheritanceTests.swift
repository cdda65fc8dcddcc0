import ObjectStore
import TestSupport
import Testing

class Medium: ManagedObject {
    override class var isAbstract: Bool { self == Medium.self }

    @Attribute(.required, .length(1...40)) var title: String?
    @Attribute(.unique) var code: String?
    @Attribute var place: Int?
    @ToOne var shelf: MediaShelf?
    @ToMany(inverse: \Topic.media) var topics: RelatedObjects<Topic>
}

class Volume: Medium {
    @Attribute(.range(1...9_999)) var pages: Int = 100
    @ToOne(inverse: \VolumeReader.reading) var reader: VolumeReader?
}

final class Atlas: Volume {
    @Attribute var scale: Double?
}

final class Record: Medium {
    @Attribute(.required) var minutes: Int?
    @Attribute var tracks: [String] = []
}

final class MediaShelf: ManagedObject {
    @Attribute var name: String?
    @ToMany(inverse: \Medium.shelf, orderedBy: \.place, deleteRule: .cascade) var media:
        RelatedObjects<Medium>
}

final class Topic: ManagedObject {
    @Attribute var name: String?
    @ToMany var media: RelatedObjects<Medium>
}

final class VolumeReader: ManagedObject {
    @Attribute var name: String?
    @ToOne var reading: Volume?
}

/// Entities that inherit from others, in all kinds of store.
@Suite struct EntityInheritanceTests {
    let store = TemporaryStore()

    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(Medium.self), EntityDescription(Volume.self, indexedBy: .index(\.pages)),
            EntityDescription(Atlas.self), EntityDescription(Record.self), EntityDescription(MediaShelf.self),
            EntityDescription(Topic.self), EntityDescription(VolumeReader.self),
        ])
    }

    private func context(_ kind: TestedStore = .sqlite) throws -> ManagedObjectContext {
        let context = try kind.context(in: store, Self.model())
        let volume = try context.insert(Volume.self)
        (volume.title, volume.code, volume.pages) = ("Emma", "e", 474)
        let atlas = try context.insert(Atlas.self)
        (atlas.title, atlas.code, atlas.scale) = ("World", "w", 0.5)
        let record = try context.insert(Record.self)
        (record.title, record.minutes, record.tracks) = ("Messiah", 141, ["Comfort ye", "Hallelujah"])
        try context.save()
        return context
    }

    private static func titles(_ objects: [Medium]) -> [String] { objects.compactMap(\.title) }

    // MARK: - Reading

    @Test(arguments: TestedStore.allCases)
    func requestFindsObjectsOfSubclasses(_ kind: TestedStore) throws {
        let saved = try context(kind)
        let context = ManagedObjectContext(coordinator: saved.coordinator)
        let media = try context.fetch(Medium.all.ordered(by: \.title))
        #expect(Self.titles(media) == ["Emma", "Messiah", "World"])
        #expect(media.map { String(describing: type(of: $0)) } == ["Volume", "Record", "Atlas"])
        #expect(media.map(\.entity.name) == ["Volume", "Record", "Atlas"])
        #expect(media.allSatisfy { $0.objectID.entity == "Medium" })
        #expect(Self.titles(try context.fetch(Volume.all.ordered(by: \.title))) == ["Emma", "World"])
        #expect(Self.titles(try context.fetch(Atlas.all)) == ["World"])
        #expect(try context.count(Record.all) == 1)
        #expect(try context.fetch(Volume.where { $0.pages > 200 }).map(\.pages) == [474])
        #expect(try context.fetch(Atlas.all)[0].pages == 100)
        #expect(try context.fetch(Record.where { $0.tracks.contains("Hallelujah") })[0].minutes == 141)
        let ids = media.map(\.id)
        #expect(Set(ids).count == 3)
        #expect(try context.object(of: Volume.self, id: ids[2]) === media[2])
        #expect(try context.object(of: Record.self, id: ids[0]) == nil)
        #expect(try context.object(ObjectID(entity: "Record", id: ids[0])) == nil)
        #expect(try context.object(ObjectID(entity: "Volume", id: ids[2])) === media[2])
        #expect(try context.object(media[1].objectID) === media[1])
    }

    @Test(arguments: TestedStore.allCases)
    func predicateTestsEntityAndPropertiesOfSubclasses(_ kind: TestedStore) throws {
        let context = try context(kind)
        let found = { (format: String) in
            try context.fetch(
                FetchRequest<Medium>(matching: FetchPredicate(format), orderedBy: [FetchOrder("title")]))
        }
        #expect(Self.titles(try found("entity == 'Record'")) == ["Messiah"])
        #expect(Self.titles(try found("pages > 50")) == ["Emma", "World"])
        #expect(
            Self.titles(try found("minutes == nil OR ANY tracks BEGINSWITH 'Hall'")) == [
                "Emma", "Messiah", "World",
            ])
        #expect(Self.titles(try found("scale < 1 AND entity IN {'Atlas', 'Record'}")) == ["World"])
        let media = try context.fetch(Medium.all.ordered(by: \.title))
        let isLong = try FetchPredicate("pages > 400 OR minutes > 100")
        #expect(try media.map { try isLong.matches($0) } == [true, true, false])
        #expect(throws: FetchPredicateError.self) {
            try context.fetch(FetchRequest<Record>(matching: FetchPredicate("pages > 3")))
        }
        #expect(throws: FetchPredicateError.self) {
            try context.fetch(
                FetchRequest<Volume>(matching: FetchPredicate("ANY topics.name == 'x' AND minutes > 3")))
        }
        // A request of a class can name the properties of its subclasses.
        #expect(try context.count(FetchRequest<Volume>(matching: FetchPredicate("scale > 0"))) == 1)
    }

    @Test(arguments: TestedStore.allCases)
    func relationshipsLeadToObjectsOfSubclasses(_ kind: TestedStore) throws {
        let context = try context(kind)
        let media = try context.fetch(Medium.all.ordered(by: \.title))
        let shelf = try context.insert(MediaShelf.self)
        let topic = try context.insert(Topic.self)
        topic.name = "music"
        for medium in media.reversed() { shelf.media.insert(medium) }
        shelf.media.insert(media[1], at: 0)
        media[1].topics.insert(topic)
        let reader = try context.insert(VolumeReader.self)
        reader.reading = media[2] as? Atlas
        try context.save()

        let other = ManagedObjectContext(coordinator: context.coordinator)
        let read = try #require(try other.fetch(FetchRequest<MediaShelf>()).first)
        #expect(
            read.media.map { "\($0.title ?? "") \(type(of: $0))" } == [
                "Messiah Record", "World Atlas", "Emma Volume",
            ])
        #expect(try other.fetch(VolumeReader.all)[0].reading is Atlas)
        #expect(try other.fetch(Topic.all)[0].media.all().first?.shelf === read)
        let atTopic = try FetchPredicate("SUBQUERY(media, $m, $m.entity == 'Atlas').@count == 1")
        #expect(try other.count(FetchRequest<MediaShelf>(matching: atTopic)) == 1)
        #expect(
            try other.count(FetchRequest<MediaShelf>(matching: FetchPredicate("media[0].minutes > 100"))) == 1
        )
        #expect(try other.count(Record.where { $0.topics.contains { $0.name == "music" } }) == 1)

        #expect(throws: PropertyError.self) {
            try other.fetch(VolumeReader.all)[0].setTarget(try other.fetch(Record.all)[0], of: "reading")
        }
        try other.delete(read)
        try other.save()
        #expect(try other.count(Medium.all) == 0)
        #expect(try other.fetch(VolumeReader.all)[0].reading == nil)
    }

    @Test(arguments: TestedStore.allCases)
    func rowsAndGroupsCoverHierarchy(_ kind: TestedStore) throws {
        let context = try context(kind)
        let rows = try context.rows(
            FetchRequest<Medium>(orderedBy: [FetchOrder("entity")]), of: ["entity", .count, .sum("pages")],
            groupedBy: ["entity"])
        #expect(
            rows.map { [$0[0], $0[1], $0[2]] } == [
                [.string("Atlas"), .integer(1), .integer(100)], [.string("Record"), .integer(1), .null],
                [.string("Volume"), .integer(1), .integer(474)],
            ])
        let pages = try context.rows(Volume.all.ordered(by: \.pages), of: \.title, \.pages)
        #expect(pages.map(\.1) == [100, 474])
    }

    // MARK: - Changing

    @Test func objectIsValidatedByItsOwnEntity() throws {
        let context = try context()
        let record = try context.insert(Record.self)
        let volume = try context.insert(Volume.self)
        (record.title, volume.title, volume.pages) = ("x", "", 0)
        let error = try #require(throws: ValidationError.self) { try context.save() }
        #expect(
            error.failures.map { "\($0.entity).\($0.property) \($0.rule)" }.sorted()
                == ["Record.minutes required", "Volume.pages range", "Volume.title length"])
    }

    @Test(arguments: TestedStore.allCases)
    func uniqueValuesAreUniqueInHierarchy(_ kind: TestedStore) throws {
        let context = try context(kind)
        let record = try context.insert(Record.self)
        (record.title, record.minutes, record.code) = ("x", 1, "e")
        #expect(throws: ValidationError.self) { try context.save() }
        // Only an object of the same entity is merged.
        context.uniquenessPolicy = .newObjectWins
        #expect(throws: ValidationError.self) { try context.save() }
        try context.delete(record)
        let volume = try context.insert(Volume.self)
        (volume.title, volume.code) = ("Emma II", "e")
        try context.save()
        #expect(try context.fetch(Volume.where { $0.code == "e" }).map(\.title) == ["Emma II"])
        #expect(try context.count(Medium.all) == 3)
    }

    @Test func abstractEntityHasNoObjects() throws {
        let context = try context()
        let error = try #require(throws: FetchError.self) { try context.insert(Medium.self) }
        #expect(error.message == "Medium is abstract; insert an object of Volume or Atlas or Record")
    }

    @Test func entityOfObjectCannotChange() throws {
        let context = try context()
        let volume = try context.fetch(Volume.all.ordered(by: \.title))[0]
        #expect(try volume.value(of: "entity") == .string("Volume"))
        #expect(throws: PropertyError.self) { try volume.setValue(.string("Record"), of: "entity") }
        #expect(throws: PropertyError.self) { try volume.setValue(.integer(3), of: "minutes") }
        #expect(throws: FetchError.self) { try context.updateAll(Volume.all, setting: ["entity": "Record"]) }
        #expect(throws: FetchError.self) { try context.updateAll(Volume.all, setting: ["minutes": 3]) }
    }

    @Test(arguments: TestedStore.allCases)
    func batchChangesApplyToEntity(_ kind: TestedStore) throws {
        let context = try context(kind)
        #expect(try context.updateAll(Volume.all, setting: ["pages": 7]) == 2)
        #expect(try context.fetch(Volume.all).map(\.pages) == [7, 7])
        let record = try context.fetch(Record.all)[0]
        var updates = ObjectUpdates(of: Volume.self, setting: ["pages"])
        updates.append(id: record.id, values: [.integer(5)])
        #expect(throws: StoreError.self) { try context.updateEach([updates]) }
        var titles = ObjectUpdates(of: Medium.self, setting: ["title"])
        titles.append(id: record.id, values: [.string("Saul")])
        try context.updateEach([titles])
        #expect(record.title == "Saul")
        #expect(try context.deleteAll(Volume.all) == 2)
        #expect(Self.titles(try context.fetch(Medium.all)) == ["Saul"])
    }

    @Test func undoAndRollbackKeepEntity() throws {
        let context = try context()
        context.undoLevels = 5
        let atlas = try context.fetch(Atlas.all)[0]
        try context.delete(atlas)
        context.endUndoGroup()
        context.undo()
        #expect(!atlas.isDeleted && atlas.scale == 0.5)
        try context.save()
        try context.delete(atlas)
        try context.save()
        context.undo()
        try context.save()
        #expect(
            try ManagedObjectContext(coordinator: context.coordinator).fetch(Atlas.all).map(\.scale) == [0.5])
        let record = try context.insert(Record.self)
        context.rollback()
        #expect(record.isDeleted)
        #expect(try context.count(Medium.all) == 3)
    }

    @Test func conflictIsFoundBetweenContexts() throws {
        let context = try context()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let mine = try context.fetch(Atlas.all)[0]
        let theirs = try #require(try other.fetch(Medium.where { $0.title == "World" }).first as? Atlas)
        theirs.scale = 2
        try other.save()
        mine.scale = 3
        #expect(throws: ConflictError.self) { try context.save() }
        context.conflictPolicy = .theirsWins
        try context.save()
        #expect(mine.scale == 2)
    }

    @Test func liveResultsFollowSubclasses() throws {
        let context = try context()
        let controller = FetchedResultsController(
            Volume.all.ordered(by: \.title), in: context)
        try controller.performFetch()
        let atlas = try context.insert(Atlas.self)
        atlas.title = "Moon"
        let record = try context.insert(Record.self)
        (record.title, record.minutes) = ("Zadok", 5)
        try context.save()
        #expect(controller.objects.compactMap(\.title) == ["Emma", "Moon", "World"])
    }

    @Test func historyNamesRootOfHierarchy() throws {
        let coordinator = PersistentStoreCoordinator(model: try Self.model())
        try coordinator.addStore(.sqlite(path: store.path, history: true))
        let context = ManagedObjectContext(coordinator: coordinator)
        let atlas = try context.insert(Atlas.self)
        atlas.title = "World"
        try context.save()
        atlas.scale = 1
        try context.save()
        let changes = try coordinator.history().flatMap(\.changes)
        #expect(
            changes.map { "\($0.object) \($0.kind) \($0.properties)" } == [
                "Medium 1 inserted []", "Medium 1 updated [\"scale\"]",
            ])
    }
}
