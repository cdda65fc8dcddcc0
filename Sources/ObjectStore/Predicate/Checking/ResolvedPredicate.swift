/// A predicate resolved for an entity.
///
/// Keys are resolved to column positions, operand types match, paths through collections are lists of steps, and every
/// variable has a value. Both the evaluation in memory and the translation to SQL start from this form, so that
/// a predicate means the same in both.
package struct ResolvedPredicate: Sendable {
    package let entity: Entity
    package let condition: ResolvedCondition
    /// The number of frames.
    ///
    /// A frame holds one object that a condition can refer to. Frame 0 holds the tested object, and each step into a
    /// collection has its own frame.
    let frameCount: Int
}

/// One condition. It is true or false and, unlike in SQL, never unknown.
package indirect enum ResolvedCondition: Sendable {
    case constant(Bool)
    case and([ResolvedCondition])
    case or([ResolvedCondition])
    case not(ResolvedCondition)
    case isNull(ResolvedValue)
    /// A comparison of two values of one kind. Nil equals nil. Any other comparison with nil is false.
    case compare(ResolvedValue, Relation, ResolvedValue, StringOptions)
    case between(ResolvedValue, ResolvedValue, ResolvedValue, StringOptions)
    /// True if the value equals one of the others.
    case member(ResolvedValue, [ResolvedValue], StringOptions)
    case text(ResolvedValue, TextTest)
    /// True if the condition is true for at least one element of the collection.
    case exists(ResolvedCollection, ResolvedCondition)

    package enum Relation: Sendable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    }

    package enum TextOperator: Sendable, CaseIterable {
        case beginsWith, contains, containsWords, endsWith, like, matches
    }
}

/// A test of a text by an operator such as LIKE: the pattern and how it is compared.
package struct TextTest: Sendable {
    package let comparator: ResolvedCondition.TextOperator
    package let options: StringOptions
    let pattern: ResolvedValue
    /// The prepared pattern if the pattern is a constant, or `nil`.
    package let prepared: PreparedText?

    /// Whether `text` passes the test. No text passes if the pattern is nil.
    func accepts(_ text: String, _ patternText: (ResolvedValue) throws -> String?) throws -> Bool {
        if let prepared { return try prepared.accepts(text) }
        guard let pattern = try patternText(pattern) else { return false }
        return try PreparedText(pattern, comparator: comparator, options: options).accepts(text)
    }
}

/// A value that is computed from the objects in the frames.
package indirect enum ResolvedValue: Sendable {
    case constant(AttributeValue, ConstantSource)
    /// An attribute, or the ID in a to-one relationship.
    case column(ResolvedPath, Int)
    /// The ID of the object in a frame.
    case identity(frame: Int)
    /// A value of the object at a position of an ordered relationship, or nil if there is no object.
    case element(ResolvedCollection.Step, PredicatePosition, of: ResolvedValue)
    case aggregate(FetchPredicate.CollectionOperator, ResolvedCollection, of: ResolvedValue, isDistinct: Bool)
    case arithmetic(FetchPredicate.ArithmeticOperator, ResolvedValue, ResolvedValue)
    case negation(ResolvedValue)
    case function(FetchPredicate.Function, [ResolvedValue])
    case cast(ResolvedValue, from: ValueType, to: FetchPredicate.CastType)
    case conditional(ResolvedCondition, ResolvedValue, ResolvedValue)
}

extension ResolvedValue {
    /// Whether the value is a decimal. SQLite stores it as text, but it is compared as a number.
    var isDecimal: Bool {
        switch self {
        case .constant(.decimal, _): true
        case .column(let path, let column): path.entity.columns[column].type == .decimal
        case .aggregate(.sum, _, let element, _), .aggregate(.min, _, let element, _),
            .aggregate(.max, _, let element, _):
            element.isDecimal
        case .element(_, _, let value): value.isDecimal
        case .cast(_, _, let type): type == .decimal
        case .conditional(_, let first, let second): first.isDecimal || second.isDecimal
        default: false
        }
    }
}

/// The object at the end of a chain of to-one relationships that starts in a frame, or nil if one of them is nil.
package struct ResolvedPath: Sendable {
    package let frame: Int
    /// The entity of the object in the frame.
    package let start: Entity
    /// The relationships to follow: the column and the destination entity of each.
    package var hops: [(column: Int, destination: Entity)] = []

    /// The entity of the object at the end.
    package var entity: Entity { hops.last?.destination ?? start }
}

/// The objects that a path of relationships reaches. An object that is reached several times counts each time.
package struct ResolvedCollection: Sendable {
    package struct Step: Sendable {
        package let source: ResolvedPath
        /// A to-many relationship, a list attribute, or a to-one relationship if a subquery needs its object in a frame.
        package let relationship: Entity.Property
        package let destination: Entity
        /// The frame for the objects of the relationship.
        package let frame: Int
        /// The condition of a subquery that the objects have to satisfy, or `nil`.
        package var filter: ResolvedCondition?

        /// The column of the list if the elements of a list attribute take the place of objects, or `nil`.
        var list: Entity.Column? {
            guard case .attribute(let column) = relationship else { return nil }
            return source.entity.columns[column]
        }

        /// The column of the objects that keeps their order, or `nil` if they have none.
        var order: Int? {
            guard case .toMany(let position) = relationship else { return nil }
            return source.entity.toMany[position].orderColumn
        }
    }

    package var steps: [Step]
}
