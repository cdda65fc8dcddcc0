import ObjectStore
import TestSupport
import Testing

/// Attributes that are derived from related objects, with several contexts and observers.
@Suite struct RelatedDerivationContextTests: PoetSuite {
    let directory = TemporaryStore()

    @Test(arguments: TestedStore.allCases)
    func contextsThatAddMembersDoNotConflict(_ kind: TestedStore) throws {
        let context = try context(kind)
        let keats = try poet("Keats", context)
        let theme = try context.insert(Theme.self)
        try context.save()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let theirs = try #require(try other.object(of: Poet.self, id: keats.id))
        let theirTheme = try #require(try other.object(of: Theme.self, id: theme.id))
        #expect(theirs.poemCount == 0)
        try poem("Ode", lines: 1, keats, context)
        try poem("Lara", lines: 5, theirs, other)
        theirTheme.poets.insert(theirs)
        keats.note = "changed here"
        try other.save()
        try context.save()
        #expect(keats.poemCount == 2 && keats.lineSum == 6 && keats.themeCount == 1)
        #expect(try other.object(of: Poet.self, id: keats.id)?.poemCount == 2)
        // A change of a derived value is no conflict with a deletion or with another change.
        theirs.name = "John"
        try poem("Hyperion", lines: 7, keats, context)
        try context.save()
        try other.save()
        #expect(theirs.poemCount == 3 && theirs.name == "John")
        // A change of the same attribute is one.
        keats.note = "mine"
        theirs.note = "theirs"
        try other.save()
        #expect(throws: ConflictError.self) { try context.save() }
        context.rollback()
        try requireEqual(context.coordinator)
    }

