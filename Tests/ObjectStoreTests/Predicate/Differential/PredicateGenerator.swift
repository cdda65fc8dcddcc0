import CivilTime
import ObjectStore

/// Generates predicates that are valid for a model, with every operator.
struct PredicateGenerator {
    typealias Node = FetchPredicate.Node
    typealias Expression = FetchPredicate.Expression

    let model: ManagedObjectModel
    var source: ChoiceSource
    private var variables = 0

    init(model: ManagedObjectModel, source: ChoiceSource) {
        self.model = model
        self.source = source
    }

    /// The start of a path: an object, or the element of a subquery.
    struct Start {
        let root: FetchPredicate.Path.Root
        let entity: Entity
    }

    mutating func predicate(of entity: Entity) -> FetchPredicate {
        FetchPredicate(node([Start(root: .object, entity: entity)], depth: 3))
    }

    // MARK: - Conditions

    private mutating func node(_ starts: [Start], depth: Int) -> Node {
        switch source.number(below: depth > 0 ? 10 : 5) {
        case 0...4: comparison(starts, depth: depth)
        case 5, 6: .and((0..<source.number(below: 4)).map { _ in node(starts, depth: depth - 1) })
        case 7, 8: .or((0..<source.number(below: 4)).map { _ in node(starts, depth: depth - 1) })
        default: .not(node(starts, depth: depth - 1))
        }
    }

    private mutating func comparison(_ starts: [Start], depth: Int) -> Node {
        switch source.number(below: 12) {
        case 0, 1: return quantified(starts, depth: depth)
        case 2: return objects(starts)
        case 3: return membership(starts, depth: depth)
        case 4, 5: return text(starts, depth: depth)
        case 6: return nothing(starts, depth: depth)
        case 7: return .constant(source.chance(1, in: 2))
        default:
            let type = source.pick(AttributeType.allCases)
            let left = expression(type, starts, depth: depth)
            return .comparison(compare(left, type, starts, depth: depth, quantifier: .single))
        }
    }

    /// A comparison of `left`, which is of that type, with a matching operand.
    private mutating func compare(
        _ left: Expression, _ type: AttributeType, _ starts: [Start], depth: Int,
        quantifier: FetchPredicate.Quantifier
    ) -> FetchPredicate.Comparison {
        var comparators: [FetchPredicate.Comparator] = [.equal, .notEqual, .in]
        if type != .binary {
            comparators += [.less, .lessOrEqual, .greater, .greaterOrEqual, .between]
        }
        let comparator = source.pick(comparators)
        let right: Expression
        switch comparator {
        case .between:
            right = .list([expression(type, starts, depth: 0), expression(type, starts, depth: 0)])
        case .in:
            let count = source.chance(1, in: 20) ? 150 : source.number(below: 5)
            right = .list((0..<count).map { _ in expression(type, starts, depth: 0) })
        default:
            right = expression(type, starts, depth: depth - 1)
        }
        return FetchPredicate.Comparison(
            left, comparator, right, quantifier: quantifier, options: type == .string ? options() : [])
    }

