/// The statement and the plan with which a store performs a fetch.
public struct FetchExplanation: Hashable, Sendable, CustomStringConvertible {
    /// The SQL statement, with `?` for bound values.
    public let statement: String
    /// The bound values, in order. They may be private, so `description` does not contain them.
    public let bindings: [AttributeValue]
    /// The steps of the store's query plan. Nested steps are indented.
    public let plan: [String]

    /// Creates an explanation, for a store that you implement.
    public init(statement: String, bindings: [AttributeValue], plan: [String]) {
        self.statement = statement
        self.bindings = bindings
        self.plan = plan
    }

    public var description: String {
        ([statement] + plan.map { "  " + $0 }).joined(separator: "\n")
    }
}
