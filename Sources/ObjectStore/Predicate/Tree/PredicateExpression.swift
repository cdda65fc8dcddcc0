public import CivilTime

extension FetchPredicate {
    /// An operand: an expression that has a value.
    public indirect enum Expression: Hashable, Sendable {
        /// `3`, `"pay"`, `NULL`, or an argument of a format.
        case constant(Constant)
        /// `name`, `category.name`, `SELF`, `$limit`, `$x.name`, `SUBQUERY(…)`.
        case path(Path)
        /// `toDos.@count`, `toDos.@max.dueDate`.
        case aggregate(Aggregate)
        /// `{1, 2, 3}`
        case list([Expression])
        /// `a + b`, and the same with `-`, `*`, `/` and `**`.
        case arithmetic(ArithmeticOperator, Expression, Expression)
        /// `-a`
        case negation(Expression)
        /// `uppercase(name)`, `modulus:by:(number, 2)`.
        case function(Function, [Expression])
        /// `CAST(a, "NSDate")`
        case cast(Expression, CastType)
        /// `TERNARY(predicate, a, b)`: the first expression if the condition is true, otherwise the second.
        case conditional(Node, Expression, Expression)
    }

    /// A value that does not depend on an object.
    public struct Constant: Hashable, Sendable {
        /// The value.
        public var value: AttributeValue
        /// The origin of the value.
        ///
        /// A constant in a format becomes a literal in SQL. An argument, or a value that replaces a variable, is bound
        /// to the statement.
        package var origin: Origin

        /// Creates a constant.
        public init(_ value: AttributeValue) {
            self.init(value, origin: .swift)
        }

        package init(_ value: AttributeValue, origin: Origin) {
            // A program can create a decimal with any text, so the text is normalized here.
            if case .decimal(let text) = value, let number = DecimalValue(text) {
                self.value = .decimal(number.text)
            } else {
                self.value = value
            }
            self.origin = origin
        }
    }

    /// One value computed from all values that a path reaches. Nil does not count.
    public struct Aggregate: Hashable, Sendable {
        /// The operation.
        public var operation: CollectionOperator
        /// The path to the values.
        public var path: Path
        /// Whether equal values count once: `toDos.@distinctUnionOfObjects.priority.@count`.
        public var isDistinct: Bool

        /// Creates an aggregate.
        public init(_ operation: CollectionOperator, of path: Path, isDistinct: Bool = false) {
            self.operation = operation
            self.path = path
            self.isDistinct = isDistinct
        }
    }

    /// An operator between two numbers.
    public enum ArithmeticOperator: Hashable, Sendable, CaseIterable {
        /// `+`
        case add
        /// `-`
        case subtract
        /// `*`
        case multiply
        /// `/`
        case divide
        /// `**`
        case power
    }

    /// The operation of an aggregate. The raw value is its name in a format, after `@`.
    public enum CollectionOperator: String, Hashable, Sendable, CaseIterable {
        /// The number of values.
        case count
        /// The sum of the values, or 0 if there are none.
        case sum
        /// The average of the values, or nil if there are none.
        case avg
        /// The least value, or nil if there are none.
        case min
        /// The greatest value, or nil if there are none.
        case max
    }

    /// The type to which `CAST` converts a value. The raw value is its name in a format.
    public enum CastType: String, Hashable, Sendable, CaseIterable {
        /// From a number of seconds since 2001-01-01 00:00 UTC, or from ISO 8601 text.
        case date = "NSDate"
        /// From text, from a boolean, or from a date. A date becomes the number of seconds since 2001-01-01 00:00 UTC.
        case number = "NSNumber"
        /// From text of digits with or without a point.
        case decimal = "NSDecimalNumber"
        /// From anything but binary data.
        case string = "NSString"
        /// From text such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
        case uuid = "NSUUID"
        /// From the text of a URI.
        case uri = "NSURL"
        /// From text with two hexadecimal digits for each byte.
        case binary = "NSData"

        /// The values that can be cast to the type, for messages.
        var advice: String {
            switch self {
            case .date: "seconds since 2001, or text such as 2026-11-20T17:42:29Z"
            case .number: "text of a number, a boolean or a date"
            case .decimal: "text of digits with or without a point"
            case .string: "anything but binary data"
            case .uuid: "text such as E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
            case .uri: "the text of a URI"
            case .binary: "text of two hexadecimal digits a byte"
            }
        }
    }
}

extension FetchPredicate.Expression {
    /// The value of a property: `.key("category.name")` follows the relationship and then reads the attribute.
    public static func key(_ path: String) -> Self {
        .path(FetchPredicate.Path(path))
    }

    /// The object itself: `SELF`.
    public static var object: Self { .path(FetchPredicate.Path()) }

    /// A value that `binding(_:)` provides later: `$name`.
    public static func variable(_ name: String) -> Self {
        .path(FetchPredicate.Path(root: .variable(name)))
    }

    /// A constant value.
    public static func value(_ value: AttributeValue) -> Self {
        .constant(FetchPredicate.Constant(value))
    }

    /// An object, represented by its ID. It is only compared with objects of the same entity.
    static func object(_ id: Int64, of entity: String, in store: UUIDValue?) -> Self {
        var origin = FetchPredicate.Origin.swift
        origin.entity = entity
        origin.store = store
        return .constant(FetchPredicate.Constant(.integer(id), origin: origin))
    }

    /// A constant date.
    public static func date(_ moment: Timestamp) -> Self {
        .value(.date(moment))
    }

    /// The constant nil.
    public static var null: Self { .value(.null) }
}
