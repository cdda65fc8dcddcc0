import Foundation
import ObjectStore
import Testing

/// All executions of a predicate find the same objects: in memory, in SQLite and in PostgreSQL. Predicates, objects and models are generated.
///
/// Each seed is one store. A failure names its seed and the smallest predicate that still fails.
/// `PREDICATE_SEEDS=1...5000 swift test --filter PredicateDifferential` runs other seeds than the default
/// ones.
@Suite struct PredicateDifferentialTests {
    static let predicatesPerStore = 60

    static let seeds: ClosedRange<UInt64> = {
        let bounds = ProcessInfo.processInfo.environment["PREDICATE_SEEDS"]?.split(separator: ".").compactMap
        { UInt64($0) }
        guard let bounds, let first = bounds.first, let last = bounds.last, first <= last else {
            return 1...60
        }
        return first...last
    }()

    @Test(arguments: seeds)
    func executionsAgree(seed: UInt64) throws {
        var source = ChoiceSource(seed: seed)
        let store = try DifferentialStore(&source, server: \.postgresql)
        var generator = PredicateGenerator(model: store.model, source: source)
        for _ in 0..<Self.predicatesPerStore {
            let entity = generator.source.pick(store.model.entities)
            let built = generator.predicate(of: entity)
            guard (try? built.check(against: entity, in: store.model)) != nil else { continue }
            // The constants of `built` are bound. Those of a predicate that is read from a format are
            // literals in the SQL.
            let read = try FetchPredicate(built.format)
            for predicate in [built, read] {
                let failure = Self.failure(predicate, of: entity, in: store)
                guard failure != nil else { continue }
                let smallest = PredicateShrinker.shrink(predicate) {
                    Self.failure($0, of: entity, in: store) != nil
                }
                Issue.record(
                    """
                    seed \(seed), \(entity.name): \(smallest)
                    \(Self.failure(smallest, of: entity, in: store) ?? "")
                    \(store.dump())
                    """)
                return
            }
        }
    }

    /// Most generated predicates can be executed, and many match some objects but not others.
    @Test func generatedPredicatesAreMeaningful() throws {
        var asked = 0
        var alertState = 0
        var total = 0
        for seed in 1...60 as ClosedRange<UInt64> {
            var source = ChoiceSource(seed: seed)
            let store = try DifferentialStore(&source)
            var generator = PredicateGenerator(model: store.model, source: source)
            for _ in 0..<Self.predicatesPerStore {
                let entity = generator.source.pick(store.model.entities)
                let predicate = generator.predicate(of: entity)
                total += 1
                guard (try? predicate.check(against: entity, in: store.model)) != nil else { continue }
                asked += 1
                let found = try store.outcome(predicate, of: entity).inSQL.count
                if found > 0 && found < store.objects[entity.index].count { alertState += 1 }
            }
        }
        #expect(asked * 10 > total * 9)
        #expect(alertState * 6 > asked, "\(alertState) of \(asked)")
    }

    /// The failure, or `nil` if the executions agree or the predicate cannot be executed.
    private static func failure(
        _ predicate: FetchPredicate, of entity: Entity, in store: DifferentialStore
    ) -> String? {
        guard (try? predicate.check(against: entity, in: store.model)) != nil else { return nil }
        do {
            let outcome = try store.outcome(predicate, of: entity)
            return outcome.agrees
                ? nil
                : "in memory \(outcome.inMemory.sorted()), in SQL \(outcome.inSQL.sorted()), "
                    + "in PostgreSQL \(outcome.inServer?.sorted() ?? [])"
        } catch {
            return "\(error)"
        }
    }
}
