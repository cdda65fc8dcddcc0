/// A search for attributes in a query that are derived from related objects.
///
/// It compares names only, so it also finds an attribute of another entity with the same name.
struct DerivedAttributeSearch: PredicateRewriter {
    private let entitiesByName: [String: Set<Int>]
    /// The positions of the entities that have attributes of these names.
    private(set) var entities: Set<Int> = []

    init(_ derivations: RelatedDerivations) { entitiesByName = derivations.entitiesByName }

    mutating func visit(_ query: StoreQuery) {
        for order in query.request.order { visit(key: order.key) }
        for column in query.columns { if let key = column.key { visit(key: key) } }
        for key in query.groupedBy { visit(key: key) }
        _ = rewrite(query.request.predicate.root)
        _ = rewrite(query.having.root)
    }

    /// Visits the key of an order, a column or a group, such as `poet.poemCount` or `@max.poemCount`.
    mutating func visit(key: String) {
        for name in key.split(separator: ".") { visit(name: String(name)) }
    }

    mutating func rewrite(_ path: FetchPredicate.Path) -> FetchPredicate.Path {
        for key in path.keys { visit(name: key) }
        if case .subquery(let subquery) = path.root { _ = rewrite(subquery) }
        return path
    }

    private mutating func visit(name: String) {
        if let found = entitiesByName[name] { entities.formUnion(found) }
    }
}
