import ObjectStore
import TestSupport
import Testing

/// Attributes that each save computes from related objects.
@Suite struct RelatedDerivationTests: PoetSuite {
    let directory = TemporaryStore()

    @Test(arguments: TestedStore.allCases)
    func saveFollowsBothEnds(_ kind: TestedStore) throws {
        let context = try context(kind)
        let (keats, byron) = (try poet("Keats", context), try poet("Byron", context))
        let ode = try poem("Ode", lines: 50, keats, context)
        let lara = try poem("Lara", lines: 10, nil, context)
        keats.poems.insert(lara)
        #expect(keats.poemCount == 0)
        try context.save()
        #expect(!context.hasChanges)
        #expect(keats.poemCount == 2 && keats.lineSum == 60 && keats.longest == 50 && keats.average == 30)
        #expect(keats.scoreSum == 120 && keats.fame == "Keats" && keats.hasOde == "yes")
        #expect(ode.poetName == "KEATS" && byron.poemCount == 0 && byron.longest == nil)
        try requireEqual(context.coordinator)
        lara.poet = byron
        try context.save()
        #expect(keats.poemCount == 1 && byron.poemCount == 1 && lara.poetName == "BYRON")
        keats.poems.remove(ode)
        try context.save()
        #expect(keats.poemCount == 0 && keats.lineSum == 0 && ode.poetName == "NONE")
        lara.lines = 99
        try context.save()
        #expect(byron.lineSum == 99 && byron.longest == 99)
        byron.name = "George"
        try context.save()
        #expect(lara.poetName == "GEORGE" && byron.fame == "George")
        try requireEqual(context.coordinator)
        #expect(try context.count(FetchRequest<Poet>(matching: FetchPredicate("lineSum == 99"))) == 1)
    }

    @Test(arguments: TestedStore.allCases)
    func deletionsAreFollowed(_ kind: TestedStore) throws {
        let context = try context(kind)
        let keats = try poet("Keats", context)
        let poems = try (1...5).map { try poem("\($0)", lines: $0, keats, context) }
        for poem in poems {
            let verse = try context.insert(Verse.self)
            poem.verses.insert(verse)
        }
        let theme = try context.insert(Theme.self)
        keats.themes.insert(theme)
        try context.save()
        #expect(keats.poemCount == 5 && poems[0].verseCount == 1 && theme.firstPoet == "Keats")
        try context.delete(poems[0])
        try context.save()
        #expect(keats.poemCount == 4 && keats.fame == "many")
        try context.deleteAll(FetchRequest<Poem>(matching: FetchPredicate("lines < 4")))
        #expect(keats.poemCount == 2 && keats.lineSum == 9)
        try context.deleteAll(FetchRequest<Verse>())
        #expect(poems[4].verseCount == 0)
        try requireEqual(context.coordinator)
        try context.delete(theme)
        try context.save()
        #expect(keats.themeCount == 0)
        let other = try context.insert(Theme.self)
        keats.themes.insert(other)
        try context.save()
        try context.deleteAll(FetchRequest<Theme>())
        #expect(keats.themeCount == 0)
        try context.deleteAll(FetchRequest<Poet>())
        #expect(poems[4].poetName == "NONE")
        try requireEqual(context.coordinator)
    }

    @Test(arguments: TestedStore.allCases)
    func directUpdatesAreFollowed(_ kind: TestedStore) throws {
        let context = try context(kind)
        let (keats, byron) = (try poet("Keats", context), try poet("Byron", context))
        let poems = try (0..<600).map { try poem("\($0)", lines: $0, keats, context) }
        try context.save()
        try context.updateAll(
            FetchRequest<Poem>(matching: FetchPredicate("lines < 500")), setting: ["poet": byron.id])
        #expect(keats.poemCount == 100 && byron.poemCount == 500 && poems[3].poetName == "BYRON")
        try context.updateAll(FetchRequest<Poem>(), setting: ["lines": 1])
        #expect(keats.lineSum == 100 && keats.scoreSum == 200)
        var updates = ObjectUpdates(of: Poem.self, setting: ["poet", "lines"])
        for poem in poems { updates.append(id: poem.id, values: [.integer(keats.id), .integer(2)]) }
        try context.updateEach([updates])
        #expect(keats.poemCount == 600 && keats.lineSum == 1200 && byron.poemCount == 0)
        try context.updateAll(FetchRequest<Poet>(), setting: ["name": "X"])
        #expect(poems[9].poetName == "X")
        try requireEqual(context.coordinator)
    }

