public import CivilTime

extension FetchPredicate {
    /// What stands on either side of an operator: something with a value.
    public indirect enum Expression: Hashable, Sendable {
        case constant(Constant)
        /// `name`, `category.name`, `SELF`, `$limit`, `$x.name`, `SUBQUERY(…)`.
        case path(Path)
        /// `toDos.@count`, `toDos.@max.dueDate`.
        case aggregate(Aggregate)
        /// `{1, 2, 3}`
        case list([Expression])
        /// `a + b`, and the other four.
        case arithmetic(ArithmeticOperator, Expression, Expression)
        /// `-a`
        case negation(Expression)
        /// `uppercase(name)`, `modulus:by:(number, 2)`.
        case function(Function, [Expression])
        /// `CAST(a, "NSDate")`
        case cast(Expression, CastType)
        /// `TERNARY(predicate, a, b)`: the first expression where the condition holds, else the second.
        case conditional(Node, Expression, Expression)
    }

    /// A value that is known before any object is looked at.
    public struct Constant: Hashable, Sendable {
        public var value: AttributeValue
        /// A constant written in a format becomes a literal of the SQL text; one that came as an
        /// argument or in a variable is bound to the statement.
        package var origin: Origin

        public init(_ value: AttributeValue) {
            self.init(value, origin: .swift)
        }

        package init(_ value: AttributeValue, origin: Origin) {
            // A decimal that a program spelled by itself is the number all the same.
            if case .decimal(let text) = value, let number = DecimalValue(text) {
                self.value = .decimal(number.text)
            } else {
                self.value = value
            }
            self.origin = origin
        }
    }

    /// One value made of all the values that a path reaches. Those that are nil do not count.
    public struct Aggregate: Hashable, Sendable {
        public var operation: CollectionOperator
        public var path: Path
        /// Whether equal values count once: `toDos.@distinctUnionOfObjects.priority.@count`.
        public var isDistinct: Bool

        public init(_ operation: CollectionOperator, of path: Path, isDistinct: Bool = false) {
            self.operation = operation
            self.path = path
            self.isDistinct = isDistinct
        }
    }

    public enum ArithmeticOperator: Hashable, Sendable, CaseIterable {
        case add, subtract, multiply, divide
        /// `**`
        case power
    }

    /// How an aggregate is made, by the name that the format gives it after `@`.
    public enum CollectionOperator: String, Hashable, Sendable, CaseIterable {
        case count, sum, avg, min, max
    }

    /// The type that `CAST` turns a value into, by the name that the format gives it.
    public enum CastType: String, Hashable, Sendable, CaseIterable {
        /// From a number of seconds since the first moment of 2001 UTC, or from ISO 8601 text.
        case date = "NSDate"
        /// From text, from a boolean, or from a date as such a number of seconds.
        case number = "NSNumber"
        case decimal = "NSDecimalNumber"
        case string = "NSString"
        case uuid = "NSUUID"
        case uri = "NSURL"
        /// From text of two hexadecimal digits a byte.
        case binary = "NSData"

        /// What it can be made of, for a message.
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
    /// The value of a property: `.key("category.name")` follows the relationships on the way.
    public static func key(_ path: String) -> Self {
        .path(FetchPredicate.Path(path))
    }

    /// The object itself: `SELF`.
    public static var object: Self { .path(FetchPredicate.Path()) }

    /// A value that is given later, by `binding(_:)`: `$name`.
    public static func variable(_ name: String) -> Self {
        .path(FetchPredicate.Path(root: .variable(name)))
    }

    public static func value(_ value: AttributeValue) -> Self {
        .constant(FetchPredicate.Constant(value))
    }

    /// An object, which stands for its id and is compared with objects of its entity only.
    static func object(_ id: Int64, of entity: String) -> Self {
        var origin = FetchPredicate.Origin.swift
        origin.entity = entity
        return .constant(FetchPredicate.Constant(.integer(id), origin: origin))
    }

    public static func date(_ moment: Timestamp) -> Self {
        .value(.date(moment))
    }

    public static var null: Self { .value(.null) }
}
