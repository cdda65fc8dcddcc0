import Foundation
import ObjectStore
import TestSupport
import Testing

// Indexes in relationships, and positions in predicates.
extension OrderedRelationshipTests {
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

    // MARK: - Indexes

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

    @Test func failedReadOfIndexIsReportedBySave() throws {
        let model = try Self.model()
        let broken = BrokenStore(try SQLiteStore(path: store.path, model: model))
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(broken)
        let writer = ManagedObjectContext(coordinator: coordinator)
        let saved = try writer.insert(Album.self)
        for title in ["a", "b"] {
            let song = try writer.insert(Song.self)
            song.title = title
            saved.songs.insert(song)
        }
        try writer.save()
        let reads: [(RelatedObjects<Song>) -> Void] = [
            { #expect($0[1].title == nil && $0[1].isDeleted) },
            { #expect($0.remove(at: 0).isDeleted) },
            { $0.move(from: 0, to: 1) },
            { $0[0].title = "changed" },
        ]
        for read in reads {
            let context = ManagedObjectContext(coordinator: coordinator)
            let album = try #require(try context.fetch(Album.all).first)
            broken.failsToRead = true
            read(album.songs)
            broken.failsToRead = false
            #expect(context.failure is BrokenStore.Failure)
            #expect(!context.hasChanges)
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.code == .contextFailed)
            context.rollback()
            #expect(Self.titles(album) == "a b")
        }
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
}
