/// An error for an object that cannot be deleted, because a `deny` rule applies while other objects are related to
/// it.
public struct DeleteDeniedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A relationship whose rule denies the deletion.
    public struct Denial: Hashable, Sendable {
        /// The object that has the rule: the one to delete, or one that a cascade reached.
        public let object: ObjectID
        /// The name of the relationship.
        public let relationship: String
        /// The objects that are still at the other end.
        public let remaining: [ObjectID]
    }

    /// The object to delete.
    public let object: ObjectID
    /// The relationships that deny the deletion, at least one.
    public let denials: [Denial]

    /// `Publisher 3 cannot be deleted: Publisher 3.books still has Book 7, Book 9`
    public var description: String {
        let reasons = denials.map { denial in
            let named = denial.remaining.prefix(5).map(\.description).joined(separator: ", ")
            let more = denial.remaining.count > 5 ? " and \(denial.remaining.count - 5) more" : ""
            return "\(denial.object).\(denial.relationship) still has \(named)\(more)"
        }
        return "\(object) cannot be deleted: " + reasons.joined(separator: "; ")
    }
}
