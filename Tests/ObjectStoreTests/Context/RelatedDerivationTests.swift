import ObjectStore
import ObjectStoreXML
import TestSupport
import Testing

/// Attributes that each save computes from related objects.
@Suite struct RelatedDerivationTests {
    let directory = TemporaryStore()

    final class Poet: ManagedObject {
        @Attribute var name: String = ""
        @Attribute var note: String?
        @Attribute(derivedFrom: "poems.@count") var poemCount: Int = 0
        @Attribute(derivedFrom: "poems.@sum.lines") var lineSum: Int = 0
        @Attribute(derivedFrom: "poems.@max.lines") var longest: Int?
        @Attribute(derivedFrom: "poems.@avg.lines") var average: Double?
        @Attribute(derivedFrom: "poems.@sum.score") var scoreSum: Int = 0
        @Attribute(derivedFrom: "SUBQUERY(poems, $p, $p.lines > 14 AND $p.tags.@count > 0).@count")
        var tagged: Int = 0
        // Declared before the attribute that it uses.
        @Attribute(derivedFrom: "TERNARY(poemCount > 2, 'many', name)") var fame: String?
        @Attribute(derivedFrom: "TERNARY(ANY poems.title == 'Ode', 'yes', 'no')") var hasOde: String?
        @Attribute(derivedFrom: "themes.@count") var themeCount: Int = 0
        @Attribute(derivedFrom: "themes.@sum.weight") var themeWeight: Int = 0
        @Attribute(derivedFrom: "pupils.@count") var pupilCount: Int = 0
        @Attribute(derivedFrom: "teacher.name") var teacherName: String?
        @ToMany(inverse: \Poem.poet) var poems: RelatedObjects<Poem>
        @ToMany(inverse: \Theme.poets) var themes: RelatedObjects<Theme>
        @ToMany(inverse: \Poet.teacher) var pupils: RelatedObjects<Poet>
        @ToOne var teacher: Poet?
    }

    final class Poem: ManagedObject {
        @Attribute var title: String = ""
        @Attribute var lines: Int = 0
        @Attribute var tags: [String] = []
        @Attribute(derivedFrom: "lines * 2") var score: Int = 0
        @Attribute(derivedFrom: "uppercase(poet.name)") var poetName: String = "NONE"
        @Attribute(derivedFrom: "verses.@count") var verseCount: Int = 0
        @ToOne var poet: Poet?
        @ToMany(inverse: \Verse.poem, deleteRule: .cascade) var verses: RelatedObjects<Verse>
    }

    final class Verse: ManagedObject {
        @Attribute var text: String?
        @Attribute(derivedFrom: "poem.title") var title: String?
        @ToOne var poem: Poem?
    }

