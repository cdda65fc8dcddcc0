/// A property of a managed object class in a predicate, with the type of its values.
///
/// It is the projected value of `@Attribute`. Operators with it make predicates:
///
///     FetchPredicate(Book.self) { $0.$title == "Emma" && $0.$publisher.$name != nil }
public struct PropertyKey<Value> {
    /// The operand of a predicate that has the value of the property.
    public let expression: FetchPredicate.Expression
    let quantifier: FetchPredicate.Quantifier

    init(_ expression: FetchPredicate.Expression, quantifier: FetchPredicate.Quantifier = .single) {
        self.expression = expression
        self.quantifier = quantifier
    }

    func compared(
        _ comparator: FetchPredicate.Comparator, _ right: FetchPredicate.Expression,
        options: StringOptions = []
    ) -> FetchPredicate {
        FetchPredicate(expression, comparator, right, quantifier: quantifier, options: options)
    }
}

extension FetchPredicate {
    /// Builds a predicate from the properties of a class: `{ $0.$pages > 100 && $0.$title.begins(with: "E") }`.
    ///
    /// The object that the closure receives has no values. The closure can use only its `$` properties.
    public init<Object: ManagedObject>(_ objectClass: Object.Type, _ condition: (Object) -> FetchPredicate) {
        self = condition(objectClass.keys)
    }
}

extension FetchPredicate {
    /// Builds a condition for groups of objects of a class: `{ $0.count > 3 && $0.average(\.$pages) < 200 }`.
    ///
    /// The argument of the closure is the collection of the objects of a group.
    public init<Object: ManagedObject>(
        groupsOf objectClass: Object.Type, _ condition: (ToManyKey<Object>) -> FetchPredicate
    ) {
        self = condition(ToManyKey(path: Path()))
    }
}

extension ManagedObject {
    /// An object without a store, used only for the names of its properties.
    static var keys: Self {
        ClassDeclaration.of(Self.self).prototype(of: Self.self)
    }
}

extension FetchPredicate.Path {
    /// Returns this path followed by another one.
    func then(_ rest: FetchPredicate.Path) -> FetchPredicate.Path {
        FetchPredicate.Path(root: root, keys: keys + rest.keys)
    }
}

extension FetchPredicate.Expression {
    /// Returns the same value for the object at the end of a path.
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
