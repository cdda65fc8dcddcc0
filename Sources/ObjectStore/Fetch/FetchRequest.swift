/// Which objects of an entity, in which order, and how many.
///
///     FetchRequest<ToDo>(matching: predicate, orderedBy: [FetchOrder("dueDate")], limit: 20)
///
/// Without an order the objects come as the store finds them; a limit or an offset without an order goes
/// by their ids. Of several stores without an order, the objects of the store that was added first come first.
public struct FetchRequest<Object: ManagedObject>: Sendable {
    /// The name of the entity; nil when the class tells it.
    public var entityName: String?
    public var predicate: FetchPredicate
    public var order: [FetchOrder]
    /// How many objects at most; nil for all.
    public var limit: Int?
    /// How many of the first objects to leave out.
    public var offset: Int
    /// The identifiers of the stores to look in; nil for all that are for the entity.
    public var affectedStores: [UUIDValue]?

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

/// Why a request cannot be carried out as it is written.
public struct FetchError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        case unknownEntity, unknownKey, unknownStore, unboundVariable, unsupported, several
    }

    public let code: Code
    public let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