    @Test(arguments: TestedStore.allCases, [ManagedObjectContext.ConflictPolicy.mineWins, .theirsWins])
    func conflictPoliciesAreFollowed(_ kind: TestedStore, _ policy: ManagedObjectContext.ConflictPolicy)
        throws
    {
        let context = try context(kind)
        let poets = try ["A", "B", "C"].map { try poet($0, context) }
        let ode = try poem("Ode", lines: 1, poets[0], context)
        try context.save()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let theirs = try #require(try other.object(of: Poem.self, id: ode.id))
        ode.poet = poets[1]
        #expect(try context.count(FetchRequest<Poet>(matching: FetchPredicate("poemCount > 0"))) == 1)
        theirs.poet = try other.object(of: Poet.self, id: poets[2].id)
        try other.save()
        context.conflictPolicy = policy
        try context.save()
        try requireEqual(context.coordinator)
        let winner = policy == .mineWins ? 1 : 2
        #expect(
            try context.fetch(FetchRequest<Poet>(matching: FetchPredicate("poemCount == 1"))) == [
                poets[winner]
            ])
        #expect(poets.map(\.poemCount) == (0..<3).map { $0 == winner ? 1 : 0 })
    }

    @Test(arguments: TestedStore.allCases)
    func childContextIsFollowed(_ kind: TestedStore) throws {
        let root = try context(kind)
        let keats = try poet("Keats", root)
        try poem("Ode", lines: 1, keats, root)
        try root.save()
        let child = ManagedObjectContext(parent: root)
        let theirs = try #require(try child.counterpart(of: keats))
        try poem("Lara", lines: 5, theirs, child)
        try poem("Hyperion", lines: 7, keats, root)
        #expect(try child.count(FetchRequest<Poet>(matching: FetchPredicate("poemCount == 3"))) == 1)
        #expect(theirs.poemCount == 3)
        try child.save()
        #expect(try root.count(FetchRequest<Poet>(matching: FetchPredicate("poemCount == 3"))) == 1)
        #expect(keats.poemCount == 3)
        try root.save()
        #expect(keats.lineSum == 13)
        try requireEqual(root.coordinator)
    }

    @Test(arguments: TestedStore.allCases)
    func requestOfChildKeepsValuesOfParent(_ kind: TestedStore) throws {
        let root = try context(kind)
        let keats = try poet("Keats", root)
        try root.save()
        try poem("Ode", lines: 1, keats, root)
        let child = ManagedObjectContext(parent: root)
        let theirs = try #require(try child.counterpart(of: keats))
        try poem("Lara", lines: 5, theirs, child)
        let hasTwo = try FetchRequest<Poet>(matching: FetchPredicate("poemCount == 2"))
        #expect(try child.fetch(hasTwo) == [theirs])
        #expect(theirs.poemCount == 2 && keats.poemCount == 0)
        #expect(try root.count(FetchRequest<Poet>(matching: FetchPredicate("poemCount == 1"))) == 1)
        #expect(keats.poemCount == 1)
        try child.save()
        root.rollback()
        #expect(try child.fetch(FetchRequest<Poet>()) == [theirs])
        #expect(theirs.poemCount == 0 && keats.poemCount == 0)
    }

    @Test(arguments: TestedStore.allCases)
    func readOfAnotherContextKeepsUnsavedValues(_ kind: TestedStore) throws {
        let context = try context(kind)
        let keats = try poet("Keats", context)
        try context.save()
        try poem("Ode", lines: 1, keats, context)
        let hasPoems = try FetchRequest<Poet>(matching: FetchPredicate("poemCount > 0"))
        #expect(try context.fetch(hasPoems) == [keats])
        #expect(try ManagedObjectContext(coordinator: context.coordinator).count(hasPoems) == 0)
        #expect(try context.count(FetchRequest<Poem>()) == 1)
        #expect(keats.poemCount == 1)
        // A deletion that is discarded later does not hide that the value is outdated.
        try context.delete(keats)
        #expect(try ManagedObjectContext(coordinator: context.coordinator).count(hasPoems) == 0)
        #expect(try context.count(FetchRequest<Poem>()) == 1)
        context.rollback()
        #expect(keats.poemCount == 0)
    }

    @Test func historyAndObserversNameDerivedValues() throws {
        let coordinator = PersistentStoreCoordinator(model: try Poets.model())
        try coordinator.addStore(.sqlite(path: directory.path, history: true))
        let context = ManagedObjectContext(coordinator: coordinator)
        let keats = try poet("Keats", context)
        try context.save()
        var saves: [SavedChanges] = []
        var names: [String] = []
        let observations = [
            coordinator.observeSaves { saves.append($0) },
            context.observe {
                if case .changed(let object, let name) = $0, object === keats { names.append(name) }
            },
        ]
        let ode = try poem("Ode", lines: 0, keats, context)
        try context.save()
        #expect(names == ["poemCount", "longest", "average", "hasOde"])
        #expect(saves.map(\.updated) == [[keats.objectID]])
        try context.updateAll(FetchRequest<Poem>(), setting: ["poet": nil as Int?])
        #expect(saves.last?.updated.contains(keats.objectID) == true)
        try context.deleteAll(FetchRequest<Poem>())
        for observation in observations { observation.cancel() }
        let changes = try coordinator.history().map { transaction in
            transaction.changes.map {
                "\($0.kind) \($0.object) \($0.properties.sorted().joined(separator: ","))"
            }
        }
        #expect(
            changes == [
                ["inserted Poet 1 "],
                ["inserted Poem 1 ", "updated Poet 1 average,hasOde,longest,poemCount"],
                ["updated Poet 1 average,hasOde,longest,poemCount", "updated Poem 1 poet,poetName"],
                ["deleted Poem 1 "],
            ])
        #expect(ode.isDeleted)
    }

    @Test func liveResultsFollowDerivedValues() throws {
        let context = try context(.memory)
        let keats = try poet("Keats", context)
        try context.save()
        let results = try FetchedResultsController(
            FetchRequest<Poet>(matching: FetchPredicate("poemCount > 0"), orderedBy: [FetchOrder("id")]),
            in: context)
        try results.performFetch()
        #expect(results.objects == [])
        try poem("Ode", lines: 1, keats, context)
        try context.save()
        #expect(results.objects == [keats])
        let other = ManagedObjectContext(coordinator: context.coordinator)
        try other.deleteAll(FetchRequest<Poem>())
        #expect(results.objects == [])
    }
}
