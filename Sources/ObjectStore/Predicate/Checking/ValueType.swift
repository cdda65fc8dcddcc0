/// The type of a value in a predicate, which decides the operators that accept it.
package enum ValueType: Hashable, Sendable {
    /// The constant nil, which is compatible with every type.
    case null
    case boolean, integer, double, decimal, string, date, binary, uuid, uri
    /// An object of the entity at this position in the model.
    case object(Int)

    init(_ type: AttributeType) {
        switch type {
        case .string: self = .string
        case .integer16, .integer32, .integer64: self = .integer
        case .double: self = .double
        case .decimal: self = .decimal
        case .boolean: self = .boolean
        case .date: self = .date
        case .binary: self = .binary
        case .uuid: self = .uuid
        case .uri: self = .uri
        }
    }

    init(of value: AttributeValue) {
        switch value {
        case .null: self = .null
        case .boolean: self = .boolean
        case .integer: self = .integer
        case .double: self = .double
        case .decimal: self = .decimal
        case .string: self = .string
        case .date: self = .date
        case .binary: self = .binary
        case .uuid: self = .uuid
        case .uri: self = .uri
        }
    }

    var isNumeric: Bool { self == .boolean || self == .integer || self == .double || self == .null }
    var isText: Bool { self == .string || self == .uri || self == .null }

    /// Whether `<` and similar operators accept the type.
    var isOrdered: Bool {
        switch self {
        case .binary, .object: false
        default: true
        }
    }

    /// The name of the type in messages.
    var kindName: String {
        switch self {
        case .null: "nil"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .double: "a double"
        case .decimal: "a decimal"
        case .string: "text"
        case .date: "a date"
        case .binary: "binary data"
        case .uuid: "a UUID"
        case .uri: "a URI"
        case .object: "an object"
        }
    }
}
