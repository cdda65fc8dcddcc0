/// How a store carries a request out.
public struct FetchExplanation: Hashable, Sendable, CustomStringConvertible {
    /// The statement, `?` where values are bound.
    public let statement: String
    /// The bound values in their order. They may be private: `description` leaves them out.
    public let bindings: [AttributeValue]
    /// The steps of the store's plan, the inner ones indented.
    public let plan: [String]

    public init(statement: String, bindings: [AttributeValue], plan: [String]) {
        self.statement = statement
        self.bindings = bindings
        self.plan = plan
    }

    public var description: String {
        ([statement] + plan.map { "  " + $0 }).joined(separator: "\n")
    }
}
