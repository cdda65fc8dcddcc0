import ObjectStore
import TestSupport
import Testing

/// Random changes of a hierarchy in several contexts, with conflicts and merges. After each save, both ends of each
/// relationship agree, each external value has an owner, and unique and derived attributes are right.
@Suite struct HierarchyConflictModelTests {
    class Work: ManagedObject {
        override class var isAbstract: Bool { self == Work.self }
        @Attribute(.required) var title: String?
        @Attribute(.unique) var code: String?
        @Attribute var place: Int?
        @ToOne var series: Series?
        @ToMany(inverse: \Theme.works) var themes: RelatedObjects<Theme>
        @External var cover: [UInt8]?
    }

    final class Novel: Work {
        @ToOne(inverse: \Borrower.novel) var borrower: Borrower?
        @External(type: .string) var body: String?
    }

    final class Album: Work {
        @Attribute var tracks: [String] = []
    }

    final class Series: ManagedObject {
        @Attribute var name: String = "s"
        @Attribute(derivedFrom: "uppercase(name)") var loudName: String?
        @ToMany(inverse: \Work.series, orderedBy: \.place, deleteRule: .cascade) var works:
            RelatedObjects<Work>
    }

    final class Theme: ManagedObject {
        @ToMany var works: RelatedObjects<Work>
        @Attribute var name: String?
    }

    final class Borrower: ManagedObject {
        @ToOne var novel: Novel?
        @Attribute var name: String?
    }

