/// A predicate that an entity can answer: its keys are positions, its types agree, its collections are
/// spelled out, and nothing is left to bind.
///
/// Both executions start from it, so what the language means is decided before they part.
package struct ResolvedPredicate: Sendable {
    package let entity: Entity
    let condition: ResolvedCondition
    /// How many objects are in view at once: the one that is asked about is 0, and each step into a
    /// collection has a number of its own.
    let frameCount: Int
}

/// One condition, of which no part is unknown: it holds or it does not.
indirect enum ResolvedCondition: Sendable {
    case constant(Bool)
    case and([ResolvedCondition])
    case or([ResolvedCondition])
    case not(ResolvedCondition)
    case isNull(ResolvedValue)
    /// Two values of one kind. Two that are nil are equal; apart from that nil fails every comparison.
    case compare(ResolvedValue, Relation, ResolvedValue, FetchPredicate.StringOptions)
    case between(ResolvedValue, ResolvedValue, ResolvedValue, FetchPredicate.StringOptions)
    /// The value equals one of several.
    case member(ResolvedValue, [ResolvedValue], FetchPredicate.StringOptions)
    case text(ResolvedValue, TextTest)
    /// The collection has an element for which the condition holds.
    case exists(ResolvedCollection, ResolvedCondition)

    enum Relation: Sendable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    }

    enum TextOperator: Sendable, CaseIterable {
        case beginsWith, contains, endsWith, like, matches
    }
}

/// What an operator on text asks of its left side.
struct TextTest: Sendable {
    let comparator: ResolvedCondition.TextOperator
    let options: FetchPredicate.StringOptions
    let pattern: ResolvedValue
    /// The pattern when it is known before any object is looked at.
    let prepared: PreparedText?

    /// Whether it holds for a text. A pattern that is nil fits nothing.
    func accepts(_ text: String, _ patternText: (ResolvedValue) throws -> String?) throws -> Bool {
        if let prepared { return try prepared.accepts(text) }
        guard let pattern = try patternText(pattern) else { return false }
        return try PreparedText(pattern, comparator, options).accepts(text)
    }
}

/// A value, computed from the objects in view.
indirect enum ResolvedValue: Sendable {
    case constant(AttributeValue, ConstantSource)
    /// An attribute, or the id in a to-one relationship.
    case column(ResolvedPath, Int)
    /// The id of an object in view.
    case identity(frame: Int)
    case aggregate(FetchPredicate.CollectionOperator, ResolvedCollection, of: ResolvedValue, isDistinct: Bool)
    case arithmetic(FetchPredicate.ArithmeticOperator, ResolvedValue, ResolvedValue)
    case negation(ResolvedValue)
    case function(FetchPredicate.Function, [ResolvedValue])
    case cast(ResolvedValue, from: ValueType, to: FetchPredicate.CastType)
    case conditional(ResolvedCondition, ResolvedValue, ResolvedValue)
}

extension ResolvedValue {
    /// Whether it is a decimal, which stands in a database as text and compares as a number.
    var isDecimal: Bool {
        switch self {
        case .constant(.decimal, _): true
        case .column(let path, let column): path.entity.columns[column].type == .decimal
        case .aggregate(.sum, _, let element, _), .aggregate(.min, _, let element, _),
            .aggregate(.max, _, let element, _):
            element.isDecimal
        case .cast(_, _, let type): type == .decimal
        case .conditional(_, let first, let second): first.isDecimal || second.isDecimal
        default: false
        }
    }
}

/// An object that to-one relationships lead to from one in view. It is nil when one of them is.
struct ResolvedPath: Sendable {
    let frame: Int
    /// The entity of the object in view.
    let start: Entity
    /// The relationships to follow: their columns, and the entities they lead to.
    var hops: [(column: Int, destination: Entity)] = []

    /// The entity of the object at the end.
    var entity: Entity { hops.last?.destination ?? start }
}

/// The objects that a path of relationships reaches, each as often as it is reached.
struct ResolvedCollection: Sendable {
    struct Step: Sendable {
        let source: ResolvedPath
        /// To-many, or a to-one relationship whose object a subquery has to have in view.
        let relationship: Entity.Property
        let destination: Entity
        /// The number under which its objects are in view.
        let frame: Int
        /// Which of the objects count: the condition of a subquery.
        var filter: ResolvedCondition?
    }

    var steps: [Step]
}
