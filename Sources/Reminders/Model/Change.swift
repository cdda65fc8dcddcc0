package import CivilTime
package import ObjectStore

/// A change that the user made, stored so that it can be undone even after a restart.
package final class Change: ManagedObject {
    /// The numbers that a change can have. One more must be left for the next change.
    static let sequences = 1...Int.max - 1

    /// A number that increases with each change.
    @Attribute(.range(sequences)) package var sequence: Int64
    @Attribute package var madeDate: Timestamp
    /// The method that made the change, such as `CompleteItems`.
    @Attribute("what") package var method: String
    /// The objects before the change, in JSON, or `nil` if there were none.
    @Attribute package var before: String?
    /// The objects after the change, in JSON, or `nil` if there are none.
    @Attribute package var after: String?
    @Attribute package var isUndone: Bool = false
}
