import ObjectStore
import Testing

// The pairs of docs/before-and-after.md. `DocumentationTests` requires every line of code of that page here, and the tests
// compare each pair.

@Suite struct BeforeAndAfter {
    enum Before {
        final class Song: ManagedObject {
            @Attribute("title") var title: String
            @Attribute("seconds") var seconds: Int
            @Attribute("isLive") var isLive: Bool
            @Attribute("rating") var rating: Double?
            @ToOne("album") var album: Album?
        }

        final class Album: ManagedObject {
            @Attribute("name") var name: String
            @ToMany("songs") var songs: RelatedObjects<Song>
        }

        static func entities() throws -> [EntityDescription] {
            [
                EntityDescription(
                    "Song", class: Song.self,
                    attributes: [
                        .string("title", .required, .length(1...200)),
                        .integer64("seconds", .range(0...), default: 0),
                        .boolean("isLive", default: false),
                        .double("rating"),
                    ],
                    relationships: [.toOne("album", destination: "Album", inverse: "songs")],
                    indexes: [.index("title", where: try FetchPredicate("isLive == NO"))]),
                EntityDescription(
                    "Album", class: Album.self,
                    attributes: [.string("name", .required, .unique)],
                    relationships: [
                        .toMany("songs", destination: "Song", inverse: "album", deleteRule: .cascade)
                    ]),
            ]
        }
    }

    final class Song: ManagedObject {
        @Attribute(.required, .length(1...200)) var title: String
        @Attribute(.range(0...)) var seconds: Int = 0
        @Attribute var isLive: Bool = false
        @Attribute var rating: Double?
        @ToOne var album: Album?
    }

    final class Album: ManagedObject {
        @Attribute(.required, .unique) var name: String
        @ToMany(inverse: \.album, deleteRule: .cascade) var songs: RelatedObjects<Song>
    }

    private static func entities() -> [EntityDescription] {
        [
            EntityDescription(Song.self, indexedBy: .index(\.title, where: { !$0.isLive })),
            EntityDescription(Album.self),
        ]
    }

    private let store = TemporaryStore()
    private let context: ManagedObjectContext

    init() throws {
        context = try store.context(ManagedObjectModel(entities: Self.entities()))
        let album = try context.insert(Album.self)
        album.name = "Blue"
        let songs = [("Carey", 183, false), ("River", 240, false), ("Help me", 202, true)]
        for (title, seconds, isLive) in songs {
            let song = try context.insert(Song.self)
            (song.title, song.seconds, song.isLive) = (title, seconds, isLive)
            if !isLive { song.album = album }
        }
        try context.save()
    }

    @Test func modelsAreEqual() throws {
        for (before, after) in zip(try Before.entities(), Self.entities()) {
            #expect(before.name == after.name && before.attributes == after.attributes)
            #expect(before.relationships == after.relationships && before.indexes == after.indexes)
        }
    }

    @Test func predicatesAreEqual() throws {
        let name = "Blue"
        let before = try FetchPredicate("isLive == NO AND album.name == %@ AND seconds > %d", name, 200)
        let after = FetchPredicate(Song.self) { !$0.isLive && $0.album.name == name && $0.seconds > 200 }
        #expect(before == after)

        let many = try FetchPredicate("SUBQUERY(songs, $x, $x.seconds > 200 AND $x.isLive == NO).@count > 0")
        let contains = FetchPredicate(Album.self) {
            $0.songs.contains { $0.seconds > 200 && !$0.isLive }
        }
        #expect(many == contains)
    }

    @Test func requestsAreEqual() throws {
        let before = FetchRequest<Song>(
            matching: try FetchPredicate("rating == nil"),
            orderedBy: [FetchOrder("album.name"), FetchOrder("seconds", ascending: false)], limit: 2)
        let after = Song.where { $0.rating == nil }
            .ordered(by: \.album?.name).ordered(by: \.seconds, ascending: false).limit(2)
        #expect(before.predicate == after.predicate && before.order == after.order)
        #expect(before.limit == after.limit)

        let found = try context.object(of: Album.self, matching: "name", equals: "Blue")
        let same = try context.object(of: Album.self, matching: \.name, equals: "Blue")
        #expect(found === same)
    }

    @Test func rowsAreEqual() throws {
        var before: [String] = []
        let rows = try context.rows(
            FetchRequest<Song>(orderedBy: [FetchOrder("id")]), of: ["title", "seconds"])
        for row in rows {
            guard case .string(let title) = row[0], case .integer(let seconds) = row[1] else { continue }
            before.append("\(title) \(seconds / 60)")
        }
        var after: [String] = []
        for (title, seconds) in try context.rows(Song.all.ordered(by: \.id), of: \.title, \.seconds) {
            after.append("\(title) \(seconds / 60)")
        }
        #expect(before == after)

        let groups = try context.rows(
            FetchRequest<Song>(), of: ["isLive", .count, .max("seconds")], groupedBy: ["isLive"])
        let typed = try context.rows(
            Song.all, of: .key(\.isLive), .count, .max(\.seconds), groupedBy: [\.isLive])
        #expect(groups.map { $0[0] } == typed.map { .boolean($0.0) })
        #expect(groups.map { $0[2] } == typed.map { $0.2.attributeValue })
    }

    @Test func changesAreEqual() throws {
        try context.updateAll(
            FetchRequest<Song>(matching: try FetchPredicate("isLive == YES")),
            setting: ["rating": 4.5, "seconds": 200])
        try context.updateAll(Song.where { $0.isLive }) {
            $0.rating = 4.5
            $0.seconds = 200
        }
        #expect(try context.rows(Song.where { $0.isLive }, of: \.rating, \.seconds).first?.0 == 4.5)

        let albums = try context.fetch(Album.all)
        let before = try context.prefetch("songs", of: albums)
        let after = try context.prefetch(\.songs, of: albums)
        #expect(before.count == 2 && before == after)
    }

    @Test func preparedFetchesAreEqual() throws {
        let before = try context.prepare(
            FetchRequest<Song>(matching: try FetchPredicate("seconds < $most")), of: ["title"])
        let after = try context.prepare(
            Song.where { $0.seconds < .variable("most") }, of: [.key(\Song.title)])
        for fetch in [before, after] {
            let rows = try context.rows(fetch, with: ["most": .integer(190)])
            #expect(rows.map { $0[0] } == [.string("Carey")])
        }
    }
}
