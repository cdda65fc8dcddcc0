public import CivilTime

/// A save in the history of a store.
public struct HistoryTransaction: Hashable, Sendable {
    /// The position of the transaction in the history.
    public let token: HistoryToken
    /// The time at which the transaction was saved, by the clock of the program that saved it.
    public let time: Timestamp
    /// The ``ManagedObjectContext/transactionAuthor`` of the context that saved it.
    public let author: String?
    /// The ``ManagedObjectContext/name`` of the context that saved it.
    public let contextName: String?
    /// Whether the transaction is a migration to another model.
    ///
    /// A migration may change every object, so it has no list of changes. The transactions before it have the names of
    /// entities and properties of the earlier model.
    public let isMigration: Bool
    /// The changes, one for each object.
    public let changes: [HistoryChange]

    /// The number of the transaction. Later transactions have larger numbers.
    public var number: Int64 { token.number }

    /// Creates a transaction, for a store that you implement.
    public init(
        token: HistoryToken, time: Timestamp, author: String?, contextName: String?,
        isMigration: Bool = false, changes: [HistoryChange]
    ) {
        self.token = token
        self.time = time
        self.author = author
        self.contextName = contextName
        self.isMigration = isMigration
        self.changes = changes
    }

    /// Returns the transaction with the IDs that objects of a store have in its coordinator.
    func inStore(_ identifier: UUIDValue?) -> Self {
        guard let identifier else { return self }
        return Self(
            token: token, time: time, author: author, contextName: contextName, isMigration: isMigration,
            changes: changes.map { change in
                HistoryChange(
                    ObjectID(entity: change.object.entity, id: change.object.id, store: identifier),
                    change.kind, properties: change.properties, preserved: change.preserved)
            })
    }
}

/// The change of one object in a transaction of a history.
public struct HistoryChange: Hashable, Sendable {
    /// The kind of a change.
    public enum Kind: String, Hashable, Sendable {
        /// The object was inserted.
        case inserted
        /// Properties of the object were changed.
        case updated
        /// The object was deleted.
        case deleted
    }

    /// The object.
    public let object: ObjectID
    /// The kind of the change.
    public let kind: Kind
    /// The names of the properties that an update changed: attributes, to-one and many-to-many relationships.
    ///
    /// A to-many relationship with a to-one inverse is not among them, because the change is one of the object at the
    /// other end.
    public let properties: [String]
    /// The last values of a deleted object's attributes that are preserved in the history.
    public let preserved: [String: AttributeValue]

    /// Creates a change, for a store that you implement.
    public init(
        _ object: ObjectID, _ kind: Kind, properties: [String] = [],
        preserved: [String: AttributeValue] = [:]
    ) {
        self.object = object
        self.kind = kind
        self.properties = properties
        self.preserved = preserved
    }
}
