/// A column in a fetch of rows: a value of each object, or an aggregate of the values of several objects.
///
///     ["title", "publisher.name"]
///     ["publisher.name", .count, .average("pages")]
public enum FetchColumn: Hashable, Sendable, ExpressibleByStringLiteral {
    /// An attribute, a to-one relationship (its value is the ID of the destination), an attribute at the end of to-one
    /// relationships, or `id`.
    case key(String)
    /// The number of objects.
    case count
    /// The sum of the values that are not nil, or nil if there are none.
    case sum(String)
    /// The average as a double, also for decimals, or nil if there are no values.
    case average(String)
    /// The least value, or nil if there are no values.
    case min(String)
    /// The greatest value, or nil if there are no values.
    case max(String)

    public init(stringLiteral key: String) {
        self = .key(key)
    }

    /// The name of the column, such as `pages`, `count` or `average(pages)`.
    public var name: String {
        switch self {
        case .key(let key): key
        case .count: "count"
        case .sum(let key): "sum(\(key))"
        case .average(let key): "average(\(key))"
        case .min(let key): "min(\(key))"
        case .max(let key): "max(\(key))"
        }
    }
}
