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
    /// The relationships of the fetched objects to fetch with them, as paths: `["category", "category.owner"]`.
    ///
    /// A path fetches the objects of all of its relationships, with a few statements for each. It has an effect for
    /// `fetch` only. The context keeps these objects alive until its next request of this kind for the entity.
    public var prefetching: [String]

    /// Creates a request for objects of an entity, by default of the one of the class `Object`.
    public init(
        entity entityName: String? = nil, matching predicate: FetchPredicate = .all,
        orderedBy order: [FetchOrder] = [], limit: Int? = nil, offset: Int = 0,
        affectedStores: [UUIDValue]? = nil, prefetching: [String] = []
    ) {
        self.entityName = entityName
        self.predicate = predicate
        self.order = order
        self.limit = limit
        self.offset = offset
        self.affectedStores = affectedStores
        self.prefetching = prefetching
    }
}
