/// Which objects of an entity, in which order, and how many.
///
///     FetchRequest<ToDo>(matching: predicate, orderedBy: [FetchOrder("dueDate")], limit: 20)
///
/// Without an order the objects come as the store finds them; a limit or an offset without an order goes
/// by their ids.
public struct FetchRequest<Object: ManagedObject>: Sendable {
    /// The name of the entity; nil when the class tells it.
    public var entityName: String?
    public var predicate: FetchPredicate
    public var order: [FetchOrder]
    /// How many objects at most; nil for all.
    public var limit: Int?
    /// How many of the first objects to leave out.
    public var offset: Int

    public init(
        entity entityName: String? = nil, matching predicate: FetchPredicate = .all,
        orderedBy order: [FetchOrder] = [], limit: Int? = nil, offset: Int = 0
    ) {
        self.entityName = entityName
        self.predicate = predicate
        self.order = order
        self.limit = limit
        self.offset = offset
    }
}

/// Why a request cannot be carried out as it is written.
public struct FetchError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        case unknownEntity, unknownKey, unboundVariable, unsupported, several
    }

    public let code: Code
    public let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
