extension PredicateParser {
    /// Parses the keys and operators after the start of a path: `.category.name`, `.@sum.priority`, `[SIZE]`.
    mutating func parsePath(
        _ root: FetchPredicate.Path.Root, keys: [String] = [], at start: Int
    ) throws(FetchPredicateError) -> FetchPredicate.Expression {
        var reader = PathReader(FetchPredicate.Path(root: root, keys: keys, origin: .literal(at: start)))
        return try parseTail(of: &reader)
    }

    /// Parses an operator before the whole path: `@sum.items.price`.
    mutating func parseLeadingOperator(
        _ name: String
    ) throws(FetchPredicateError) -> FetchPredicate.Expression {
        var reader = PathReader(
            FetchPredicate.Path(root: .object, keys: [], origin: .literal(at: token.range.lowerBound)))
        try apply(name, to: &reader)
        try advance()
        return try parseTail(of: &reader)
    }

    /// Parses the path in the argument of `%K`, and the keys that follow it in the format.
    mutating func parseSubstitutedPath() throws(FetchPredicateError) -> FetchPredicate.Expression {
        var reader = PathReader(
            FetchPredicate.Path(root: .object, keys: [], origin: .literal(at: token.range.lowerBound)))
        try appendArgument(to: &reader)
        return try parseTail(of: &reader)
    }

    private mutating func parseTail(
        of reader: inout PathReader
    ) throws(FetchPredicateError) -> FetchPredicate.Expression {
        while token.kind == .symbol(.dot) || token.kind == .symbol(.openBracket) {
            if token.kind == .symbol(.openBracket) {
                try parsePosition(into: &reader)
                continue
            }
            try advance()
            switch token.kind {
            case .identifier(let name) where !name.contains(":"):
                try append(name, to: &reader)
                try advance()
            case .keyword:
                try append(lexer.excerpt(token.range), to: &reader)
                try advance()
            case .collectionOperator(let name):
                try apply(name, to: &reader)
                try advance()
            case .substitution(.keyPath):
                try appendArgument(to: &reader)
            default:
                throw unexpected("a key or a collection operator after the dot")
            }
        }
        return reader.expression
    }

    private func append(_ key: String, to reader: inout PathReader) throws(FetchPredicateError) {
        guard reader.operation != .count else { throw unexpected("nothing after @count") }
        reader.path.keys.append(key)
    }

    private func apply(_ name: String, to reader: inout PathReader) throws(FetchPredicateError) {
        guard reader.operation == nil else { throw unexpected("one collection operator in a path") }
        switch name {
        case "distinctUnionOfObjects", "distinctUnionOfArrays", "distinctUnionOfSets":
            reader.isDistinct = true
        case "unionOfObjects", "unionOfArrays", "unionOfSets":
            break
        default:
            guard let operation = FetchPredicate.CollectionOperator(rawValue: name) else {
                throw unexpected("@count, @sum, @avg, @min, @max, @unionOf… or @distinctUnionOf…")
            }
            reader.operation = operation
        }
    }

    private mutating func appendArgument(to reader: inout PathReader) throws(FetchPredicateError) {
        var keys = FetchPredicate.Path.keys(of: try keyPathArgument())[...]
        if reader.path == FetchPredicate.Path(), keys.first == "SELF" { keys = keys.dropFirst() }
        for key in keys {
            if key.first == "@" {
                try apply(String(key.dropFirst()), to: &reader)
            } else {
                try append(key, to: &reader)
            }
        }
        try advance()
    }

    /// Parses `[SIZE]`, the number of elements, or the position of one object: `[0]`, `[FIRST]`, `[LAST]`.
    private mutating func parsePosition(into reader: inout PathReader) throws(FetchPredicateError) {
        try advance()
        switch token.kind {
        case .identifier(let name) where name.uppercased() == "SIZE":
            guard reader.operation == nil else { throw unexpected("one collection operator in a path") }
            reader.operation = .count
        case .identifier(let name) where ["FIRST", "LAST"].contains(name.uppercased()):
            try append("[\(name.uppercased())]", to: &reader)
        case .integer(let index) where Int(exactly: index) != nil:
            try append("[\(index)]", to: &reader)
        default: throw unexpected("FIRST, LAST, SIZE or an index")
        }
        try advance()
        try expect(.closeBracket)
    }
}

/// A path while it is parsed.
///
/// A collection operator can be before its last key, before all keys, or at the end. It applies to the values of the
/// whole path.
private struct PathReader {
    var path: FetchPredicate.Path
    var operation: FetchPredicate.CollectionOperator?
    var isDistinct = false

    init(_ path: FetchPredicate.Path) {
        self.path = path
    }

    var expression: FetchPredicate.Expression {
        guard let operation else { return .path(path) }
        return .aggregate(FetchPredicate.Aggregate(operation, of: path, isDistinct: isDistinct))
    }
}
