/// A parsed JSON value.
package enum JSON: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// A number without a fraction or exponent that fits in 64 bits.
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object(JSONObject)

    /// The kind of value, for error messages.
    package var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// The members of a JSON object in their original order. Each name occurs once.
package struct JSONObject: Hashable, Sendable {
    package private(set) var members: [(name: String, value: JSON)]

    package init(_ members: [(name: String, value: JSON)] = []) {
        self.members = members
    }

    package subscript(name: String) -> JSON? {
        members.first { $0.name == name }?.value
    }

    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.members.elementsEqual(right.members) { $0.name == $1.name && $0.value == $1.value }
    }

    package func hash(into hasher: inout Hasher) {
        for member in members {
            hasher.combine(member.name)
            hasher.combine(member.value)
        }
    }
}
