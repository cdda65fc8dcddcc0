import ObjectStore
import TestSupport
import Testing

/// Fetches of attributes that are derived from related objects, with unsaved changes.
@Suite struct RelatedDerivationFetchTests: PoetSuite {
    let directory = TemporaryStore()

    @Test(arguments: TestedStore.allCases)
    func fetchSeesValuesOfUnsavedChanges(_ kind: TestedStore) throws {
        let context = try context(kind)
        let (keats, byron) = (try poet("Keats", context), try poet("Byron", context))
        let ode = try poem("Ode", lines: 1, keats, context)
        try context.save()
        let hasPoems = try FetchRequest<Poet>(matching: FetchPredicate("poemCount > 0"))
        ode.poet = byron
        #expect(try context.fetch(hasPoems) == [byron])
        #expect(byron.poemCount == 1 && keats.poemCount == 0)
        // The row in the open transaction refers to Byron, and the saved one to Keats.
        ode.poet = nil
        #expect(try context.fetch(hasPoems) == [])
        #expect(byron.poemCount == 0)
        ode.poet = byron
        #expect(try context.fetch(hasPoems) == [byron])
        context.rollback()
        #expect(byron.poemCount == 0 && keats.poemCount == 1 && ode.poetName == "KEATS")
        #expect(try context.fetch(hasPoems) == [keats])
        ode.poet = byron
        #expect(try context.fetch(hasPoems) == [byron])
        try context.refresh(ode)
        #expect(byron.poemCount == 0 && keats.poemCount == 1)
        try requireEqual(context.coordinator)
    }

    @Test(arguments: TestedStore.allCases)
    func liveResultsSeeValuesOfUnsavedChanges(_ kind: TestedStore) throws {
        try requireLiveValues(in: try context(kind))
    }

    /// The results write unsaved changes in a transaction that they end at once.
    @Test func liveResultsOfSharedStoreSeeValuesOfUnsavedChanges() throws {
        let coordinator = PersistentStoreCoordinator(model: try Poets.model())
        try coordinator.addStore(.sqlite(path: directory.path, shared: true))
        try requireLiveValues(in: ManagedObjectContext(coordinator: coordinator))
    }

    private func requireLiveValues(in context: ManagedObjectContext) throws {
        let keats = try poet("Keats", context)
        try context.save()
        let poets = FetchedResultsController(Poet.where { $0.poemCount > 0 }, in: context)
        let poems = FetchedResultsController(Poem.where { $0.poet.poemCount > 0 }, in: context)
        try poets.performFetch()
        try poems.performFetch()
        let ode = try poem("Ode", lines: 1, keats, context)
        context.processPendingChanges()
        #expect(poets.objects == [keats] && poems.objects == [ode])
        ode.poet = nil
        context.processPendingChanges()
        #expect(poets.objects == [] && poems.objects == [])
        ode.poet = keats
        try context.save()
        #expect(poets.objects == [keats] && poems.objects == [ode])
    }

    @Test(arguments: TestedStore.allCases)
    func everyKindOfRequestSeesValues(_ kind: TestedStore) throws {
        let context = try context(kind)
        let keats = try poet("Keats", context)
        let byron = try poet("Byron", context)
        byron.teacher = keats
        try context.save()
        let requests: [(String, () throws -> Bool)] = [
            (
                "order",
                {
                    let byCount = FetchOrder("poemCount", ascending: false)
                    return try context.fetch(FetchRequest<Poet>(orderedBy: [byCount, FetchOrder("name")]))
                        == [keats, byron]
                }
            ),
            (
                "order of a path",
                {
                    let byCount = FetchOrder("teacher.poemCount", ascending: false)
                    return try context.ids(FetchRequest<Poet>(orderedBy: [byCount]))
                        == [byron.id, keats.id]
                }
            ),
            (
                "columns",
                {
                    try context.rows(FetchRequest<Poet>(), of: [.max("lineSum"), .count])[0][0] == .integer(7)
                }
            ),
            (
                "groups",
                {
                    try context.rows(
                        FetchRequest<Poet>(), of: [.count], groupedBy: ["poemCount"],
                        having: FetchPredicate("@max.poemCount > 0")
                    ).count == 1
                }
            ),
            (
                "a subquery",
                {
                    let hasPupil = try FetchPredicate(
                        "SUBQUERY(pupils, $p, $p.teacher.poemCount == 1).@count == 1")
                    return try context.count(FetchRequest<Poet>(matching: hasPupil)) == 1
                }
            ),
            (
                "an aggregate",
                {
                    let isRead = try FetchPredicate("poet.poemCount == 1 AND poet.pupils.@sum.poemCount == 0")
                    return try context.count(FetchRequest<Poem>(matching: isRead)) == 1
                }
            ),
            (
                "a prepared fetch",
                {
                    let fetch = try context.prepare(
                        FetchRequest<Poet>(matching: FetchPredicate("poemCount == $n")), of: ["name"])
                    return try context.rows(fetch, with: ["n": .integer(1)]).count == 1
                }
            ),
        ]
        for (name, isRight) in requests {
            try poem("Ode", lines: 7, keats, context)
            #expect(try isRight(), "\(name)")
            #expect(keats.poemCount == 1, "\(name)")
            context.rollback()
            #expect(keats.poemCount == 0, "\(name)")
        }
    }

