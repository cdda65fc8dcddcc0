/// The parts of a request that determine its SQL: everything except the values that the statement binds.
///
///     pages > 300 AND title == %@     with "Emma" and with "Persuasion" has the same shape
///     pages > 300 AND title == %@     with nil or with a number has a different shape
///     pages > 299 AND title == %@     has a different shape: the literal is part of the SQL
struct RequestShape: Hashable {
    /// One step of a walk through the request. Each step determines how many of the following steps belong to
    /// it, so two different requests never produce the same list.
    private enum Part: Hashable {
        case request(SQLSelect.Subject, entity: Int, isLimited: Bool, isOffset: Bool)
        case order(FetchOrder)
        case constant(Bool)
        case and(Int), or(Int), not
        case comparison(
            FetchPredicate.Comparator, FetchPredicate.Quantifier, StringOptions)
        case path(keys: Int)
        case variable(String)
        case subquery(variable: String)
        case key(String)
        case aggregate(FetchPredicate.CollectionOperator, isDistinct: Bool)
        case list(Int)
        case arithmetic(FetchPredicate.ArithmeticOperator)
        case negation
        case function(FetchPredicate.Function, Int)
        case cast(FetchPredicate.CastType)
        case conditional
        case literal(AttributeValue)
        /// The bits of a literal number or date. 0 and -0 are equal but have different texts.
        case literalBits(ValueType, UInt64)
        /// An argument, represented by its type, which determines the operators that accept it.
        case argument(ValueType)
        /// An argument that is an object, represented by the name of its entity.
        case object(String)
    }

    /// Limits on the size of a shape. Shapes stay in memory, and users can write predicates of any size.
    private static let chunkLimit = 200
    private static let textLimit = 4096

    private var parts: [Part] = []
    /// The number of bytes in the names and texts of the parts. Keys do not count because the model stores
    /// them too.
    private var textSize = 0
    /// The values of the current request. They are not compared with those of other shapes.
    private(set) var arguments: [AttributeValue] = []

    /// Creates the shape of a request, or returns `nil` if the request is too large to be cached.
    init?(_ subject: SQLSelect.Subject, _ request: StoreRequest, having: FetchPredicate = .all) {
        parts.reserveCapacity(24)
        parts.append(
            .request(
                subject, entity: request.entity.index, isLimited: request.limit != nil,
                isOffset: request.offset > 0))
        append(request.predicate.root)
        if having.root != .constant(true) { append(having.root) }
        for order in request.order { parts.append(.order(order)) }
        if isTooLarge { return nil }
    }

    /// The shape without its values, for the cache. Values may be large or private.
    var withoutArguments: RequestShape {
        var copy = self
        copy.arguments = []
        return copy
    }

    private var isTooLarge: Bool { parts.count > Self.chunkLimit || textSize > Self.textLimit }

    static func == (left: RequestShape, right: RequestShape) -> Bool {
        left.parts == right.parts
    }

    func hash(into hasher: inout Hasher) {
        // The cache is small, and `==` compares the rest anyway.
        hasher.combine(parts.count)
        hasher.combine(parts.first)
        hasher.combine(parts.last)
    }

    // MARK: - The walk

    // The walk visits nodes in the same order as `PredicateRewriter`, which numbers the arguments. It stops
    // when the shape gets too large, which also limits the recursion: the depth of the predicate has not been
    // checked yet.

    private mutating func append(_ node: FetchPredicate.Node) {
        guard !isTooLarge else { return }
        switch node {
        case .constant(let holds): parts.append(.constant(holds))
        case .and(let nodes):
            parts.append(.and(nodes.count))
            for node in nodes { append(node) }
        case .or(let nodes):
            parts.append(.or(nodes.count))
            for node in nodes { append(node) }
        case .not(let operand):
            parts.append(.not)
            append(operand)
        case .comparison(let comparison):
            parts.append(
                .comparison(comparison.comparator, comparison.quantifier, comparison.options))
            append(comparison.left)
            append(comparison.right)
        }
    }

    private mutating func append(_ expression: FetchPredicate.Expression) {
        guard !isTooLarge else { return }
        switch expression {
        case .constant(let constant): append(constant)
        case .path(let path): append(path)
        case .aggregate(let aggregate):
            parts.append(.aggregate(aggregate.operation, isDistinct: aggregate.isDistinct))
            append(aggregate.path)
        case .list(let elements):
            parts.append(.list(elements.count))
            for element in elements { append(element) }
        case .arithmetic(let sign, let left, let right):
            parts.append(.arithmetic(sign))
            append(left)
            append(right)
        case .negation(let operand):
            parts.append(.negation)
            append(operand)
        case .function(let function, let operands):
            parts.append(.function(function, operands.count))
            for operand in operands { append(operand) }
        case .cast(let operand, let type):
            parts.append(.cast(type))
            append(operand)
        case .conditional(let test, let first, let second):
            parts.append(.conditional)
            append(test)
            append(first)
            append(second)
        }
    }

    private mutating func append(_ path: FetchPredicate.Path) {
        guard !isTooLarge else { return }
        parts.append(.path(keys: path.keys.count))
        switch path.root {
        case .object: break
        case .variable(let name):
            parts.append(.variable(name))
            textSize += name.utf8.count
        case .subquery(let subquery):
            textSize += subquery.variable.utf8.count
            parts.append(.subquery(variable: subquery.variable))
            append(subquery.collection)
            append(subquery.condition)
        }
        for key in path.keys { parts.append(.key(key)) }
    }

    private mutating func append(_ constant: FetchPredicate.Constant) {
        let value = constant.value.withoutNaN
        guard constant.origin.isLiteral else {
            parts.append(constant.origin.entity.map { .object($0) } ?? .argument(ValueType(of: value)))
            arguments.append(value)
            return
        }
        switch value {
        case .double(let number): parts.append(.literalBits(.double, number.bitPattern))
        case .date(let moment):
            parts.append(.literalBits(.date, moment.secondsSince1970.bitPattern))
        default:
            parts.append(.literal(value))
            textSize += value.size
        }
    }
}

extension AttributeValue {
    /// The number of bytes the value uses outside the enum.
    fileprivate var size: Int {
        switch self {
        case .string(let text), .decimal(let text), .uri(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        default: 0
        }
    }
}
