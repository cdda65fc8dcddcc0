/// The result of deleting many objects, by the positions of their entities in the model.
public struct StoreDeletion {
    /// The IDs of the deleted objects, by the positions of their entities in the model.
    public var deleted: [Int: [Int64]] = [:]
    /// The objects that lost a reference to a deleted object.
    public var updated: [Int: [Int64]] = [:]
    /// The objects that lost a pair of a many-to-many relationship with a deleted object. Their rows stay the same.
    public var unlinked: [Int: Set<Int64>] = [:]
    /// The violations of `deny` rules. If there are any, nothing was changed.
    public var denials: [DeleteDeniedError.Denial] = []

    /// Creates the description of a deletion that changed nothing.
    public init() {}
}
