import ObjectStore
import ObjectStoreXML
import TestSupport
import Testing

/// Attributes that each save computes from other attributes of the object.
@Suite struct DerivedAttributeTests {
    let directory = TemporaryStore()

    final class Work: ManagedObject {
        @Attribute var title: String = ""
        @Attribute var pages: Int = 0
        @Attribute var price: DecimalValue?
        @Attribute var tags: [String] = []
        @Attribute(derivedFrom: "lowercase(title)") var sortTitle: String?
        // Declared before the attribute that it uses.
        @Attribute(derivedFrom: "pageScore + tags.@count") var score: Int = -1
        @Attribute(derivedFrom: "pages * 2") var pageScore: Int = 0
        @Attribute(derivedFrom: "pages / 2") var half: Double?
        @Attribute(derivedFrom: "TERNARY(pages > 400, 'long', nil)") var size: String = "short"
        @Attribute(derivedFrom: "price") var cost: DecimalValue?
        @ToOne var shelf: Shelf?
    }

    final class Shelf: ManagedObject {
        @Attribute(.unique) var name: String?
        @Attribute var note: String?
        @Attribute(derivedFrom: "uppercase(note)") var loudNote: String?
        @ToMany(inverse: \Work.shelf) var works: RelatedObjects<Work>
    }

    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(Work.self, indexedBy: .index(\.sortTitle)), EntityDescription(Shelf.self),
        ])
    }

    private func context(_ kind: TestedStore) throws -> ManagedObjectContext {
        try kind.context(in: directory, Self.model())
    }

    private func rows(_ context: ManagedObjectContext) throws -> [[AttributeValue]] {
        let reader = ManagedObjectContext(coordinator: context.coordinator)
        return try reader.rows(
            FetchRequest<Work>(orderedBy: [FetchOrder("id")]),
            of: ["sortTitle", "score", "pageScore", "half", "size", "cost"]
        ).map { Array($0.values) }
    }

    // MARK: - Saves

    @Test(arguments: TestedStore.allCases)
    func saveComputesAndStoresValues(_ kind: TestedStore) throws {
        let context = try context(kind)
        let work = try context.insert(Work.self)
        #expect(work.sortTitle == nil && work.score == -1 && work.size == "short")
        (work.title, work.pages, work.tags) = ("EMMA", 475, ["a", "b"])
        work.price = DecimalValue("7.50")
        try context.save()
        #expect(work.sortTitle == "emma" && work.score == 952 && work.size == "long")
        #expect(
            try rows(context) == [
                [
                    .string("emma"), .integer(952), .integer(950), .double(237), .string("long"),
                    .decimal("7.5"),
                ]
            ])
        #expect(try context.count(Work.where { $0.sortTitle == "emma" }) == 1)
        work.title = "Persuasion"
        #expect(work.sortTitle == "emma")
        #expect(Set(work.changedProperties) == ["title"])
        try context.save()
        #expect(work.sortTitle == "persuasion" && !context.hasChanges)
        work.pages = 10
        try context.save()
        #expect(try rows(context)[0][1...4] == [.integer(22), .integer(20), .double(5), .string("short")])
    }

    @Test(arguments: TestedStore.allCases)
    func fetchSeesValuesOfUnsavedChanges(_ kind: TestedStore) throws {
        let context = try context(kind)
        let work = try context.insert(Work.self)
        work.title = "B"
        try context.save()
        work.title = "C"
        try context.insert(Work.self).title = "A"
        let titles = try context.fetch(FetchRequest<Work>(orderedBy: [FetchOrder("sortTitle")])).map(
            \.sortTitle)
        #expect(titles == ["a", "c"])
        context.rollback()
        #expect(work.sortTitle == "b" && !context.hasChanges)
        #expect(try rows(context).map { $0[0] } == [.string("b")])
    }

    @Test(arguments: TestedStore.allCases)
    func undoAndRedoAreFollowed(_ kind: TestedStore) throws {
        let context = try context(kind)
        context.undoLevels = 10
        let work = try context.insert(Work.self)
        work.title = "A"
        try context.save()
        work.title = "B"
        try context.save()
        context.undo()
        try context.save()
        #expect(work.sortTitle == "a")
        #expect(try rows(context).map { $0[0] } == [.string("a")])
        context.redo()
        try context.save()
        #expect(try rows(context).map { $0[0] } == [.string("b")])
    }

    @Test(
        arguments: TestedStore.allCases,
        [ManagedObjectContext.ConflictPolicy.mineWins, .theirsWins])
    func conflictPoliciesAreFollowed(
        _ kind: TestedStore, _ policy: ManagedObjectContext.ConflictPolicy
    ) throws {
        let context = try context(kind)
        let work = try context.insert(Work.self)
        (work.title, work.pages) = ("emma", 1)
        try context.save()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let theirs = try #require(try other.object(of: Work.self, id: work.id))
        work.title = "Zed"
        work.tags = ["x"]
        // A fetch computes the value before the other context saves.
        #expect(try context.count(Work.where { $0.sortTitle == "zed" }) == 1)
        (theirs.title, theirs.pages) = ("EMMA", 10)
        try other.save()
        context.conflictPolicy = policy
        try context.save()
        let isMine = policy == .mineWins
        #expect(work.title == (isMine ? "Zed" : "EMMA") && work.sortTitle == (isMine ? "zed" : "emma"))
        #expect(work.score == 21)
        #expect(try rows(context)[0][0...1] == [.string(isMine ? "zed" : "emma"), .integer(21)])
    }

    @Test(arguments: TestedStore.allCases)
    func mergedNewObjectIsFollowed(_ kind: TestedStore) throws {
        let context = try context(kind)
        let shelf = try context.insert(Shelf.self)
        (shelf.name, shelf.note) = ("x", "a")
        try context.save()
        context.uniquenessPolicy = .newObjectWins
        let new = try context.insert(Shelf.self)
        (new.name, new.note) = ("x", "b")
        try context.save()
        #expect(new.isDeleted && shelf.loudNote == "B")
        #expect(try context.count(FetchRequest<Shelf>(matching: FetchPredicate("loudNote == 'B'"))) == 1)
    }

    @Test func observersAndHistoryNameDerivedAttributes() throws {
        let coordinator = PersistentStoreCoordinator(model: try Self.model())
        try coordinator.addStore(.sqlite(path: directory.path, history: true))
        let context = ManagedObjectContext(coordinator: coordinator)
        let work = try context.insert(Work.self)
        try context.save()
        var names: [String] = []
        let observation = context.observe { event in
            if case .changed(_, let name) = event { names.append(name) }
        }
        work.title = "A"
        try context.save()
        observation.cancel()
        #expect(names == ["title", "sortTitle"])
        try context.updateAll(FetchRequest<Work>(), setting: ["title": "B"])
        try context.updateAll(FetchRequest<Work>(), setting: ["title": "b"])
        let changes = try coordinator.history(after: nil).map { $0.changes.map { $0.properties.sorted() } }
        #expect(changes == [[[]], [["sortTitle", "title"]], [["sortTitle", "title"]], [["title"]]])
    }

    // MARK: - Changes without objects

    @Test(arguments: TestedStore.allCases)
    func directUpdatesAreFollowed(_ kind: TestedStore) throws {
        let context = try context(kind)
        let works = try (0..<1200).map { number in
            let work = try context.insert(Work.self)
            (work.title, work.pages) = ("T\(number)", number)
            return work
        }
        try context.save()
        try context.updateAll(Work.where { $0.pages >= 100 }, setting: ["title": "ALL"])
        #expect(works[99].sortTitle == "t99" && works[100].sortTitle == "all")
        #expect(try context.count(Work.where { $0.sortTitle == "all" }) == 1100)
        var updates = ObjectUpdates(of: Work.self, setting: ["pages", "price"])
        for work in works { updates.append(id: work.id, values: [.integer(Int64(work.pages + 1)), .null]) }
        try context.updateEach([updates])
        #expect(works[7].pageScore == 16 && works[1199].score == 2400)
        #expect(try context.count(Work.where { $0.pageScore == 16 }) == 1)
        #expect(throws: FetchError.self) {
            try context.updateAll(FetchRequest<Work>(), setting: ["sortTitle": "x"])
        }
        #expect(throws: FetchError.self) {
            var updates = ObjectUpdates(of: Work.self, setting: ["half"])
            updates.append(id: works[0].id, values: [.double(1)])
            try context.updateEach([updates])
        }
    }

    @Test(arguments: TestedStore.allCases)
    func valueOutOfRangeIsRefused(_ kind: TestedStore) throws {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                "Item",
                attributes: [.integer32("count"), .integer16("double").derived(from: "count * 2")])
        ])
        let context = try kind.context(in: directory, model)
        let item = try context.insert(entity: "Item")
        try item.setValue(.integer(100), of: "count")
        try context.save()
        try item.setValue(.integer(30_000), of: "count")
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.failures.map(\.property) == ["double"])
        context.rollback()
        #expect(throws: ValidationError.self) {
            try context.updateAll(FetchRequest<ManagedObject>(entity: "Item"), setting: ["count": 30_000])
        }
        #expect(try item.value(of: "double") == .integer(200))
        #expect(
            try context.rows(FetchRequest<ManagedObject>(entity: "Item"), of: ["count"])[0][0]
                == .integer(100))
    }

    @Test func setValueIsRefused() throws {
        let context = try context(.memory)
        let work = try context.insert(Work.self)
        let error = #expect(throws: PropertyError.self) { try work.setValue(.string("x"), of: "sortTitle") }
        #expect(
            error?.description == "Work.sortTitle is derived from lowercase(title) and cannot be set")
    }

    @Test func setterEndsProgram() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try DerivedAttributeTests().context(.memory)
            try context.insert(Work.self).sortTitle = "x"
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Work.sortTitle is derived from lowercase(title) and cannot be set"))
    }

    @Test func checkReportsWrongValue() throws {
        let context = try context(.sqlite)
        try context.insert(Work.self).title = "A"
        try context.save()
        let store = StoreConfiguration(.sqlite, path: TestedStore.sqlite.path(in: directory))
        #expect(try StoreBackup.problems(of: store, model: Self.model()) == [])
        try context.executeSQL("UPDATE \"Work\" SET \"title\" = 'B'")
        #expect(
            try StoreBackup.problems(of: store, model: Self.model()) == [
                "Work 1: sortTitle differs from its expression"
            ])
    }

    // MARK: - Random changes

    @Test(arguments: TestedStore.allCases, [1, 2, 3] as [UInt64])
    func storedValuesEqualTheirExpressions(_ kind: TestedStore, _ seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let first = try context(kind)
        let contexts = [first, ManagedObjectContext(coordinator: first.coordinator)]
        for context in contexts {
            context.undoLevels = 20
            context.conflictPolicy = seed == 1 ? .mineWins : .theirsWins
        }
        var checks = 0
        for _ in 0..<150 {
            guard let context = contexts.randomElement(using: &random) else { return }
            let work = try context.objects(of: Work.self).randomElement(using: &random)
            let title = ["Emma", "EMMA", "emma", "\u{C9}", ""].randomElement(using: &random) ?? ""
            let pages = Int.random(in: 0...500, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1: try context.insert(Work.self).title = title
            case 2: work?.title = title
            case 3: work?.pages = pages
            case 4: work?.tags = Array(repeating: "t", count: pages % 4)
            case 5: if let work { try context.delete(work) }
            case 6: context.undo()
            case 7: context.redo()
            case 8 where pages < 100: context.rollback()
            case 9:
                try context.updateAll(Work.where { $0.pages > pages }, setting: ["title": title])
            case 10:
                try context.updateAll(Work.where { $0.title == title }, setting: ["pages": pages])
            default:
                do {
                    try context.save()
                } catch is ConflictError {
                    context.rollback()
                }
                try requireEqual(first.coordinator)
                checks += 1
            }
        }
        #expect(checks > 10)
        guard TestedStore.inFiles.contains(kind) else { return }
        first.coordinator.close()
        try requireEqual(context(kind).coordinator)
    }

    /// Expects that every stored value equals its expression in a request.
    private func requireEqual(_ coordinator: PersistentStoreCoordinator) throws {
        let context = ManagedObjectContext(coordinator: coordinator)
        for format in [
            "sortTitle == lowercase(title)", "pageScore == pages * 2", "score == pages * 2 + tags.@count",
            "half == pages / 2", "size == TERNARY(pages > 400, 'long', 'short')", "cost == price",
        ] {
            let wrong = try context.rows(
                FetchRequest<Work>(matching: FetchPredicate("NOT (\(format))")), of: ["id"])
            #expect(wrong.count == 0, "\(format)")
        }
    }
}
