import ObjectStore
import ObjectStoreXML
import TestSupport
import Testing

/// Derived attributes of entities that inherit from others.
@Suite struct HierarchyDerivationTests {
    let directory = TemporaryStore()

    class Asset: ManagedObject {
        @Attribute var title: String = ""
        @Attribute(derivedFrom: "lowercase(title)") var sortTitle: String?
        @Attribute(derivedFrom: "owner.name") var ownerName: String?
        @ToOne var owner: Holder?
    }

    final class Film: Asset {
        @Attribute var minutes: Int = 0
        @Attribute(derivedFrom: "TERNARY(minutes > 60, 'long', nil)") var length: String = "short"
        @Attribute(derivedFrom: "reviews.@count") var reviewCount: Int = 0
        @ToMany(inverse: \Review.film) var reviews: RelatedObjects<Review>
    }

    final class Song: Asset {
        @Attribute var artist: String?
    }

    final class Holder: ManagedObject {
        @Attribute var name: String = ""
        @Attribute(derivedFrom: "assets.@count") var assetCount: Int = 0
        @Attribute(derivedFrom: "assets.@sum.minutes") var minuteSum: Int = 0
        @Attribute(derivedFrom: "SUBQUERY(assets, $a, $a.entity == 'Song').@count") var songCount: Int = 0
        @ToMany(inverse: \Asset.owner) var assets: RelatedObjects<Asset>
    }

    final class Review: ManagedObject {
        @Attribute var text: String?
        @Attribute(derivedFrom: "film.sortTitle") var filmTitle: String?
        @ToOne var film: Film?
    }

    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(Asset.self), EntityDescription(Film.self), EntityDescription(Song.self),
            EntityDescription(Holder.self), EntityDescription(Review.self),
        ])
    }

    @Test(arguments: TestedStore.allCases)
    func savesComputeValuesOfEachEntity(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory, Self.model())
        let holder = try context.insert(Holder.self)
        holder.name = "Ann"
        let film = try context.insert(Film.self)
        (film.title, film.minutes, film.owner) = ("ALIEN", 117, holder)
        let song = try context.insert(Song.self)
        (song.title, song.owner) = ("YESTERDAY", holder)
        let review = try context.insert(Review.self)
        review.film = film
        try context.save()
        #expect(film.sortTitle == "alien" && film.length == "long" && film.reviewCount == 1)
        #expect(song.sortTitle == "yesterday" && song.ownerName == "Ann")
        #expect(holder.assetCount == 2 && holder.minuteSum == 117 && holder.songCount == 1)
        #expect(review.filmTitle == "alien")
        let reader = ManagedObjectContext(coordinator: context.coordinator)
        let request = FetchRequest<Asset>(orderedBy: [FetchOrder("id")])
        let rows = try reader.rows(request, of: ["sortTitle", "ownerName", "length", "reviewCount"])
        #expect(
            rows.map { Array($0.values) } == [
                [.string("alien"), .string("Ann"), .string("long"), .integer(1)],
                [.string("yesterday"), .string("Ann"), .null, .null],
            ])
        holder.name = "Bob"
        film.minutes = 5
        try context.delete(review)
        try context.save()
        #expect(film.length == "short" && film.reviewCount == 0 && song.ownerName == "Bob")
        #expect(holder.minuteSum == 5)
        try context.updateAll(FetchRequest<Film>(), setting: ["minutes": 70, "title": "E.T."])
        #expect(film.length == "long" && film.sortTitle == "e.t." && holder.minuteSum == 70)
        try context.updateAll(FetchRequest<Asset>(), setting: ["title": "X"])
        #expect(film.sortTitle == "x" && song.sortTitle == "x")
        try context.deleteAll(FetchRequest<Song>())
        #expect(holder.assetCount == 1 && holder.songCount == 0)
        guard kind == .sqlite else { return }
        context.coordinator.close()
        let store = StoreConfiguration(.sqlite, path: kind.path(in: directory))
        #expect(try StoreBackup.problems(of: store, model: Self.model()) == [])
    }

    @Test func modelRefusesPropertyOfSibling() {
        let error = #expect(throws: ModelError.self) {
            try ManagedObjectModel(entities: [
                EntityDescription("Item", attributes: [.string("title")]),
                EntityDescription("Film", attributes: [.integer64("minutes")], parent: "Item"),
                EntityDescription(
                    "Song", attributes: [.integer64("x").derived(from: "minutes")], parent: "Item"),
            ])
        }
        #expect(error?.code == .invalidDerivation && error?.entity == "Song" && error?.property == "x")
    }

    @Test(arguments: [StoreKind.sqlite, .xml])
    func migrationFollowsChangedDefaultOfSubentity(_ kind: StoreKind) throws {
        let store = StoreConfiguration(kind, path: "\(directory.directory)/items")
        let versions = try ["old", "new"].map { value in
            try ManagedObjectModel(
                versionIdentifiers: [value],
                entities: [
                    EntityDescription("Item", attributes: [.string("title")]),
                    EntityDescription(
                        "Film",
                        attributes: [.string("key", default: value).derived(from: "lowercase(title)")],
                        parent: "Item"),
                ])
        }
        let old = PersistentStoreCoordinator(model: versions[0])
        try old.addStore(store)
        let writer = ManagedObjectContext(coordinator: old)
        _ = try writer.insert(entity: "Film")
        try writer.save()
        old.close()
        let coordinator = PersistentStoreCoordinator(model: versions[1])
        try coordinator.addStore(store, migrating: StoreMigration(versions: versions))
        let rows = try ManagedObjectContext(coordinator: coordinator).rows(
            FetchRequest<ManagedObject>(entity: "Film"), of: ["key"])
        #expect(rows.map { $0[0] } == [.string("new")])
    }
}