    private static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(Work.self), EntityDescription(Novel.self), EntityDescription(Album.self),
            EntityDescription(Series.self), EntityDescription(Theme.self), EntityDescription(Borrower.self),
        ])
    }

    let store = TemporaryStore()

    @Test(arguments: [TestedStore.sqlite, .memory, .xml], 1...10 as ClosedRange<UInt64>)
    func twoContextsKeepRelationshipsWhole(_ kind: TestedStore, _ seed: UInt64) throws {
        let first = try kind.context(in: store, Self.model())
        let second = ManagedObjectContext(coordinator: first.coordinator)
        try run([first, second], SplitMix(state: seed &* 7919)) { _ in
            ManagedObjectContext(coordinator: first.coordinator)
        }
    }

    @Test(arguments: [TestedStore.sqlite, .memory], 1...10 as ClosedRange<UInt64>)
    func childContextsKeepRelationshipsWhole(_ kind: TestedStore, _ seed: UInt64) throws {
        let root = try kind.context(in: store, Self.model())
        let children = [ManagedObjectContext(parent: root), ManagedObjectContext(parent: root)]
        try run([root] + children, SplitMix(state: seed &* 104_729)) { saved in
            saved === root
                ? ManagedObjectContext(coordinator: root.coordinator) : ManagedObjectContext(parent: root)
        }
    }

    private func run(
        _ contexts: [ManagedObjectContext], _ random: SplitMix,
        _ observer: (ManagedObjectContext) -> ManagedObjectContext
    ) throws {
        var random = random
        for context in contexts {
            context.conflictPolicy = [.error, .mineWins, .theirsWins].randomElement(using: &random) ?? .error
            context.uniquenessPolicy =
                [.error, .savedObjectWins, .newObjectWins].randomElement(using: &random) ?? .error
            context.undoLevels = [0, 20].randomElement(using: &random) ?? 0
        }
        var held: [Work] = []
        for step in 0..<150 {
            let context = try #require(contexts.randomElement(using: &random))
            switch Int.random(in: 0..<18, using: &random) {
            case 0..<12:
                try Self.change(context, step, &random)
                if step.isMultiple(of: 5) { held += try context.fetch(Work.all) }
                if step.isMultiple(of: 40) { held = [] }
            case 12:
                context.endUndoGroup()
                context.undo()
                if Bool.random(using: &random) { context.redo() }
            default:
                try Self.save(context, &random)
                #expect(try Self.problems(of: observer(context)) == [], "step \(step)")
            }
        }
    }

    private static func save(_ context: ManagedObjectContext, _ random: inout SplitMix) throws {
        do {
            try context.save()
        } catch let error as ConflictError where Bool.random(using: &random) {
            for id in error.objects {
                if let object = try context.object(id) { try context.refresh(object) }
            }
            do { try context.save() } catch { context.rollback() }
        } catch {
            #expect(
                error is ConflictError || error is ValidationError
                    || (error as? StoreError)?.code == .danglingReference)
            context.rollback()
        }
    }

    private static func change(
        _ context: ManagedObjectContext, _ step: Int, _ random: inout SplitMix
    ) throws {
        let work = try context.fetch(Work.all.ordered(by: \.id)).randomElement(using: &random)
        let series = try context.fetch(Series.all.ordered(by: \.id)).randomElement(using: &random)
        let theme = try context.fetch(Theme.all.ordered(by: \.id)).randomElement(using: &random)
        let borrower = try context.fetch(Borrower.all.ordered(by: \.id)).randomElement(using: &random)
        let value: [UInt8]? = Bool.random(using: &random) ? [UInt8(truncatingIfNeeded: step)] : nil
        switch Int.random(in: 0..<20, using: &random) {
        case 0, 1:
            let new: Work =
                Bool.random(using: &random) ? try context.insert(Novel.self) : try context.insert(Album.self)
            new.title = "\(step)"
            if Bool.random(using: &random) { new.code = "\(Int.random(in: 0..<8, using: &random))" }
            new.cover = value
        case 2: try context.insert(Series.self).name = "s\(step)"
        case 3: series?.name = "n\(step)"
        case 4:
            _ = value == nil ? try context.insert(entity: "Theme") : try context.insert(entity: "Borrower")
        case 5: work?.title = "u\(step)"
        case 6, 7: work?.cover = value
        case 8: (work as? Novel)?.body = value.map { "\($0)" }
        case 9, 10: work?.series = series
        case 11: work?.series = nil
        case 12: if let work { series?.works.insert(work, at: 0) }
        case 13, 14: (work as? Novel)?.borrower = borrower
        case 15: (work as? Novel)?.borrower = nil
        case 16:
            guard let work, let theme else { break }
            if theme.works.contains(work) { theme.works.remove(work) } else { theme.works.insert(work) }
        case 17: if let work { try context.delete(work) }
        case 18:
            if let object: ManagedObject = value == nil ? series : borrower { try context.delete(object) }
        default: if let work { try context.refresh(work) }
        }
    }

    private static func problems(of context: ManagedObjectContext) throws -> [String] {
        var problems: [String] = []
        var values = ["Work_cover": 0, "Novel_body": 0]
        var codes: Set<String> = []
        for work in try context.fetch(Work.all) {
            // The parent of a child checks unique values at its own save.
            if context.parent == nil, let code = work.code, !codes.insert(code).inserted {
                problems.append("\(work.objectID) has the code of another object")
            }
            for (entity, name) in [("Work_cover", "cover"), ("Novel_body", "body")]
            where work.entity.property(named: name) != nil {
                guard let value = try work.target(of: name) else { continue }
                values[entity, default: 0] += 1
                if try value.target(of: "owner") !== work { problems.append("\(work.objectID).\(name)") }
            }
            if let series = work.series, !series.works.contains(work) {
                problems.append("\(work.objectID).series")
            }
            if work.series == nil, work.place != nil { problems.append("\(work.objectID).place") }
            if work.themes.contains(where: { !$0.works.contains(work) }) {
                problems.append("\(work.objectID).themes")
            }
            if let borrower = (work as? Novel)?.borrower, borrower.novel !== work {
                problems.append("\(work.objectID).borrower")
            }
        }
        for borrower in try context.fetch(Borrower.all) {
            if let novel = borrower.novel, novel.borrower !== borrower {
                problems.append("\(borrower.objectID).novel")
            }
        }
        for series in try context.fetch(Series.all) where series.loudName != series.name.uppercased() {
            problems.append("\(series.objectID).loudName")
        }
        for (entity, count) in values {
            let found = try context.count(FetchRequest<ManagedObject>(entity: entity))
            if found != count { problems.append("\(found) of \(entity), and \(count) owners") }
        }
        return problems
    }
}
