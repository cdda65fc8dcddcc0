/// A request that is evaluated on rows in memory, with the same results as in SQL.
///
///     public func ids(_ request: StoreRequest) throws -> [Int64] {
///         try RowQuery(request, model: model).ids(in: self)
///     }
public struct RowQuery {
    let request: StoreRequest
    let model: ManagedObjectModel
    private let resolved: ResolvedPredicate?
    private let predicate: CompiledPredicate?
    private let candidates: RowCandidates
    private let order: RowOrder

    /// Resolves the predicate and the order of a request.
    ///
    /// - Throws: an error if the predicate or the order does not fit the entity.
    public init(_ request: StoreRequest, model: ManagedObjectModel) throws {
        self.request = request
        self.model = model
        if request.predicate.root == .constant(true) {
            resolved = nil
            predicate = nil
            candidates = .all
        } else {
            let resolved = try request.predicate.resolved(against: request.entity, in: model)
            self.resolved = resolved
            predicate = CompiledPredicate(resolved)
            candidates = RowCandidates(resolved)
        }
        order = try RowOrder(request.order, of: request.entity, in: model)
    }

    /// Calls `body` with the ID and the values of each object, in order.
    public func forEach(
        in source: some RowSource, _ body: (Int64, RowValues) throws -> Void
    ) throws {
        try forEachSubject(in: source) { try body($0.id, $0.row) }
    }

    /// Returns the IDs of the objects, in order.
    public func ids(in source: some RowSource) throws -> [Int64] {
        var ids: [Int64] = []
        try forEachSubject(in: source) { ids.append($0.id) }
        return ids
    }

    /// Returns the number of objects, after applying the offset and the limit.
    public func count(in source: some RowSource) throws -> Int {
        var count = 0
        try forEachMatch(in: source) { _ in
            count += 1
            return true
        }
        let left = max(count - offset, 0)
        return limit.map { min(left, $0) } ?? left
    }

    /// Returns a description of how the request is evaluated. It omits the values that the predicate compares with.
    public func explanation() -> FetchExplanation {
        var plan = [candidates.explanation(request.entity)]
        if predicate != nil { plan.append("evaluate the predicate for each") }
        if !order.isByAscendingID {
            plan.append("sort by " + request.order.map(\.key).joined(separator: ", "))
        }
        return FetchExplanation(
            statement: "rows of \(request.entity.name) in memory", bindings: [], plan: plan)
    }

    // MARK: - Order

    private var limit: Int? { request.rowLimit }
    private var offset: Int { request.rowOffset }

    /// The number of matching rows after which the search ends, or `nil` to find all rows.
    private var end: Int? {
        limit.flatMap { limit in
            let (end, isBeyond) = offset.addingReportingOverflow(limit)
            return isBeyond ? nil : end
        }
    }

    func forEachSubject<Source: RowSource>(
        in source: Source, _ body: (RowSubject<Source>) throws -> Void
    ) throws {
        if order.isByAscendingID {
            var passed = 0
            try forEachMatch(in: source) { subject in
                if let end, passed >= end { return false }
                passed += 1
                if passed > offset { try body(subject) }
                return true
            }
        } else {
            for subject in try sorted(source) { try body(subject) }
        }
    }

    private func sorted<Source: RowSource>(_ source: Source) throws -> ArraySlice<RowSubject<Source>> {
        var first = FirstRows<Source>(order, count: end)
        try forEachMatch(in: source) { subject in
            first.add(subject, try order.keys(of: subject))
            return true
        }
        return first.sorted().dropFirst(offset)
    }

    // MARK: - Condition

    /// Calls `body` for each object that matches the predicate, in ascending order of the IDs, until it returns false.
    func forEachMatch<Source: RowSource>(
        in source: Source, _ body: (RowSubject<Source>) throws -> Bool
    ) throws {
        func visit(_ id: Int64, _ row: RowValues) throws -> Bool {
            let subject = RowSubject(
                source: source, model: model, entity: request.entity, id: id, row: row)
            guard try predicate?.matches(subject) ?? true else { return true }
            return try body(subject)
        }
        if let resolved, let narrowing = source as? any NarrowingRowSource {
            return try narrowing.forEachCandidate(of: resolved, visit)
        }
        guard let ids = try candidates.ids(in: source, model: model) else {
            return try source.forEachRow(of: request.entity, visit)
        }
        for id in ids.sorted() {
            guard let row = try source.row(id, of: request.entity) else { continue }
            guard try visit(id, row) else { return }
        }
    }
}

/// The first rows in an order, or all rows. At most twice as many rows are kept as wanted, or 1,024 if that is more.
private struct FirstRows<Source: RowSource> {
    private typealias Entry = (keys: [ComparisonKey?], subject: RowSubject<Source>)

    /// The number of kept rows below which dropping some of them early gains nothing.
    private static var smallestCut: Int { 1024 }

    private let order: RowOrder
    private let count: Int?
    private let capacity: Int
    private var entries: [Entry] = []

    init(_ order: RowOrder, count: Int?) {
        self.order = order
        self.count = count
        capacity =
            count.map { max($0.multipliedReportingOverflow(by: 2).partialValue, Self.smallestCut) } ?? .max
    }

    mutating func add(_ subject: RowSubject<Source>, _ keys: [ComparisonKey?]) {
        entries.append((keys, subject))
        if entries.count >= capacity { cut() }
    }

    mutating func sorted() -> ArraySlice<RowSubject<Source>> {
        cut()
        return entries.map(\.subject)[...]
    }

    private mutating func cut() {
        entries.sort { left, right in
            order.precedes(left.keys, right.keys) ?? (left.subject.id < right.subject.id)
        }
        if let count, entries.count > count { entries.removeLast(entries.count - count) }
    }
}
