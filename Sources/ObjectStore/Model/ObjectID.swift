/// A reference to an object that remains valid after the object is released: its entity, its ID and its store.
public struct ObjectID: Hashable, Sendable, CustomStringConvertible {
    /// The name of the entity.
    public let entity: String
    /// The number of the object in its entity.
    public let id: Int64
    /// The identifier of the store, or `nil` for the store that was added to the coordinator first.
    public let store: UUIDValue?

    /// Creates the ID of an object, which does not have to exist.
    public init(entity: String, id: Int64, store: UUIDValue? = nil) {
        self.entity = entity
        self.id = id
        self.store = store
    }

    /// `Book 12`, or `Book 12 in the store 6F9C…` if the object is not in the first store.
    public var description: String {
        "\(entity) \(id)" + (store.map { " in the store \($0)" } ?? "")
    }
}
