/// An error for an object that cannot be deleted, because a `deny` rule applies while other objects are related to
/// it.
public struct DeleteDeniedError: Error, Hashable, Sendable, CustomStringConvertible {
    public struct Denial: Hashable, Sendable {
        /// The object that has the rule: the one to delete, or one that a cascade reached.
        public let object: ObjectID
        public let relationship: String
        /// The objects that are still at the other end.
        public let remaining: [ObjectID]
    }

    public let object: ObjectID
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
