/// What decides the SQL of a request: everything but the values that a statement binds.
///
///     pages > 300 AND title == %@     with "Emma"  and with "Persuasion" have one shape
///     pages > 300 AND title == %@     with nil, or with a number, has another
///     pages > 299 AND title == %@     has another: the literal stands in the SQL
struct RequestShape: Hashable {
    /// One step of a walk through the request. How many pieces belong to a step is known from it, so that no
    /// two requests make the same list.
    private enum Piece: Hashable {
        case request(SQLSelect.Subject, entity: Int, isLimited: Bool, isOffset: Bool)
        case order(FetchOrder)
        case constant(Bool)
        case and(Int), or(Int), not
        case comparison(
            FetchPredicate.Comparator, FetchPredicate.Quantifier, FetchPredicate.StringOptions)
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
        /// The bits of a literal number or date: 0 and -0 are equal, but not the same text.
        case literalBits(ValueType, UInt64)
        /// An argument, by what decides which operators take it.
        case argument(ValueType)
        /// An object of the entity of that name, which decides as well.
        case object(String)
    }

    /// What a shape may hold: it is remembered, and people write predicates too.
    private static let pieceLimit = 200
    private static let textLimit = 4096

    private var pieces: [Piece] = []
    /// The bytes of the names and texts in the pieces, but for the keys, which the model has as well.
    private var textSize = 0
    /// The values of the request at hand. They take no part in the shape.
    private(set) var arguments: [AttributeValue] = []

    /// Nil for a request that is too large to be remembered.
    init?(_ subject: SQLSelect.Subject, _ request: StoreRequest) {
        pieces.reserveCapacity(24)
        pieces.append(
            .request(
                subject, entity: request.entity.index, isLimited: request.limit != nil,
                isOffset: request.offset > 0))
        append(request.predicate.root)
        for order in request.order { pieces.append(.order(order)) }
        if isTooLarge { return nil }
    }

    /// The shape alone, to be kept: values may be large, and private.
    var withoutArguments: RequestShape {
        var copy = self
        copy.arguments = []
        return copy
    }

    private var isTooLarge: Bool { pieces.count > Self.pieceLimit || textSize > Self.textLimit }

    static func == (left: RequestShape, right: RequestShape) -> Bool {
        left.pieces == right.pieces
    }

    func hash(into hasher: inout Hasher) {
        // Few shapes are remembered, and what tells them apart is compared anyway.
        hasher.combine(pieces.count)
        hasher.combine(pieces.first)
        hasher.combine(pieces.last)
    }

    // MARK: - The walk

    // It goes as that of `PredicateRewriter`, which numbers the arguments. It ends where the shape gets too
    // large, and so it never goes deep: nothing has measured the predicate yet.

    private mutating func append(_ node: FetchPredicate.Node) {
        guard !isTooLarge else { return }
        switch node {
        case .constant(let holds): pieces.append(.constant(holds))
        case .and(let nodes):
            pieces.append(.and(nodes.count))
            for node in nodes { append(node) }
        case .or(let nodes):
            pieces.append(.or(nodes.count))
            for node in nodes { append(node) }
        case .not(let operand):
            pieces.append(.not)
            append(operand)
        case .comparison(let comparison):
            pieces.append(
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
            pieces.append(.aggregate(aggregate.operation, isDistinct: aggregate.isDistinct))
            append(aggregate.path)
        case .list(let elements):
            pieces.append(.list(elements.count))
            for element in elements { append(element) }
        case .arithmetic(let sign, let left, let right):
            pieces.append(.arithmetic(sign))
            append(left)
            append(right)
        case .negation(let operand):
            pieces.append(.negation)
            append(operand)
        case .function(let function, let operands):
            pieces.append(.function(function, operands.count))
            for operand in operands { append(operand) }
        case .cast(let operand, let type):
            pieces.append(.cast(type))
            append(operand)
        case .conditional(let test, let first, let second):
            pieces.append(.conditional)
            append(test)
            append(first)
            append(second)
        }
    }

    private mutating func append(_ path: FetchPredicate.Path) {
        guard !isTooLarge else { return }
        pieces.append(.path(keys: path.keys.count))
        switch path.root {
        case .object: break
        case .variable(let name):
            pieces.append(.variable(name))
            textSize += name.utf8.count
        case .subquery(let subquery):
            textSize += subquery.variable.utf8.count
            pieces.append(.subquery(variable: subquery.variable))
            append(subquery.collection)
            append(subquery.condition)
        }
        for key in path.keys { pieces.append(.key(key)) }
    }

    private mutating func append(_ constant: FetchPredicate.Constant) {
        let value = constant.value.withoutNaN
        guard constant.origin.isLiteral else {
            pieces.append(constant.origin.entity.map { .object($0) } ?? .argument(ValueType(of: value)))
            arguments.append(value)
            return
        }
        switch value {
        case .double(let number): pieces.append(.literalBits(.double, number.bitPattern))
        case .date(let moment):
            pieces.append(.literalBits(.date, moment.secondsSince1970.bitPattern))
        default:
            pieces.append(.literal(value))
            textSize += value.size
        }
    }
}

extension AttributeValue {
    /// The bytes that it takes beside itself.
    fileprivate var size: Int {
        switch self {
        case .string(let text), .decimal(let text), .uri(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        default: 0
        }
    }
}
