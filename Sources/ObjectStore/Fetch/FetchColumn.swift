/// What a fetch of rows gives in one column: a value of the object, or an aggregate of many.
///
///     ["title", "publisher.name"]
///     ["publisher.name", .count, .average("pages")]
public enum FetchColumn: Hashable, Sendable, ExpressibleByStringLiteral {
    /// An attribute, a to-one relationship (the id of its target), an attribute at the end of to-one
    /// relationships, or `id`.
    case key(String)
    /// The number of objects.
    case count
    /// The sum of the values that are not nil; nil when there are none.
    case sum(String)
    /// A double, of decimals too; nil when there are none.
    case average(String)
    case min(String)
    case max(String)

    public init(stringLiteral key: String) {
        self = .key(key)
    }

    /// `pages`, `count`, `average(pages)`: how a row is asked for the column.
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
