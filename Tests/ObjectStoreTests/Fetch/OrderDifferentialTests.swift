import ObjectStore
import Testing

/// SQLite, PostgreSQL and a store that searches its rows itself return the same rows in the same order, and the same
/// groups and aggregates. The objects are generated and have values of every type.
@Suite struct OrderDifferentialTests {
    private static let requestsPerStore = 25

    @Test(arguments: 1...40 as ClosedRange<UInt64>) func storesReturnSameRows(seed: UInt64) throws {
        var source = ChoiceSource(seed: seed &+ 1_000)
        let store = try DifferentialStore(&source, server: \.postgresql)
        let contexts = [store.context, store.rowContext, try #require(store.serverContext)]
        for _ in 0..<Self.requestsPerStore {
            let entity = source.pick(store.model.entities)
            var request = FetchRequest<ManagedObject>(
                entity: entity.name,
                orderedBy: (0...source.number(below: 3)).map { _ in Self.order(entity, store.model, &source) }
            )
            if source.chance(1, in: 3) { request.limit = source.number(below: 5) }
            if source.chance(1, in: 4) { request.offset = source.number(below: 4) }
            let ids = try contexts.map { try $0.ids(request) }
            #expect(Set(ids).count == 1, "seed \(seed), \(entity.name), \(request.order)\n\(store.dump())")
            let groups = (0..<source.number(below: 3)).map { _ in Self.key(entity, store.model, &source) }
            let columns = groups.map { FetchColumn.key($0) } + Self.aggregates(entity, &source)
            request.order = groups.filter { _ in source.chance(1, in: 2) }.map {
                FetchOrder($0, ascending: false)
            }
            // Groups that the order does not distinguish come in the order in which they are found first.
            if request.order.count < groups.count { request.order = [] }
            let rows = try contexts.map {
                try $0.rows(request, of: columns, groupedBy: groups).map { Array($0.values) }
            }
            #expect(
                rows[0] == rows[1] && rows[0] == rows[2],
                "seed \(seed), \(entity.name), \(columns) by \(groups)\n\(store.dump())")
        }
    }

    private static func order(
        _ entity: Entity, _ model: ManagedObjectModel, _ source: inout ChoiceSource
    ) -> FetchOrder {
        FetchOrder(
            key(entity, model, &source),
            options: source.pick([[], [], .caseInsensitive, .diacriticInsensitive]),
            ascending: source.chance(1, in: 2), nilIsLast: source.chance(1, in: 3),
            zeroIsNil: source.chance(1, in: 4))
    }

    /// An attribute or a reference, sometimes of the object at the end of a reference.
    private static func key(
        _ entity: Entity, _ model: ManagedObjectModel, _ source: inout ChoiceSource
    ) -> String {
        let column = source.pick(entity.columns)
        guard case .toOne(let relationship) = column.content, source.chance(2, in: 3) else {
            return column.name
        }
        let destination = model.entities[relationship.destinationIndex]
        return "\(column.name).\(source.pick(destination.columns).name)"
    }

    /// Excludes sums and averages of doubles, which depend on the order in which the values are added.
    private static func aggregates(_ entity: Entity, _ source: inout ChoiceSource) -> [FetchColumn] {
        var columns = [FetchColumn.count]
        for column in entity.columns where source.chance(1, in: 3) {
            guard case .attribute(let attribute) = column.content else { continue }
            switch attribute.type {
            case .binary: break
            case .integer16, .integer32, .boolean, .decimal:
                columns += [.sum(column.name), .average(column.name), .min(column.name), .max(column.name)]
            default: columns += [.min(column.name), .max(column.name)]
            }
        }
        return columns
    }
}