    final class Theme: ManagedObject {
        @Attribute var weight: Int = 1
        @Attribute(derivedFrom: "poets.@min.name") var firstPoet: String?
        @ToMany var poets: RelatedObjects<Poet>
    }

    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(Poet.self, indexedBy: .index(\.poemCount)), EntityDescription(Poem.self),
            EntityDescription(Verse.self), EntityDescription(Theme.self),
        ])
    }

    private func context(_ kind: TestedStore) throws -> ManagedObjectContext {
        try kind.context(in: directory, Self.model())
    }

    /// Every derived value equals its expression in a request.
    private static let claims: [(entity: String, format: String)] = [
        ("Poet", "poemCount == poems.@count"), ("Poet", "lineSum == poems.@sum.lines"),
        ("Poet", "longest == poems.@max.lines"), ("Poet", "average == poems.@avg.lines"),
        ("Poet", "scoreSum == poems.@sum.lines * 2"),
        ("Poet", "tagged == SUBQUERY(poems, $p, $p.lines > 14 AND $p.tags.@count > 0).@count"),
        ("Poet", "fame == TERNARY(poems.@count > 2, 'many', name)"),
        ("Poet", "hasOde == TERNARY(ANY poems.title == 'Ode', 'yes', 'no')"),
        ("Poet", "themeCount == themes.@count"), ("Poet", "themeWeight == themes.@sum.weight"),
        ("Poet", "pupilCount == pupils.@count"), ("Poet", "teacherName == teacher.name"),
        ("Poem", "poetName == TERNARY(poet == nil, 'NONE', uppercase(poet.name))"),
        ("Poem", "verseCount == verses.@count"), ("Poem", "score == lines * 2"),
        ("Verse", "title == poem.title"), ("Theme", "firstPoet == poets.@min.name"),
    ]

    private func requireEqual(
        _ coordinator: PersistentStoreCoordinator, _ comment: String = "",
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        try requireEqual(ManagedObjectContext(coordinator: coordinator), comment, location)
    }

    /// Requires that the values are right with the unsaved changes of a context.
    private func requireEqual(
        _ context: ManagedObjectContext, _ comment: String = "",
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        for claim in Self.claims {
            let wrong = try context.rows(
                FetchRequest<ManagedObject>(
                    entity: claim.entity, matching: FetchPredicate("NOT (\(claim.format))")), of: ["id"])
            #expect(wrong.count == 0, "\(claim.entity) \(claim.format) \(comment)", sourceLocation: location)
        }
    }

    private func poet(_ name: String, _ context: ManagedObjectContext) throws -> Poet {
        let poet = try context.insert(Poet.self)
        poet.name = name
        return poet
    }

    @discardableResult
    private func poem(_ title: String, lines: Int, _ poet: Poet?, _ context: ManagedObjectContext) throws
        -> Poem
    {
        let poem = try context.insert(Poem.self)
        (poem.title, poem.lines, poem.poet) = (title, lines, poet)
        return poem
    }

    // MARK: - Saves

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

    // MARK: - Several contexts

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

    @Test func historyAndObserversNameDerivedValues() throws {
        let coordinator = PersistentStoreCoordinator(model: try Self.model())
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
        #expect(names == ["poemCount", "longest", "average", "hasOde"] || Set(names).count == 4)
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

    @Test(arguments: TestedStore.allCases)
    func valueOutOfRangeIsRefused(_ kind: TestedStore) throws {
        let context = try kind.context(
            in: directory,
            ManagedObjectModel(entities: [
                EntityDescription(
                    "A", attributes: [.integer16("sum").derived(from: "parts.@sum.n")],
                    relationships: [.toMany("parts", destination: "B", inverse: "whole")]),
                EntityDescription(
                    "B", attributes: [.integer64("n")],
                    relationships: [.toOne("whole", destination: "A", inverse: "parts")]),
            ]))
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
        let model = try Self.model()
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

    // MARK: - Checks and migrations

    @Test func checkReportsWrongValue() throws {
        let context = try context(.sqlite)
        let keats = try poet("Keats", context)
        try poem("Ode", lines: 1, keats, context)
        try context.save()
        let store = StoreConfiguration(.sqlite, path: TestedStore.sqlite.path(in: directory))
        #expect(try StoreBackup.problems(of: store, model: Self.model()) == [])
        try context.executeSQL("UPDATE \"Poem\" SET \"lines\" = 2, \"score\" = 4")
        #expect(
            try StoreBackup.problems(of: store, model: Self.model())
                == ["lineSum", "longest", "average", "scoreSum"].map {
                    "Poet 1: \($0) differs from its expression"
                })
        context.coordinator.close()
        #expect(try StoreBackup.problems(of: store, model: Self.model()).count == 4)
    }

    private static func version(
        _ version: String, _ expression: String?, _ more: [AttributeDescription] = []
    ) throws -> ManagedObjectModel {
        let sum = expression.map { [AttributeDescription.integer64("sum").derived(from: $0)] } ?? []
        return try ManagedObjectModel(
            versionIdentifiers: [version],
            entities: [
                EntityDescription(
                    "A", attributes: sum,
                    relationships: [.toMany("parts", destination: "B", inverse: "whole")]),
                EntityDescription(
                    "B", attributes: [.integer64("n")] + more,
                    relationships: [.toOne("whole", destination: "A", inverse: "parts")]),
            ])
    }

    @Test(arguments: [StoreKind.sqlite, .xml, .binary])
    func migrationComputesNewAndChangedExpressions(_ kind: StoreKind) throws {
        let store = StoreConfiguration(kind, path: "\(directory.directory)/items")
        let versions = [
            try Self.version("1", nil), try Self.version("2", "parts.@sum.n"),
            try Self.version("3", "parts.@count"), try Self.version("4", "parts.@count", [.string("note")]),
        ]
        let old = PersistentStoreCoordinator(model: versions[0])
        try old.addStore(store)
        let writer = ManagedObjectContext(coordinator: old)
        let whole = try writer.insert(entity: "A")
        for number: Int64 in 1...3 {
            let part = try writer.insert(entity: "B")
            try part.setValue(.integer(number), of: "n")
            try whole.objects(of: "parts").insert(part)
        }
        try writer.save()
        old.close()
        for (position, value) in [6, 3, 3].enumerated() as EnumeratedSequence<[Int64]> {
            let model = versions[position + 1]
            let coordinator = PersistentStoreCoordinator(model: model)
            let report = try coordinator.addStore(
                store, migrating: StoreMigration(versions: Array(versions[...(position + 1)])))
            let isCopied = kind != .sqlite || position < 2
            #expect((report?.steps.first?.reasonToCopy != nil) == isCopied)
            let context = ManagedObjectContext(coordinator: coordinator)
            let found = try context.rows(FetchRequest<ManagedObject>(entity: "A"), of: ["sum"])
            #expect(found.map { $0[0] } == [.integer(value)], "version \(position + 2)")
            coordinator.close()
        }
    }

    @Test func checkAndMigrationReachIDsBelowOne() throws {
        let store = StoreConfiguration(.sqlite, path: "\(directory.directory)/items")
        let versions = [try Self.version("1", nil), try Self.version("2", "parts.@count")]
        let old = PersistentStoreCoordinator(model: versions[0])
        try old.addStore(store)
        let writer = ManagedObjectContext(coordinator: old)
        for id in [Int64.min, -7, 0] {
            try writer.executeSQL("INSERT INTO A (id) VALUES (\(id))")
            try writer.executeSQL("INSERT INTO B (n, whole) VALUES (\(1), \(id))")
        }
        old.close()
        let coordinator = PersistentStoreCoordinator(model: versions[1])
        try coordinator.addStore(store, migrating: StoreMigration(versions: versions))
        let context = ManagedObjectContext(coordinator: coordinator)
        let sums = try context.rows(FetchRequest<ManagedObject>(entity: "A"), of: ["sum"])
        #expect(sums.map { $0[0] } == [.integer(1), .integer(1), .integer(1)])
        #expect(try StoreBackup.problems(of: store, model: versions[1]) == [])
        try context.executeSQL("UPDATE A SET sum = 5")
        #expect(
            try StoreBackup.problems(of: store, model: versions[1])
                == [Int64.min, -7, 0].map { "A \($0): sum differs from its expression" })
    }

    @Test(arguments: [StoreKind.sqlite, .xml])
    func migrationFollowsChangedInput(_ kind: StoreKind) throws {
        let store = StoreConfiguration(kind, path: "\(directory.directory)/items")
        let versions = try [["n", "m"], ["m", "n"]].enumerated().map { number, names in
            try ManagedObjectModel(
                versionIdentifiers: ["\(number)"],
                entities: [
                    EntityDescription(
                        "A", attributes: [.integer64("sum").derived(from: "parts.@sum.n")],
                        relationships: [.toMany("parts", destination: "B", inverse: "whole")]),
                    EntityDescription(
                        "B",
                        attributes: [
                            .integer64(names[0], renamedFrom: number == 0 ? nil : "n"),
                            .integer64(names[1], renamedFrom: number == 0 ? nil : "m"),
                        ] + (number == 0 ? [] : [.string("note")]),
                        relationships: [.toOne("whole", destination: "A", inverse: "parts")]),
                ])
        }
        let old = PersistentStoreCoordinator(model: versions[0])
        try old.addStore(store)
        let writer = ManagedObjectContext(coordinator: old)
        let (whole, part) = (try writer.insert(entity: "A"), try writer.insert(entity: "B"))
        try part.setValue(.integer(1), of: "n")
        try part.setValue(.integer(2), of: "m")
        try whole.objects(of: "parts").insert(part)
        try writer.save()
        old.close()
        let coordinator = PersistentStoreCoordinator(model: versions[1])
        try coordinator.addStore(store, migrating: StoreMigration(versions: versions))
        let rows = try ManagedObjectContext(coordinator: coordinator).rows(
            FetchRequest<ManagedObject>(entity: "A"), of: ["sum"])
        #expect(rows.map { $0[0] } == [.integer(2)])
    }

    // MARK: - Models

    static let refusals: [(attribute: AttributeDescription, problem: String)] = [
        (.integer64("x").derived(from: "poems.@sum.title"), "a number"),
        (.integer64("x").derived(from: "poems.missing.@count"), "missing"),
        (.integer64("x").derived(from: "poems.verses.@count"), "a path of two relationships"),
        (.string("x").derived(from: "teacher.teacher.title"), "a path of two relationships"),
        (.integer64("x").derived(from: "teacher.poems.@count"), "a path of two relationships"),
        (
            .integer64("x").derived(from: "SUBQUERY(poems, $p, $p.owner.title == 'x').@count"),
            "two relationships"
        ),
        (
            .integer64("x").derived(from: "SUBQUERY(poems, $p, $p.lines > poems.@avg.lines).@count"),
            "two relationships"
        ),
        (.integer64("x", .required).derived(from: "poems.@count"), "give it a default"),
        (.integer64("x").derived(from: "pupils.@sum.count"), "derived from relationships itself"),
        (.integer64("x").derived(from: "teacher.count"), "derived from relationships itself"),
        (.integer64("x").derived(from: "pupils.@sum.x"), "derived from relationships itself"),
        (
            .integer64("x").derived(from: "SUBQUERY(poems, $p, $p.lines > count).@count"),
            "derived from relationships itself"
        ),
        (.integer64("x").derived(from: "y + poems.@count"), "from itself"),
        (.integer64("x").derived(from: "poems[0].lines"), "a position in a relationship"),
        (.integer64("x", .unique).derived(from: "poems.@count"), "the rule unique"),
    ]

    @Test(arguments: refusals)
    func modelRefusesDerivation(_ sample: (attribute: AttributeDescription, problem: String)) {
        let error = #expect(throws: ModelError.self) {
            try ManagedObjectModel(entities: [
                EntityDescription(
                    "Poet",
                    attributes: [
                        .string("title"), sample.attribute, .integer64("y").derived(from: "x"),
                        .integer64("count").derived(from: "poems.@count"),
                    ],
                    relationships: [
                        .toMany("poems", destination: "Poem", inverse: "owner", orderedBy: "place"),
                        .toMany("pupils", destination: "Poet", inverse: "teacher"),
                        .toOne("teacher", destination: "Poet", inverse: "pupils"),
                    ]),
                EntityDescription(
                    "Poem", attributes: [.integer64("lines"), .string("title"), .integer64("place")],
                    relationships: [
                        .toOne("owner", destination: "Poet", inverse: "poems"),
                        .toMany("verses", destination: "Verse", inverse: "poem"),
                    ]),
                EntityDescription(
                    "Verse", relationships: [.toOne("poem", destination: "Poem", inverse: "verses")]),
            ])
        }
        #expect(error?.code == .invalidDerivation && error?.entity == "Poet", "\(sample.attribute)")
        #expect(error?.message.contains(sample.problem) == true, "\(error?.message ?? "")")
    }

    // MARK: - Random changes

    @Test(arguments: TestedStore.allCases, [1, 2, 3] as [UInt64])
    func storedValuesEqualTheirExpressions(_ kind: TestedStore, _ seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let first = try context(kind)
        let contexts = [
            first, ManagedObjectContext(coordinator: first.coordinator), ManagedObjectContext(parent: first),
        ]
        for context in contexts {
            context.undoLevels = 20
            context.conflictPolicy = seed == 1 ? .mineWins : seed == 2 ? .theirsWins : .error
        }
        var checks = 0
        for step in 0..<250 {
            guard let context = contexts.randomElement(using: &random) else { return }
            do {
                checks += try change(context, &random)
            } catch is ConflictError {
                context.rollback()
            } catch let error as StoreError where error.code == .danglingReference {
                context.rollback()
            }
            // A check by another context rolls back the open transaction of this one.
            switch Int.random(in: 0..<4, using: &random) {
            case 0: try requireEqual(first.coordinator, "seed \(seed), step \(step)")
            case 1:
                try requireEqual(context, "seed \(seed), step \(step), unsaved")
                for poet in try context.objects(of: Poet.self) {
                    #expect(poet.poemCount == poet.poems.count, "seed \(seed), step \(step)")
                }
            default: break
            }
        }
        #expect(checks > 10)
        guard TestedStore.inFiles.contains(kind) else { return }
        first.coordinator.close()
        try requireEqual(context(kind).coordinator)
    }

    /// Makes a random change. Returns 1 after a save, and otherwise 0.
    private func change(_ context: ManagedObjectContext, _ random: inout SplitMix) throws -> Int {
        let poet = try context.objects(of: Poet.self).randomElement(using: &random)
        let another = try context.objects(of: Poet.self).randomElement(using: &random)
        let poem = try context.objects(of: Poem.self).randomElement(using: &random)
        let theme = try context.objects(of: Theme.self).randomElement(using: &random)
        let number = Int.random(in: 0...30, using: &random)
        let title = ["Ode", "Lara", "", "\u{C9}"].randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<24, using: &random) {
        case 0: _ = try self.poet(title, context)
        case 1, 2: try self.poem(title, lines: number, poet, context)
        case 3: poem?.poet = poet
        case 4: poem?.lines = number
        case 5: poet?.name = title
        case 6: poem?.tags = Array(repeating: "t", count: number % 3)
        case 7: if let poem { try context.delete(poem) }
        case 8: if let poet, number < 10 { try context.delete(poet) }
        case 9:
            let changed = try theme ?? context.insert(Theme.self)
            changed.weight = number
        case 10: if let poet, let theme { poet.themes.insert(theme) }
        case 11: if let poet, let theme { theme.poets.remove(poet) }
        case 12: poet?.teacher = another
        case 13: if let poem { poem.verses.insert(try context.insert(Verse.self)) }
        case 14: poem?.title = title
        case 15: context.undo()
        case 16: context.redo()
        case 17: if number < 6 { context.rollback() }
        case 18: if let poem, !poem.isInserted, number < 10 { try context.refresh(poem) }
        case 19 where context.parent == nil:
            try context.updateAll(
                FetchRequest<Poem>(matching: FetchPredicate("lines > %d", number)),
                setting: number % 2 == 0 ? ["lines": number] : ["title": title])
        case 20 where context.parent == nil && number < 8:
            try context.deleteAll(FetchRequest<Poem>(matching: FetchPredicate("lines < %d", number)))
        case 21 where context.parent == nil:
            if let poem = try ManagedObjectContext(coordinator: context.coordinator).objects(of: Poem.self)
                .first
            {
                var updates = ObjectUpdates(of: Poem.self, setting: ["poet", "lines"])
                updates.append(id: poem.id, values: [.null, .integer(Int64(number))])
                try context.updateEach([updates])
            }
        default:
            try context.save()
            return 1
        }
        return 0
    }
}
