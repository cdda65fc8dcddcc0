package import CivilTime
package import ObjectStore

/// Something that was changed, kept so that it can be undone after a restart too.
package final class Change: ManagedObject {
    /// Counts up; the change with the largest number is the last.
    @Attribute("sequence") package var sequence: Int64
    @Attribute("madeDate") package var madeDate: Timestamp
    /// The method that made it, such as `CompleteItems`.
    @Attribute("what") package var what: String
    /// The objects as they were, in JSON; nil when there were none.
    @Attribute("before") package var before: String?
    /// The objects as they became, in JSON; nil when there are none any more.
    @Attribute("after") package var after: String?
    @Attribute("isUndone") package var isUndone: Bool
}
