/// The result of deleting many objects, by the positions of their entities in the model.
public struct StoreDeletion {
    /// Objects that lost a reference to a deleted object, or a pair with one.
    public struct Release: Sendable {
        /// The position of the objects' entity in the model.
        public let entity: Int
        /// The name of the relationship.
        public let relationship: String
        /// The IDs of the objects.
        public let ids: [Int64]

        /// Creates a list of objects.
        public init(entity: Int, relationship: String, ids: [Int64]) {
            self.entity = entity
            self.relationship = relationship
            self.ids = ids
        }
    }

    /// The IDs of the deleted objects, by the positions of their entities in the model.
    public var deleted: [Int: [Int64]] = [:]
    /// The objects that lost a reference to a deleted object.
    public var updated: [Int: [Int64]] = [:]
    /// The objects that lost a pair of a many-to-many relationship with a deleted object. Their rows stay the same.
    public var unlinked: [Int: Set<Int64>] = [:]
    /// The objects of `updated` and `unlinked` again, with the names of their relationships, if the store records its
    /// history.
    public var releases: [Release] = []
    /// The values of deleted objects that are preserved in the history, by the positions of the entities and by ID.
    public var preserved: [Int: [Int64: [String: AttributeValue]]] = [:]
    /// The violations of `deny` rules. If there are any, nothing was changed.
    public var denials: [DeleteDeniedError.Denial] = []

    /// Creates the description of a deletion that changed nothing.
    public init() {}
}
