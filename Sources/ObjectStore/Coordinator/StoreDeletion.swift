/// What deleting many objects at once came to, by the positions of the entities in the model.
public struct StoreDeletion {
    public var deleted: [Int: [Int64]] = [:]
    /// The objects that lost a reference to one that was deleted.
    public var updated: [Int: [Int64]] = [:]
    /// What stood against it: then nothing was changed.
    public var denials: [DeleteDeniedError.Denial] = []

    public init() {}
}
