/// The parts of a request that determine its SQL: everything except the values that the statement binds.
///
///     pages > 300 AND title == %@     with "Emma" and with "Persuasion" has the same shape
///     pages > 300 AND title == %@     with nil or with a number has a different shape
///     pages > 299 AND title == %@     has a different shape: the literal is part of the SQL
struct RequestShape: Hashable {
    /// The kind of a step in a walk through the request. Each step has a fixed length or begins with its length, and
    /// determines how many of the following steps belong to it, so two different requests never have the same bytes.
    private enum Step: UInt8 {
        case holds, fails, and, or, not, comparison, path, variable, subquery, key, aggregate, list,
            arithmetic
        case negation, function, cast, conditional, literal, number, argument, object
    }

    /// Limits on the size of a shape. Shapes stay in memory, and users can write predicates of any size.
    private static let stepLimit = 200
    private static let textLimit = 4096

    private let subject: SQLSelect.Subject
    private let entity: Int
    private let isLimited: Bool
    private let isOffset: Bool
    private let order: [FetchOrder]
    /// The predicates. Bytes are built and compared much faster than the predicates themselves.
    private var bytes: [UInt8] = []
    /// The literals other than numbers.
    private var literals: [AttributeValue] = []

    private var steps = 0
    /// The number of bytes in the names and texts of the steps. Keys do not count because the model stores them too.
    private var textSize = 0
    /// The values of the current request. They are not compared with those of other shapes.
    private(set) var arguments: [AttributeValue] = []

    /// Creates the shape of a request, or returns `nil` if the request is too large to be cached.
    init?(_ subject: SQLSelect.Subject, _ request: StoreRequest, having: FetchPredicate = .all) {
        self.subject = subject
        entity = request.entity.index
        isLimited = request.limit != nil
        isOffset = request.offset > 0
        order = request.order
        bytes.reserveCapacity(160)
        append(request.predicate.root)
        append(having.root)
        if isTooLarge { return nil }
    }

    /// The shape without its values, for the cache. Values may be large or private.
    var withoutArguments: RequestShape {
        var copy = self
        copy.arguments = []
        return copy
    }

    private var isTooLarge: Bool { steps + order.count > Self.stepLimit || textSize > Self.textLimit }

    static func == (left: RequestShape, right: RequestShape) -> Bool {
        left.bytes == right.bytes && left.entity == right.entity && left.isLimited == right.isLimited
            && left.isOffset == right.isOffset && left.literals == right.literals && left.order == right.order
            && left.subject == right.subject
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(entity)
        hasher.combine(bytes)
    }

    // MARK: - The walk

    // The walk visits nodes in the same order as `PredicateRewriter`, which numbers the arguments. It stops
    // when the shape gets too large, which also limits the recursion: the depth of the predicate has not been
    // checked yet.

    private mutating func append(_ node: FetchPredicate.Node) {
        guard !isTooLarge else { return }
        switch node {
        case .constant(let holds): append(holds ? .holds : .fails)
        case .and(let nodes):
            append(.and, count: nodes.count)
            for node in nodes { append(node) }
        case .or(let nodes):
            append(.or, count: nodes.count)
            for node in nodes { append(node) }
        case .not(let operand):
            append(.not)
            append(operand)
        case .comparison(let comparison):
            append(.comparison)
            bytes.append(comparison.comparator.code)
            bytes.append(comparison.quantifier.code)
            bytes.append(comparison.options.rawValue)
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
            append(.aggregate, name: aggregate.operation.rawValue)
            bytes.append(aggregate.isDistinct ? 1 : 0)
            append(aggregate.path)
        case .list(let elements):
            append(.list, count: elements.count)
            for element in elements { append(element) }
        case .arithmetic(let sign, let left, let right):
            append(.arithmetic)
            bytes.append(sign.code)
            append(left)
            append(right)
        case .negation(let operand):
            append(.negation)
            append(operand)
        case .function(let function, let operands):
            append(.function, name: function.rawValue)
            append(count: operands.count)
            for operand in operands { append(operand) }
        case .cast(let operand, let type):
            append(.cast, name: type.rawValue)
            append(operand)
        case .conditional(let test, let first, let second):
            append(.conditional)
            append(test)
            append(first)
            append(second)
        }
    }

