/// A fetch that a store executes: an entity of its model, and the other parts of a `FetchRequest`.
public struct StoreRequest: Sendable {
    /// The entity of the objects.
    public var entity: Entity
    /// The condition for the objects.
    public var predicate: FetchPredicate
    /// The order of the objects. If it is empty, the store chooses one.
    public var order: [FetchOrder]
    /// The greatest number of objects, or `nil` if there is no limit. A negative number is no limit.
    public var limit: Int?
    /// The number of matching objects to leave out first.
    public var offset: Int

    /// Creates a request.
    public init(
        entity: Entity, predicate: FetchPredicate = .all, order: [FetchOrder] = [], limit: Int? = nil,
        offset: Int = 0
    ) {
        self.entity = entity
        self.predicate = predicate
        self.order = order
        self.limit = limit
        self.offset = offset
    }

    /// Creates a request for the objects that have a value in a column.
    init(entity: Entity, with value: AttributeValue, inColumn column: Int, limit: Int?) {
        let has = FetchPredicate(.key(entity.columns[column].name), .equal, .value(value))
        self.init(entity: entity, predicate: has, limit: limit)
    }

    /// Creates a request for the objects that have these values in these columns.
    init(entity: Entity, with values: [AttributeValue], inColumns columns: [Int], limit: Int?) {
        let conditions = zip(columns, values).map { column, value in
            FetchPredicate(.key(entity.columns[column].name), .equal, .value(value)).root
        }
        self.init(entity: entity, predicate: FetchPredicate(.and(conditions)), limit: limit)
    }

    /// The limit, or `nil` if there is none. A negative limit means no limit, as in SQL.
    package var rowLimit: Int? { limit.flatMap { $0 < 0 ? nil : $0 } }

    package var rowOffset: Int { max(offset, 0) }

    /// Whether the order of the objects matters.
    var isOrdered: Bool { !order.isEmpty || limit != nil || offset > 0 }
}
