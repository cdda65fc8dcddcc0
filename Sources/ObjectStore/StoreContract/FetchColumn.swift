/// A column in a fetch of rows: a value of each object, or an aggregate of the values of several objects.
///
///     ["title", "publisher.name"]
///     ["publisher.name", .count, .average("pages")]
public enum FetchColumn: Hashable, Sendable, ExpressibleByStringLiteral {
    /// An attribute, a to-one relationship (its value is the ID of the destination), an attribute at the end of to-one
    /// relationships, or `id`.
    case key(String)
    /// The values of an attribute of all objects in a to-many relationship, such as `tags.name`, that are not nil, or their
    /// IDs: `tags.id`. They are sorted. The value of the column is the JSON text of the list, as that of a list attribute.
    case values(String)
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

    /// Creates a column from a key, or from an aggregate in the form of a predicate: `@count`, `@sum.pages`, `@avg.pages`,
    /// `@min.pages`, `@max.pages`.
    public init(stringLiteral key: String) {
        self.init(key)
    }

    init(_ key: String) {
        guard key.first == "@", let dot = key.firstIndex(of: ".") else {
            self = key == "@count" ? .count : .key(key)
            return
        }
        let path = String(key[key.index(after: dot)...])
        switch key[..<dot] {
        case "@sum": self = .sum(path)
        case "@avg": self = .average(path)
        case "@min": self = .min(path)
        case "@max": self = .max(path)
        default: self = .key(key)
        }
    }

    /// The operation that computes the column from many values, or `nil` for a value of each object.
    var operation: FetchPredicate.CollectionOperator? {
        switch self {
        case .key, .values: nil
        case .count: .count
        case .sum: .sum
        case .average: .avg
        case .min: .min
        case .max: .max
        }
    }

    /// The key of a value or an aggregate, or `nil` for the number of objects.
    var key: String? {
        switch self {
        case .key(let key), .values(let key), .sum(let key), .average(let key), .min(let key), .max(let key):
            key
        case .count: nil
        }
    }

    /// The name of the column, such as `pages`, `count` or `average(pages)`.
    public var name: String {
        switch self {
        case .key(let key): key
        case .values(let key): "values(\(key))"
        case .count: "count"
        case .sum(let key): "sum(\(key))"
        case .average(let key): "average(\(key))"
        case .min(let key): "min(\(key))"
        case .max(let key): "max(\(key))"
        }
    }
}
