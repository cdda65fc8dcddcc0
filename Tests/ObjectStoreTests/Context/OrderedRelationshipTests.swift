import Foundation
import ObjectStore
import TestSupport
import Testing

final class Album: ManagedObject {
    @Attribute var title: String?
    @ToMany(inverse: \Song.album, orderedBy: \.place, deleteRule: .cascade) var songs: RelatedObjects<Song>
}

final class Song: ManagedObject {
    @Attribute var title: String?
    @Attribute var place: Int?
    @ToOne var album: Album?
}

/// To-many relationships with an order.
@Suite struct OrderedRelationshipTests {
    let store = TemporaryStore()

    private static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [EntityDescription(Album.self), EntityDescription(Song.self)])
    }

    private func album(_ titles: String..., kind: TestedStore = .sqlite) throws -> (
        ManagedObjectContext, Album, [Song]
    ) {
        let context = try kind.context(in: store, Self.model())
        let album = try context.insert(Album.self)
        let songs = try titles.map { title in
            let song = try context.insert(Song.self)
            song.title = title
            return song
        }
        return (context, album, songs)
    }

    private static func titles(_ album: Album) -> String {
        album.songs.compactMap(\.title).joined(separator: " ")
    }

    @Test(arguments: TestedStore.allCases)
    func orderIsKept(_ kind: TestedStore) throws {
        let (context, album, songs) = try album("a", "b", "c", "d", kind: kind)
        for song in songs { album.songs.insert(song) }
        #expect(Self.titles(album) == "a b c d")
        album.songs.insert(songs[3], at: 0)
        album.songs.insert(songs[0], at: 2)
        #expect(Self.titles(album) == "d b a c")
        try context.save()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let read = try #require(try other.object(of: Album.self, id: album.id))
        #expect(Self.titles(read) == "d b a c")
        #expect(try read.songs.all().map(\.title) == ["d", "b", "a", "c"])
        read.songs.insert(try #require(try other.object(of: Song.self, id: songs[1].id)), at: 3)
        try other.save()
        #expect(Self.titles(album) == "d a c b")
    }

    /// New members come last, so that adding them changes no other member.
    @Test func newMembersNeedNoPlace() throws {
        let (context, album, songs) = try album("a", "b", "c")
        for song in songs { song.album = album }
        #expect(songs.map(\.place) == [nil, nil, nil])
        try context.save()
        album.songs.insert(songs[2], at: 1)
        #expect(songs.filter(\.isUpdated).map(\.title) == ["a", "c"])
        #expect(Self.titles(album) == "a c b")
    }

    @Test func memberMovesToEndOfOtherRelationship() throws {
        let (context, first, songs) = try album("a", "b", "c", "d")
        for song in songs.prefix(2) { first.songs.insert(song) }
        let second = try context.insert(Album.self)
        for song in songs.suffix(2) { second.songs.insert(song) }
        // The song has the smallest ID, and comes last all the same.
        songs[0].album = second
        #expect(Self.titles(second) == "c d a")
        #expect(Self.titles(first) == "b")
        second.songs.remove(songs[2])
        first.songs.insert(songs[2])
        #expect(Self.titles(first) == "b c")
        #expect(Self.titles(second) == "d a")
    }

    @Test func replacementSetsOrder() throws {
        let (context, album, songs) = try album("a", "b", "c", "d")
        defer { withExtendedLifetime(context) {} }
        album.songs.replace(with: [songs[2], songs[0], songs[3]])
        #expect(Self.titles(album) == "c a d")
        album.songs.replace(with: [songs[3], songs[1], songs[2]])
        #expect(Self.titles(album) == "d b c")
    }

    /// A hundred moves to the same index use up the room between two places, and then all members get new places.
    @Test func membersGetNewPlacesIfThereIsNoRoom() throws {
        let (context, album, songs) = try album("a", "b", "c", "d")
        for song in songs { album.songs.insert(song) }
        for _ in 0..<50 {
            album.songs.insert(songs[3], at: 1)
            album.songs.insert(songs[2], at: 1)
        }
        #expect(Self.titles(album) == "a c d b")
        for (song, place) in zip(songs, [Int.max - 1, .max, .min, 0]) { song.place = place }
        #expect(Self.titles(album) == "c d a b")
        album.songs.insert(songs[0], at: 3)
        #expect(Self.titles(album) == "c d b a")
        album.songs.insert(songs[0], at: 0)
        #expect(Self.titles(album) == "a c d b")
        try context.save()
        #expect(Self.titles(album) == "a c d b")
    }

    @Test func undoRestoresOrder() throws {
        let (context, album, songs) = try album("a", "b", "c")
        for song in songs { album.songs.insert(song) }
        try context.save()
        context.undoLevels = 10
        album.songs.insert(songs[2], at: 0)
        context.endUndoGroup()
        #expect(Self.titles(album) == "c a b")
        context.undo()
        #expect(Self.titles(album) == "a b c")
        context.redo()
        #expect(Self.titles(album) == "c a b")
        context.rollback()
        #expect(Self.titles(album) == "a b c")
    }

    /// A batch change takes the place from a member, which then is among the members without a place.
    @Test func batchChangeTakesPlace() throws {
        let (context, first, songs) = try album("a", "b", "c")
        for song in songs { first.songs.insert(song) }
        first.songs.insert(songs[1], at: 0)
        let second = try context.insert(Album.self)
        try context.save()
        first.songs.insert(songs[0], at: 0)
        try context.save()
        try context.updateAll(Song.where { $0.title == "a" }) { $0.album = second }
        #expect(Self.titles(second) == "a")
        try context.updateAll(Song.where { $0.title == "a" }, setting: ["album": first.id])
        #expect(Self.titles(first) == "b a c")
    }

    @Test func batchChangeToSameOwnerKeepsOrder() throws {
        let (context, album, songs) = try album("a", "b", "c")
        album.songs.replace(with: [songs[2], songs[0], songs[1]])
        try context.save()
        try context.updateAll(Song.all, setting: ["album": album.id])
        #expect(Self.titles(album) == "c a b")
    }

    @Test func updatesOfEachObjectTakePlaces() throws {
        let (context, first, songs) = try album("a", "b", "c", "d")
        first.songs.replace(with: [songs[1], songs[0]])
        let second = try context.insert(Album.self)
        second.songs.replace(with: [songs[3], songs[2]])
        try context.save()
        var updates = ObjectUpdates(of: Song.self, setting: ["album"])
        updates.append(id: songs[1].id, values: [.integer(second.id)])
        try context.updateEach([updates])
        #expect(Self.titles(second) == "d c b")
        #expect(Self.titles(first) == "a")
    }

    /// A place that the program sets before the owner is kept, as when an object is decoded. A removed member has none.
    @Test func placeOfObjectWithoutOwnerIsKept() throws {
        let (context, album, songs) = try album("a", "b", "c")
        defer { withExtendedLifetime(context) {} }
        for (song, place) in zip(songs, [3, 1, 2]) {
            song.place = place
            song.album = album
        }
        #expect(Self.titles(album) == "b c a")
        album.songs.remove(songs[1])
        #expect(songs[1].place == nil)
        songs[1].album = album
        #expect(Self.titles(album) == "c a b")
    }

    @Test func greatestPlaceComesBeforeNone() throws {
        let (context, album, songs) = try album("a", "b", "c")
        for song in songs { album.songs.insert(song) }
        songs[2].place = .max
        try context.save()
        #expect(Self.titles(album) == "c a b")
        #expect(try context.count(Album.where { $0.songs[0].title == "c" }) == 1)
        #expect(try FetchPredicate("songs[0].title == 'c'").matches(album))
    }

    @Test func contextsThatMoveOneMemberConflict() throws {
        let (context, album, songs) = try album("a", "b", "c")
        for song in songs { album.songs.insert(song) }
        try context.save()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let same = try #require(try other.object(of: Album.self, id: album.id))
        let last = try #require(try same.songs.all().last)
        same.songs.insert(last, at: 0)
        album.songs.insert(songs[2], at: 1)
        try other.save()
        #expect(throws: ConflictError.self) { try context.save() }
    }

    // MARK: - Positions in predicates

    static let positions: [(format: String, albums: [Int64])] = [
        ("songs[0].title == 'c'", [1]), ("songs[FIRST].title == 'c'", [1]), ("songs[first].title == 'a'", []),
        ("songs[LAST].title == 'b'", [1]), ("songs[2].title == 'b'", [1]), ("songs[3].title == nil", [1, 2]),
        ("songs[0] == nil", [2]), ("songs[0] != nil", [1]), ("songs[0].place == 0", [1]),
        ("songs[0].id == 3", [1]), ("songs[0] == 3", [1]), ("songs[SIZE] == 3", [1]),
        ("songs[0].album.title == 'x'", [1]), ("songs[0].title.length == 1", [1]),
        ("songs[0].title < songs[LAST].title", []), ("songs[LAST].title IN {'a', 'b'}", [1]),
        ("NOT songs[0].title == 'c'", [2]), ("ANY songs.album.songs[1].title == 'a'", [1]),
        ("SUBQUERY(songs, $x, $x.album.songs[0] == $x).@count == 1", [1]),
        ("songs[0].album.songs[LAST].title == 'b'", [1]),
    ]

    @Test(arguments: positions, TestedStore.allCases)
    func positionsFindObjects(_ sample: (format: String, albums: [Int64]), _ kind: TestedStore) throws {
        let (context, album, songs) = try album("a", "b", "c", kind: kind)
        album.title = "x"
        for song in songs { album.songs.insert(song) }
        album.songs.insert(songs[2], at: 0)
        let empty = try context.insert(Album.self)
        try context.save()
        let predicate = try FetchPredicate(sample.format)
        #expect(try FetchPredicate(predicate.format) == predicate)
        let found = try context.ids(FetchRequest<Album>(matching: predicate, orderedBy: [FetchOrder("id")]))
        #expect(found == sample.albums)
        let inMemory = try [album, empty].filter { try predicate.matches($0) }.map(\.id)
        #expect(inMemory == sample.albums)
    }

    @Test func typedPositionsPrintAsFormats() throws {
        for (predicate, format) in [
            (FetchPredicate(Album.self) { $0.songs[0].title == "a" }, "songs[0].title == \"a\""),
            (FetchPredicate(Album.self) { $0.songs.first == nil }, "songs[FIRST] == nil"),
            (FetchPredicate(Album.self) { $0.songs.last.place > 3 }, "songs[LAST].place > 3"),
            (try FetchPredicate("%K == 1", "songs[0].place"), "songs[0].place == 1"),
        ] {
            #expect(predicate.format == format)
            #expect(try FetchPredicate(format) == predicate)
        }
    }

    @Test(arguments: [
        ("title[0] == 'a'", "nothing after the attribute title"),
        ("songs[-1].title == 'a'", "FIRST, LAST, SIZE or an index"),
        ("songs[1.5].title == 'a'", "FIRST, LAST, SIZE or an index"),
        ("songs[99999999999999999999].title == 'a'", "a number of at most 64 bits"),
        ("songs[0][1].title == 'a'", "an ordered relationship or a list before it"),
        ("songs.title[0] == 'a'", "nothing after the attribute title"),
        ("songs[0].missing == 1", "a property of Song"),
        ("songs[FIRST == 1", "]"),
    ])
    func misplacedPositionIsRefused(_ format: String, expected: String) throws {
        let (context, _, _) = try album()
        let error = #expect(throws: FetchPredicateError.self) {
            try context.ids(FetchRequest<Album>(matching: FetchPredicate(format)))
        }
        #expect(error.map { "\($0)".contains(expected) } == true, "\(error.map { "\($0)" } ?? "")")
    }

    // MARK: - Misuse

    static let misuses:
        [(order: String, destination: [AttributeDescription], isToMany: Bool, reason: String)] = [
            ("missing", [], false, "which is not an attribute"),
            ("p", [.string("p")], false, "not an optional integer64 without default and rules"),
            (
                "p", [.integer64("p", default: 0)], false,
                "not an optional integer64 without default and rules"
            ),
            ("p", [.integer64("p", .unique)], false, "not an optional integer64 without default and rules"),
            ("p", [.integer64("p")], true, "make an entity of the pairs"),
        ]

    @Test(arguments: misuses)
    func unusableOrderIsRefused(
        _ misuse: (order: String, destination: [AttributeDescription], isToMany: Bool, reason: String)
    ) throws {
        let error = #expect(throws: ModelError.self) {
            try ManagedObjectModel(entities: [
                EntityDescription(
                    "A",
                    relationships: [.toMany("b", destination: "B", inverse: "a", orderedBy: misuse.order)]),
                EntityDescription(
                    "B", attributes: misuse.destination,
                    relationships: [
                        misuse.isToMany
                            ? .toMany("a", destination: "A", inverse: "b")
                            : .toOne("a", destination: "A", inverse: "b")
                    ]),
            ])
        }
        #expect(error?.code == .invalidOrder)
        #expect(error.map { "\($0)".hasPrefix("A.b: is ordered by B.\(misuse.order), ") } == true)
        #expect(error.map { "\($0)".contains(misuse.reason) } == true)
    }

    @Test func orderOfTwoRelationshipsIsRefused() throws {
        let error = #expect(throws: ModelError.self) {
            try ManagedObjectModel(entities: [
                EntityDescription(
                    "A",
                    relationships: [
                        .toMany("b", destination: "B", inverse: "a", orderedBy: "p"),
                        .toMany("c", destination: "B", inverse: "d", orderedBy: "p"),
                    ]),
                EntityDescription(
                    "B", attributes: [.integer64("p")],
                    relationships: [
                        .toOne("a", destination: "A", inverse: "b"),
                        .toOne("d", destination: "A", inverse: "c"),
                    ]),
            ])
        }
        #expect(error.map { "\($0)".contains("keeps the order of another relationship") } == true)
    }

    @Test func indexInUnorderedRelationshipTraps() async {
        await #expect(processExitsWith: .failure) {
            let coordinator = PersistentStoreCoordinator(model: try Library.model())
            try coordinator.addStore(.memory)
            let context = ManagedObjectContext(coordinator: coordinator)
            let author = try context.insert(Author.self)
            author.books.insert(try context.insert(Book.self), at: 0)
        }
    }

    @Test func indexBeyondEndTraps() async {
        await #expect(processExitsWith: .failure) {
            let coordinator = PersistentStoreCoordinator(
                model: try ManagedObjectModel(entities: [
                    EntityDescription(Album.self), EntityDescription(Song.self),
                ]))
            try coordinator.addStore(.memory)
            let context = ManagedObjectContext(coordinator: coordinator)
            let album = try context.insert(Album.self)
            album.songs.insert(try context.insert(Song.self), at: 1)
        }
    }

    nonisolated(unsafe) private static var inserted: Song?

    @Test func indexIsCheckedBeforeObjectIsRelated() async {
        await #expect(processExitsWith: .exitCode(42)) {
            let coordinator = PersistentStoreCoordinator(model: try Self.model())
            try coordinator.addStore(.memory)
            let context = ManagedObjectContext(coordinator: coordinator)
            let album = try context.insert(Album.self)
            let song = try context.insert(Song.self)
            Self.inserted = song
            for number in [SIGILL, SIGTRAP] {
                signal(number) { _ in exit(OrderedRelationshipTests.inserted?.album == nil ? 42 : 1) }
            }
            album.songs.insert(song, at: 1)
        }
    }

    @Test(arguments: TestedStore.allCases)
    func objectsAreReachedByIndex(_ kind: TestedStore) throws {
        let (context, album, songs) = try album("a", "b", "c", "d", kind: kind)
        #expect(album.songs.first == nil && album.songs.last == nil)
        album.songs.insert(contentsOf: songs)
        #expect(album.songs.first === songs[0] && album.songs.last === songs[3])
        #expect(album.songs[2] === songs[2])
        album.songs.move(from: 0, to: 3)
        #expect(Self.titles(album) == "b c d a")
        album.songs.move(from: 2, to: 0)
        #expect(Self.titles(album) == "d b c a")
        #expect(album.songs.remove(at: 1) === songs[1])
        #expect(Self.titles(album) == "d c a" && songs[1].album == nil)
        try context.save()
        album.songs.removeAll()
        #expect(album.songs.isEmpty && songs[3].album == nil)
    }

    @Test(arguments: [4, -1])
    func missingIndexTraps(_ index: Int) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [index] in
            let coordinator = PersistentStoreCoordinator(model: try Self.model())
            try coordinator.addStore(.memory)
            let context = ManagedObjectContext(coordinator: coordinator)
            let album = try context.insert(Album.self)
            withExtendedLifetime(context) { _ = album.songs[index] }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Album.songs has no index \(index); it has 0 objects"))
    }

    /// One context moves a song to another album, and the other context moves it in its album.
    @Test(
        arguments: [ManagedObjectContext.ConflictPolicy.mineWins, .theirsWins], [false, true])
    func placeIsMergedTogetherWithOwner(_ policy: ManagedObjectContext.ConflictPolicy, _ isMineNew: Bool)
        throws
    {
        let (context, first, songs) = try album("a", "b", "c", "d", "e")
        first.songs.replace(with: songs[0..<3])
        let second = try context.insert(Album.self)
        second.songs.replace(with: songs[3...])
        try context.save()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        context.conflictPolicy = policy
        func song(in context: ManagedObjectContext) throws -> Song {
            try #require(try context.object(of: Song.self, id: songs[2].id))
        }
        func move(in context: ManagedObjectContext, toNew: Bool) throws {
            let album = try #require(try context.object(of: Album.self, id: toNew ? second.id : first.id))
            album.songs.insert(try song(in: context), at: toNew ? 1 : 0)
        }
        let read = try song(in: other)
        try move(in: context, toNew: isMineNew)
        try move(in: other, toNew: !isMineNew)
        try other.save()
        try context.save()
        #expect(Self.titles(first) == "a b" && Self.titles(second) == "d c e")
        // A song without an album has no place.
        try move(in: context, toNew: false)
        try context.save()
        try context.refreshAll()
        try other.refresh(read)
        try song(in: context).album = nil
        try move(in: other, toNew: false)
        read.title = "C"
        try other.save()
        try context.save()
        #expect(try song(in: context).place == nil && songs[2].album == nil)
    }
}
