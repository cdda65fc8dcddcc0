/// The groups of a query, as objects of an entity that has an attribute for each key and each aggregate that the query
/// uses.
///
///     rows(of: ["genre"], groupedBy: ["genre"], having: @count > 3), orderedBy @sum.pages
///     attributes: c0 (genre), c1 (@sum.pages), c2 (genre, the order of equal groups), c3 (@count)
///
/// So the order and the condition of groups are those of any objects, in memory and in SQL.
struct QueryGroups {
    /// The columns of the query, followed by those that only the order and the condition use.
    let columns: [QueryColumn]
    /// The entity of the groups, and a model that contains only this entity.
    let entity: Entity
    let model: ManagedObjectModel
    /// The order of the groups. Their keys decide between groups that are equal in the order of the request.
    let order: [FetchOrder]
    let having: FetchPredicate

    init(_ query: StoreQuery, in model: ManagedObjectModel) throws {
        var attributes = GroupAttributes(query, model, try query.checkedColumns(in: model))
        var order: [FetchOrder] = []
        for var term in query.request.order + query.groupedBy.map({ FetchOrder($0) }) {
            term.key = try attributes.name(of: FetchColumn(term.key))
            order.append(term)
        }
        self.order = order
        having = FetchPredicate(attributes.rewrite(query.having.root))
        if let failure = attributes.failure { throw failure }
        columns = attributes.columns
        let descriptions = columns.enumerated().map { position, column in
            AttributeDescription(GroupAttributes.name(at: position), column.type)
        }
        self.model = try ManagedObjectModel(entities: [EntityDescription("Group", attributes: descriptions)])
        entity = self.model.entities[0]
    }
}

/// The attributes of groups, and a rewriter that replaces keys and aggregates by these attributes.
private struct GroupAttributes: PredicateRewriter {
    private let query: StoreQuery
    private let model: ManagedObjectModel
    private(set) var columns: [QueryColumn]
    /// The first error of a rewriting, which cannot throw.
    private(set) var failure: FetchError?

    init(_ query: StoreQuery, _ model: ManagedObjectModel, _ columns: [QueryColumn]) {
        self.query = query
        self.model = model
        self.columns = columns
    }

    static func name(at position: Int) -> String { "c\(position)" }

    /// Returns the name of the attribute for a column.
    mutating func name(of column: FetchColumn) throws(FetchError) -> String {
        if let known = columns.firstIndex(where: { $0.column == column }) { return Self.name(at: known) }
        columns.append(try query.check(column, model))
        return Self.name(at: columns.count - 1)
    }

    mutating func rewrite(leaf path: FetchPredicate.Path) -> FetchPredicate.Expression {
        if case .variable = path.root, path.keys.isEmpty { return .path(path) }
        let key = path.keys.joined(separator: ".")
        guard path.root == .object, query.groupedBy.contains(key) else {
            return refuse(
                "\(key.isEmpty ? "an object" : key) differs within a group; group by it or compare an aggregate"
            )
        }
        let type = try? FetchKey(key, of: query.request.entity, in: model)
        if type?.isReference == true {
            return refuse("\(key) leads to an object; compare it in the predicate of the request")
        }
        return attribute(.key(key), at: path)
    }

    mutating func rewrite(_ expression: FetchPredicate.Expression) -> FetchPredicate.Expression {
        guard case .aggregate(let aggregate) = expression else { return rewriteParts(of: expression) }
        let path = aggregate.path
        guard path.root == .object, !aggregate.isDistinct,
            path.keys.isEmpty == (aggregate.operation == .count)
        else {
            return refuse("a condition for groups compares @count, @sum, @avg, @min or @max of a key")
        }
        let key = path.keys.joined(separator: ".")
        let column: FetchColumn =
            switch aggregate.operation {
            case .count: .count
            case .sum: .sum(key)
            case .avg: .average(key)
            case .min: .min(key)
            case .max: .max(key)
            }
        return attribute(column, at: path)
    }

    private mutating func attribute(
        _ column: FetchColumn, at path: FetchPredicate.Path
    ) -> FetchPredicate.Expression {
        do throws(FetchError) {
            let name = try name(of: column)
            return .path(FetchPredicate.Path(root: .object, keys: [name], origin: path.origin))
        } catch {
            return refuse(error)
        }
    }

    private mutating func refuse(_ message: String) -> FetchPredicate.Expression {
        refuse(FetchError(.unsupported, message))
    }

    private mutating func refuse(_ error: FetchError) -> FetchPredicate.Expression {
        failure = failure ?? error
        return .null
    }
}
