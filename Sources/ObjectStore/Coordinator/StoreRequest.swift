/// A fetch as a store sees it: an entity of its model, and the rest of a `FetchRequest`.
public struct StoreRequest: Sendable {
    public var entity: Entity
    public var predicate: FetchPredicate
    public var order: [FetchOrder]
    public var limit: Int?
    public var offset: Int

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

    /// The objects that have a value in a column.
    init(entity: Entity, with value: AttributeValue, inColumn column: Int, limit: Int?) {
        let has = FetchPredicate(.key(entity.columns[column].name), .equal, .value(value))
        self.init(entity: entity, predicate: has, limit: limit)
    }

    /// A negative limit is none, as it is in SQL.
    var rowLimit: Int? { limit.flatMap { $0 < 0 ? nil : $0 } }

    var rowOffset: Int { max(offset, 0) }

    /// Whether the objects have to come in an order.
    var isOrdered: Bool { !order.isEmpty || limit != nil || offset > 0 }
}