    @Test(arguments: TestedStore.allCases)
    func undoIsFollowed(_ kind: TestedStore) throws {
        let context = try context(kind)
        context.undoLevels = 10
        let keats = try poet("Keats", context)
        try poem("Ode", lines: 1, keats, context)
        try context.save()
        let second = try poem("Lara", lines: 5, keats, context)
        try context.save()
        try context.delete(second)
        try context.save()
        #expect(keats.poemCount == 1)
        context.undo()
        try context.save()
        #expect(keats.poemCount == 2 && keats.lineSum == 6)
        let hasOne = try FetchRequest<Poet>(matching: FetchPredicate("poemCount == 1"))
        try context.delete(second)
        #expect(try context.fetch(hasOne) == [keats])
        context.undo()
        #expect(try context.fetch(hasOne) == [])
        #expect(keats.poemCount == 2)
        try context.save()
        context.undo()
        try context.save()
        #expect(keats.poemCount == 1)
        context.redo()
        try context.save()
        #expect(keats.poemCount == 2)
        try requireEqual(context.coordinator)
    }

    @Test(arguments: TestedStore.allCases)
    func valueOutOfRangeIsRefused(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory, NarrowSum.model())
        let (whole, part) = (try context.insert(entity: "A"), try context.insert(entity: "B"))
        try part.setValue(.integer(5), of: "n")
        try whole.objects(of: "parts").insert(part)
        try context.save()
        try part.setValue(.integer(40_000), of: "n")
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.failures.map(\.property) == ["sum"])
        context.rollback()
        #expect(try whole.value(of: "sum") == .integer(5))
        #expect(throws: ValidationError.self) {
            try context.updateAll(FetchRequest<ManagedObject>(entity: "B"), setting: ["n": 40_000])
        }
        try part.setValue(.integer(40_000), of: "n")
        #expect(throws: ValidationError.self) { try context.save() }
        try part.setValue(.integer(7), of: "n")
        try context.save()
        #expect(try whole.value(of: "sum") == .integer(7))
        // A fetch finds that the sum is out of range, and then the object is deleted.
        try part.setValue(.integer(40_000), of: "n")
        let isGreat = FetchRequest<ManagedObject>(entity: "A", matching: try FetchPredicate("sum > 100"))
        #expect(try context.count(isGreat) == 0)
        try context.delete(whole)
        try context.save()
        #expect(try part.value(of: "n") == .integer(40_000))
    }

    @Test func failureOfDeletedObjectIsForgotten() throws {
        let context = try TestedStore.memory.context(
            in: directory,
            ManagedObjectModel(entities: [
                EntityDescription(
                    "A", attributes: [.integer64("size")],
                    relationships: [.toMany("parts", destination: "B", inverse: "whole")]),
                EntityDescription(
                    "B", attributes: [.integer16("share").derived(from: "whole.size / 2")],
                    relationships: [.toOne("whole", destination: "A", inverse: "parts")]),
            ]))
        let (whole, part) = (try context.insert(entity: "A"), try context.insert(entity: "B"))
        try whole.objects(of: "parts").insert(part)
        try context.save()
        try whole.setValue(.integer(100_000), of: "size")
        let isGreat = FetchRequest<ManagedObject>(entity: "B", matching: try FetchPredicate("share > 100"))
        #expect(try context.count(isGreat) == 0)
        try context.delete(part)
        try context.save()
        #expect(try whole.value(of: "size") == .integer(100_000))
    }

    @Test func batchThatFailsRestoresValues() throws {
        let model = try Poets.model()
        let store = BrokenStore(try TestedStore.memory.open(in: directory, model))
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(store)
        let context = ManagedObjectContext(coordinator: coordinator)
        let keats = try poet("Keats", context)
        try context.save()
        try poem("Ode", lines: 1, keats, context)
        store.failsToCommit = true
        #expect(throws: BrokenStore.Failure.self) { try coordinator.batch { try context.save() } }
        store.failsToCommit = false
        #expect(context.hasChanges)
        try context.save()
        #expect(keats.poemCount == 1)
        try requireEqual(coordinator)
    }
}