    private mutating func append(_ path: FetchPredicate.Path) {
        guard !isTooLarge else { return }
        append(.path, count: path.keys.count)
        switch path.root {
        case .object: break
        case .variable(let name):
            append(.variable, name: name)
            textSize += name.utf8.count
        case .subquery(let subquery):
            textSize += subquery.variable.utf8.count
            append(.subquery, name: subquery.variable)
            append(subquery.collection)
            append(subquery.condition)
        }
        for key in path.keys { append(.key, name: key) }
    }

    private mutating func append(_ constant: FetchPredicate.Constant) {
        let value = constant.value.withoutNaN
        guard constant.origin.isLiteral else {
            if let entity = constant.origin.entity {
                append(.object, name: entity)
            } else {
                append(.argument)
                bytes.append(ValueType(of: value).code)
            }
            if arguments.isEmpty { arguments.reserveCapacity(4) }
            arguments.append(value)
            return
        }
        // Numbers are compared by their bits, because 0 and -0 are equal but have different texts.
        switch value {
        case .double(let number): append(.number, number.bitPattern, of: .double)
        case .date(let moment): append(.number, moment.secondsSince1970.bitPattern, of: .date)
        default:
            append(.literal)
            literals.append(value)
            textSize += value.size
        }
    }

    // MARK: - The bytes

    private mutating func append(_ step: Step) {
        steps += 1
        bytes.append(step.rawValue)
    }

    private mutating func append(_ step: Step, count: Int) {
        append(step)
        append(count: count)
    }

    /// Appends a name with its length. The arguments of a function may have any names.
    private mutating func append(_ step: Step, name: String) {
        append(step)
        append(count: name.utf8.count)
        bytes.append(contentsOf: name.utf8)
    }

    private mutating func append(_ step: Step, _ bits: UInt64, of type: ValueType) {
        append(step)
        bytes.append(type.code)
        append(count: Int(bitPattern: UInt(bits)))
    }

    private mutating func append(count: Int) {
        // Most counts are small. A larger one has 8 bytes after a byte that no small one has.
        if count >= 0, count < 0xFF { return bytes.append(UInt8(truncatingIfNeeded: count)) }
        bytes.append(0xFF)
        withUnsafeBytes(of: count) { bytes.append(contentsOf: $0) }
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

// MARK: - Numbers of cases

extension FetchPredicate.Comparator {
    fileprivate var code: UInt8 {
        switch self {
        case .equal: 0
        case .notEqual: 1
        case .less: 2
        case .lessOrEqual: 3
        case .greater: 4
        case .greaterOrEqual: 5
        case .between: 6
        case .beginsWith: 7
        case .contains: 8
        case .containsWords: 9
        case .endsWith: 10
        case .like: 11
        case .matches: 12
        case .in: 13
        }
    }
}

extension FetchPredicate.Quantifier {
    fileprivate var code: UInt8 {
        switch self {
        case .single: 0
        case .any: 1
        case .all: 2
        case .none: 3
        }
    }
}

extension FetchPredicate.ArithmeticOperator {
    fileprivate var code: UInt8 {
        switch self {
        case .add: 0
        case .subtract: 1
        case .multiply: 2
        case .divide: 3
        case .power: 4
        }
    }
}

extension ValueType {
    /// The number of a type of values. An object has the name of its entity instead.
    fileprivate var code: UInt8 {
        switch self {
        case .null: 0
        case .boolean: 1
        case .integer: 2
        case .double: 3
        case .decimal: 4
        case .string: 5
        case .date: 6
        case .binary: 7
        case .uuid: 8
        case .uri: 9
        case .object: 10
        }
    }
}
