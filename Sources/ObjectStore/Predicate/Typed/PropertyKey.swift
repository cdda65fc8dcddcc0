/// A property of a class of yours, as a predicate names it, with the type of its values.
///
/// It is the projected value of `@Attribute`, and what an operator with one makes is a predicate:
///
///     FetchPredicate(Book.self) { $0.$title == "Emma" && $0.$publisher.$name != nil }
public struct PropertyKey<Value> {
    public let expression: FetchPredicate.Expression
    let quantifier: FetchPredicate.Quantifier

    init(_ expression: FetchPredicate.Expression, quantifier: FetchPredicate.Quantifier = .single) {
        self.expression = expression
        self.quantifier = quantifier
    }

    func compared(
        _ comparator: FetchPredicate.Comparator, _ right: FetchPredicate.Expression,
        options: FetchPredicate.StringOptions = []
    ) -> FetchPredicate {
        FetchPredicate(expression, comparator, right, quantifier: quantifier, options: options)
    }
}

extension FetchPredicate {
    /// Builds a predicate from the properties of a class: `{ $0.$pages > 100 && $0.$title.begins(with: "E") }`.
    ///
    /// The object that the closure gets has no values; only its `$` properties are for use.
    public init<Object: ManagedObject>(_ objectClass: Object.Type, _ condition: (Object) -> FetchPredicate) {
        self = condition(objectClass.keys)
    }
}

extension ManagedObject {
    /// An object of no store, of which only the names of the properties matter.
    static var keys: Self {
        let entity = Entity(
            description: EntityDescription("", class: Self.self), index: 0, columns: [], toMany: [],
            properties: [:])
        return Self(ObjectPlacement(prototypeOf: entity))
    }
}

extension FetchPredicate.Path {
    /// This path and then another one.
    func then(_ rest: FetchPredicate.Path) -> FetchPredicate.Path {
        FetchPredicate.Path(root: root, keys: keys + rest.keys)
    }
}

extension FetchPredicate.Expression {
    /// The same value, of the object at the end of a path.
    func of(_ path: FetchPredicate.Path) -> FetchPredicate.Expression {
        switch self {
        case .path(let rest): return .path(path.then(rest))
        case .aggregate(var aggregate):
            aggregate.path = path.then(aggregate.path)
            return .aggregate(aggregate)
        default: return self
        }
    }
}