    private mutating func options() -> StringOptions {
        source.pick([
            [], [], [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
        ])
    }

    private mutating func text(_ starts: [Start], depth: Int) -> Node {
        let comparator = source.pick([
            FetchPredicate.Comparator.beginsWith, .contains, .containsWords, .endsWith, .like, .matches,
        ])
        let pattern: Expression
        switch comparator {
        case .like: pattern = .value(.string(source.pick(GeneratedValues.likes)))
        case .matches: pattern = .value(.string(source.pick(GeneratedValues.patterns)))
        case .containsWords:
            pattern = .value(.string(source.pick(GeneratedValues.searches)))
        default: pattern = expression(.string, starts, depth: depth - 1)
        }
        return .comparison(
            FetchPredicate.Comparison(
                expression(.string, starts, depth: depth), comparator, pattern, options: options()))
    }

    private mutating func nothing(_ starts: [Start], depth: Int) -> Node {
        let start = source.pick(starts)
        if start.entity.property(named: "part.first") != nil, source.chance(1, in: 3) {
            let keys = source.pick([["part"], ["part", "inner"]])
            return .comparison(
                FetchPredicate.Comparison(
                    .path(FetchPredicate.Path(root: start.root, keys: keys)),
                    source.pick([.equal, .notEqual]), .null))
        }
        let left = expression(source.pick(AttributeType.allCases), starts, depth: depth)
        return .comparison(
            FetchPredicate.Comparison(left, source.pick([.equal, .notEqual, .less, .in, .between]), .null))
    }

    // MARK: - Collections

    private mutating func quantified(_ starts: [Start], depth: Int) -> Node {
        let quantifier = source.pick([FetchPredicate.Quantifier.any, .all, .none])
        let type = source.pick(AttributeType.allCases)
        if source.chance(1, in: 12), let list = list(of: type, starts) {
            return .comparison(compare(.path(list), type, starts, depth: depth - 1, quantifier: quantifier))
        }
        guard let (path, end) = collection(starts, depth: depth) else { return .constant(true) }
        guard let rest = attribute(type, from: end) else { return .constant(false) }
        var element = path
        element.keys += rest
        if type == .string && source.chance(1, in: 3) {
            return .comparison(
                FetchPredicate.Comparison(
                    .path(element), source.pick([.beginsWith, .contains, .containsWords, .endsWith]),
                    .value(.string(source.pick(GeneratedValues.texts))), quantifier: quantifier,
                    options: options()))
        }
        return .comparison(compare(.path(element), type, starts, depth: depth - 1, quantifier: quantifier))
    }

    /// A path to a list of elements of a type, sometimes through relationships.
    private mutating func list(of type: AttributeType, _ starts: [Start]) -> FetchPredicate.Path? {
        var path = FetchPredicate.Path(root: .object)
        let start = source.pick(starts)
        path.root = start.root
        var entity = start.entity
        if source.chance(1, in: 3), let next = toMany(of: entity) ?? toOne(of: entity) {
            path.keys.append(next.name)
            entity = next.destination
        }
        let lists = entity.description.attributes.filter { $0.elementType == type }
        guard !lists.isEmpty else { return nil }
        path.keys += source.pick(lists).keys
        return path
    }

    private mutating func membership(_ starts: [Start], depth: Int) -> Node {
        guard let (path, end) = collection(starts, depth: depth) else { return .constant(true) }
        let type = source.pick(AttributeType.allCases)
        guard let rest = attribute(type, from: end) else { return .constant(false) }
        var elements = path
        elements.keys += rest
        let value = expression(type, starts, depth: depth - 1)
        let options = type == .string ? options() : []
        return .comparison(
            source.chance(1, in: 2)
                ? FetchPredicate.Comparison(value, .in, .path(elements), options: options)
                : FetchPredicate.Comparison(.path(elements), .contains, value, options: options))
    }

    /// A comparison of objects for identity.
    private mutating func objects(_ starts: [Start]) -> Node {
        let start = source.pick(starts)
        let whole = Expression.path(FetchPredicate.Path(root: start.root))
        let id = Expression.value(.integer(Int64(1 + source.number(below: 6))))
        guard let (path, end) = collection(starts, depth: 0) else {
            return .comparison(FetchPredicate.Comparison(whole, source.pick([.equal, .notEqual, .less]), id))
        }
        let other = end.index == start.entity.index ? whole : id
        return switch source.number(below: 4) {
        case 0: .comparison(FetchPredicate.Comparison(.path(path), .equal, other, quantifier: .any))
        case 1: .comparison(FetchPredicate.Comparison(.path(path), .notEqual, other, quantifier: .all))
        case 2: .comparison(FetchPredicate.Comparison(other, .in, .path(path)))
        default:
            .comparison(FetchPredicate.Comparison(.path(path), .in, .list([id, other]), quantifier: .none))
        }
    }

    /// A to-many path that ends at objects. Some lead through a subquery, and some follow two relationships.
    private mutating func collection(_ starts: [Start], depth: Int) -> (FetchPredicate.Path, Entity)? {
        let start = source.pick(starts)
        var path = FetchPredicate.Path(root: start.root)
        var entity = start.entity
        if source.chance(1, in: 3), let (name, destination) = toOne(of: entity) {
            path.keys.append(name)
            entity = destination
        }
        guard let first = toMany(of: entity) else { return nil }
        path.keys.append(first.name)
        entity = first.destination
        if source.chance(1, in: 4), let next = toMany(of: entity) ?? toOne(of: entity) {
            path.keys.append(next.name)
            entity = next.destination
        }
        guard depth > 0, source.chance(1, in: 3) else { return (path, entity) }
        variables += 1
        let name = "v\(variables)"
        let inner = starts + [Start(root: .variable(name), entity: entity)]
        let condition = node([inner[inner.count - 1]] + inner, depth: depth - 1)
        return (
            FetchPredicate.Path(
                root: .subquery(FetchPredicate.Subquery(path, variable: name, where: condition))),
            entity
        )
    }

    private mutating func toMany(of entity: Entity) -> (name: String, destination: Entity)? {
        guard !entity.toMany.isEmpty else { return nil }
        let relationship = source.pick(entity.toMany)
        return (relationship.name, model.entities[relationship.destinationIndex])
    }

    private mutating func toOne(of entity: Entity) -> (name: String, destination: Entity)? {
        let relationships = entity.columns.compactMap { column in
            if case .toOne(let relationship) = column.content { relationship } else { nil }
        }
        guard !relationships.isEmpty else { return nil }
        let relationship = source.pick(relationships)
        return (relationship.name, model.entities[relationship.destinationIndex])
    }

    // MARK: - Values

    private mutating func expression(_ type: AttributeType, _ starts: [Start], depth: Int) -> Expression {
        switch source.number(below: depth > 0 ? 10 : 6) {
        case 0, 1: return constant(type)
        case 2...5: return path(type, starts)
        case 6:
            return .conditional(
                node(starts, depth: depth - 1), expression(type, starts, depth: depth - 1),
                expression(type, starts, depth: depth - 1))
        case 7: return aggregate(type, starts, depth: depth) ?? path(type, starts)
        default: return computed(type, starts, depth: depth)
        }
    }

    private mutating func constant(_ type: AttributeType) -> Expression {
        source.chance(1, in: 12) ? .null : .value(GeneratedValues.value(type, &source))
    }

    private mutating func path(_ type: AttributeType, _ starts: [Start]) -> Expression {
        let start = source.pick(starts)
        guard let keys = attribute(type, from: start.entity) else { return constant(type) }
        return .path(FetchPredicate.Path(root: start.root, keys: keys))
    }

    /// The keys to an attribute of that type, sometimes at the end of a to-one relationship or of the object at a position
    /// of an ordered relationship.
    private mutating func attribute(_ type: AttributeType, from entity: Entity) -> [String]? {
        var keys: [String] = []
        var entity = entity
        while keys.count < 2, source.chance(1, in: 4), let (name, destination) = toOne(of: entity) {
            keys.append(name)
            entity = destination
        }
        let ordered = entity.toMany.filter { $0.description.orderedBy != nil }
        if !ordered.isEmpty, source.chance(1, in: 12) {
            let relationship = source.pick(ordered)
            keys += [relationship.name, source.pick(["[0]", "[FIRST]", "[LAST]", "[1]", "[2]"])]
            entity = model.entities[relationship.destinationIndex]
        }
        let attributes = entity.description.attributes
        let lists = attributes.filter { $0.elementType == type }
        if !lists.isEmpty, source.chance(1, in: 20) {
            return keys + source.pick(lists).keys + [source.pick(["[0]", "[FIRST]", "[LAST]", "[1]"])]
        }
        let names = attributes.filter { $0.type == type && $0.elementType == nil }
        return names.isEmpty ? nil : keys + source.pick(names).keys
    }

    private mutating func aggregate(_ type: AttributeType, _ starts: [Start], depth: Int) -> Expression? {
        guard let (objects, end) = collection(starts, depth: depth) else { return nil }
        var path = objects
        let operation: FetchPredicate.CollectionOperator
        switch type {
        case .integer16, .integer32, .integer64: operation = source.pick([.count, .sum, .min, .max])
        case .double: operation = source.pick([.sum, .avg, .min, .max])
        case .decimal: operation = source.pick([.sum, .min, .max])
        case .binary: return nil
        default: operation = source.pick([.min, .max])
        }
        if operation != .count || source.chance(1, in: 2) {
            // An average is a double for every type of element.
            let elements = operation == .avg && source.chance(1, in: 3) ? .decimal : type
            guard let rest = attribute(elements, from: end) else { return nil }
            path.keys += rest
        }
        return .aggregate(
            FetchPredicate.Aggregate(operation, of: path, isDistinct: source.chance(1, in: 4)))
    }

    private mutating func computed(_ type: AttributeType, _ starts: [Start], depth: Int) -> Expression {
        func part(_ type: AttributeType) -> Expression { expression(type, starts, depth: depth - 1) }
        switch type {
        case .integer16, .integer32, .integer64:
            switch source.number(below: 5) {
            case 0: return .negation(part(.integer64))
            case 1: return .function(source.pick([.length]), [part(.string)])
            case 2:
                let functions: [FetchPredicate.Function] = [
                    .modulus, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift,
                ]
                return .function(source.pick(functions), [part(.integer64), part(.integer32)])
            case 3: return .function(source.pick([.absolute, .onesComplement, .floor]), [part(.integer64)])
            default:
                return .arithmetic(
                    source.pick([.add, .subtract, .multiply, .divide]), part(.integer64), part(.boolean))
            }
        case .double:
            switch source.number(below: 4) {
            case 0:
                return .arithmetic(
                    source.pick(FetchPredicate.ArithmeticOperator.allCases), part(.double), part(.integer64))
            case 1: return .arithmetic(.subtract, part(.date), part(.date))
            case 2: return .cast(part(.date), .number)
            default:
                let functions: [FetchPredicate.Function] = [
                    .squareRoot, .exponential, .naturalLogarithm, .logarithm, .absolute, .ceiling, .floor,
                    .truncate,
                ]
                return .function(source.pick(functions), [part(.double)])
            }
        case .date:
            return source.chance(1, in: 2)
                ? .arithmetic(source.pick([.add, .subtract]), part(.date), part(.integer32))
                : .cast(part(.double), .date)
        case .string:
            return source.chance(1, in: 3)
                ? .cast(part(source.pick([.integer64, .uuid, .date, .boolean, .decimal])), .string)
                : .function(source.pick([.uppercase, .lowercase]), [part(.string)])
        default:
            return path(type, starts)
        }
    }
}

extension AttributeDescription {
    /// The keys of a path to the attribute, which may be a part of a composite one.
    fileprivate var keys: [String] { name.split(separator: ".").map(String.init) }
}
