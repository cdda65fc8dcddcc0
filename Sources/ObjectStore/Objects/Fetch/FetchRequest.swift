/// A request for objects of an entity: a predicate, an order and a limit.
///
///     FetchRequest<ToDo>(matching: predicate, orderedBy: [FetchOrder("dueDate")], limit: 20)
///
/// Without an order, the store chooses the order of the objects, and objects of the store that was added first come
/// first. With a limit or an offset but no order, the objects are ordered by their IDs.
public struct FetchRequest<Object: ManagedObject>: Sendable {
    /// The name of the entity, or `nil` if the class of the objects determines it.
    public var entityName: String?
    /// The condition for the objects.
    public var predicate: FetchPredicate
    /// The order of the objects. If it is empty, the store chooses one.
    public var order: [FetchOrder]
    /// The maximum number of objects, or `nil` for all.
    public var limit: Int?
    /// The number of objects to skip at the beginning.
    public var offset: Int
    /// The identifiers of the stores to search, or `nil` for all stores that can contain objects of the entity.
    public var affectedStores: [UUIDValue]?

    /// Creates a request for objects of an entity, by default of the one of the class `Object`.
    public init(
        entity entityName: String? = nil, matching predicate: FetchPredicate = .all,
        orderedBy order: [FetchOrder] = [], limit: Int? = nil, offset: Int = 0,
        affectedStores: [UUIDValue]? = nil
    ) {
        self.entityName = entityName
        self.predicate = predicate
        self.order = order
        self.limit = limit
        self.offset = offset
        self.affectedStores = affectedStores
    }
}
