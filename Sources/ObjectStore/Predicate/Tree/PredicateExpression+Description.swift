extension FetchPredicate.Expression {
    /// The kind of expression, for messages. It does not contain the value, which may be private.
    package var kindName: String {
        switch self {
        case .constant(let constant): constant.value.kindName
        case .path: "a path"
        case .aggregate: "an aggregate"
        case .list: "a list"
        case .arithmetic, .negation: "a computed number"
        case .function: "the result of a function"
        case .cast: "a cast value"
        case .conditional: "a conditional value"
        }
    }

    /// The offset in the format of the leftmost subexpression that has one, or `nil`.
    package var offset: Int? {
        switch self {
        case .constant(let constant): constant.origin.offset
        case .path(let path): path.origin.offset
        case .aggregate(let aggregate): aggregate.path.origin.offset
        case .list(let elements), .function(_, let elements): elements.lazy.compactMap(\.offset).first
        case .arithmetic(_, let left, let right): left.offset ?? right.offset
        case .negation(let operand), .cast(let operand, _): operand.offset
        case .conditional(_, let first, let second): first.offset ?? second.offset
        }
    }
}

extension AttributeValue {
    /// The kind of value, for messages. It does not contain the value itself, which may be private.
    package var kindName: String { ValueType(of: self).kindName }
}

extension FetchPredicate.Expression {
    /// The keys of a path, or the kind of any other expression, for messages.
    package var pathText: String {
        if case .path(let path) = self { path.keys.joined(separator: ".") } else { kindName }
    }
}