    @Test func sqlSeesValues() throws {
        let context = try context(.sqlite)
        let keats = try poet("Keats", context)
        try poem("Ode", lines: 7, keats, context)
        #expect(try context.sql("SELECT poemCount, lineSum FROM Poet", as: (Int, Int).self)[0] == (1, 7))
        #expect(keats.poemCount == 1)
    }

    @Test(arguments: TestedStore.allCases)
    func requestWithoutTheAttributeKeepsItsValue(_ kind: TestedStore) throws {
        let context = try context(kind)
        let keats = try poet("Keats", context)
        try context.save()
        try poem("Ode", lines: 7, keats, context)
        #expect(try context.fetch(FetchRequest<Poet>(matching: FetchPredicate("name == 'Keats'"))) == [keats])
        #expect(keats.poemCount == 0)
        try context.save()
        #expect(keats.poemCount == 1 && keats.lineSum == 7)
        try requireEqual(context.coordinator)
    }

    @Test func sectionsFollowValues() throws {
        let context = try context(.memory)
        let keats = try poet("Keats", context)
        try context.save()
        let results = FetchedResultsController(
            FetchRequest<Poet>(orderedBy: [FetchOrder("name")]), sectionedBy: \.poemCount, in: context)
        try poem("Ode", lines: 7, keats, context)
        try results.performFetch()
        #expect(results.sections.map(\.name) == ["1"])
    }

    @Test func validationOfChangesIncludesValues() throws {
        let context = try TestedStore.memory.context(in: directory, NarrowSum.model())
        let (whole, part) = (try context.insert(entity: "A"), try context.insert(entity: "B"))
        try part.setValue(.integer(40_000), of: "n")
        try whole.objects(of: "parts").insert(part)
        #expect(throws: ValidationError.self) { try context.validateChanges() }
        try part.setValue(.integer(4), of: "n")
        try context.validateChanges()
        #expect(try whole.value(of: "sum") == .integer(4))
    }

    // MARK: - Work

    private func countedStore() throws -> (BrokenStore, ManagedObjectContext) {
        let model = try Poets.model()
        let store = BrokenStore(try TestedStore.memory.open(in: directory, model))
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(store)
        return (store, ManagedObjectContext(coordinator: coordinator))
    }

    /// Adds poems to one poet, and looks up the poet and the poem before each.
    ///
    /// - Returns: The number of rows that were read.
    private func rowsRead(byImportOf count: Int) throws -> Int {
        let (store, context) = try countedStore()
        try poet("Keats", context).note = "first"
        try context.save()
        store.reads = []
        for number in 0..<count {
            let isPoet = try FetchPredicate("name == 'Keats'")
            let keats = try #require(try context.fetch(FetchRequest<Poet>(matching: isPoet)).first)
            let isPoem = try FetchPredicate("title == %@", "Ode \(number)")
            #expect(try context.count(FetchRequest<Poem>(matching: isPoem)) == 0)
            try poem("Ode \(number)", lines: number, keats, context)
        }
        try context.save()
        let read = store.reads.reduce(0) { $0 + $1.rowCount }
        try requireEqual(context.coordinator)
        return read
    }

    @Test func importWithLookupsReadsEachMemberOnce() throws {
        let (less, more) = (try rowsRead(byImportOf: 100), try rowsRead(byImportOf: 200))
        #expect(more <= 2 * less, "\(less) and \(more) rows")
        #expect(more < 10 * 200, "\(more) rows")
    }

    @Test func linkedMembersAreReadInBatches() throws {
        let (store, context) = try countedStore()
        let themes = try (1...120).map { weight in
            let theme = try context.insert(Theme.self)
            theme.weight = weight
            return theme
        }
        for number in 0..<100 {
            let poet = try poet("\(number)", context)
            for theme in themes { poet.themes.insert(theme) }
        }
        store.reads = []
        try context.save()
        var pairs = 0
        var mostPairs = 0
        for read in store.reads {
            switch read {
            case .pairs(let count): pairs += count
            case .rows(_, of: let entity, let columns):
                if entity == "Theme", columns == ["id", "weight"] { mostPairs = max(mostPairs, pairs) }
                pairs = 0
            }
        }
        #expect(mostPairs > 1000 && mostPairs <= 5000 + 120)
        let sum = 120 * 121 / 2
        #expect(
            try context.count(FetchRequest<Poet>(matching: FetchPredicate("themeWeight == %d", sum))) == 100)
        try requireEqual(context.coordinator)
    }
}
