import ObjectStore
import TestSupport
import Testing

/// Random changes after which attributes that are derived from related objects equal their expressions.
@Suite struct RelatedDerivationRandomTests: PoetSuite {
    let directory = TemporaryStore()

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
