internal import Synchronization

/// A fetch of rows that is made once and run again and again, each time with other values for its `$variables`.
///
///     let late = try context.prepare(
///         FetchRequest<Book>(matching: try FetchPredicate("published < $year")), of: ["id", "title"])
///     let rows = try context.rows(late, ["year": .date(moment)])
///
/// A store that knows it from before looks at nothing but the values. It belongs to the model of the context that has
/// made it, and serves every context of that model.
public struct PreparedFetch: Sendable {
    private static let lastNumber = Atomic(0)

    /// No other fetch of the process has it.
    public let number: Int
    /// With the variables in it.
    public let query: StoreQuery
    let affectedStores: [UUIDValue]?

    init(_ query: StoreQuery, affectedStores: [UUIDValue]?) {
        number = Self.lastNumber.add(1, ordering: .relaxed).newValue
        self.query = query
        self.affectedStores = affectedStores
    }

    /// The query with values in the place of the variables.
    public func query(_ values: [String: AttributeValue]) -> StoreQuery {
        var bound = query
        bound.request.predicate = query.request.predicate.binding(values)
        return bound
    }
}

extension ManagedObjectContext {
    /// A fetch of rows to be run many times; it takes what `rows` takes.
    public func prepare<Object: ManagedObject>(
        _ request: FetchRequest<Object>, of columns: [FetchColumn], groupedBy groups: [String] = [],
        distinct: Bool = false
    ) throws -> PreparedFetch {
        PreparedFetch(
            StoreQuery(
                request: try storeRequest(request), columns: columns, groupedBy: groups, isDistinct: distinct),
            affectedStores: request.affectedStores)
    }

    /// The rows of a prepared fetch, unsaved changes included. A variable that gets no value is an error.
    public func rows(_ fetch: PreparedFetch, _ values: [String: AttributeValue] = [:]) throws -> FetchedRows {
        try writeChanges()
        let entity = fetch.query.request.entity
        let places = try coordinator.places(of: entity, among: fetch.affectedStores)
        if places.count == 1 { return try places[0].store.rows(fetch, values) }
        let query = fetch.query(values)
        return try SpanningFetch(RoutedRequest(request: query.request, places: places), model).rows(query)
    }
}
