/// A property of a managed object class in a predicate, with the type of its values.
///
/// It is a member of ``Keys``. Operators with it make predicates:
///
///     Book.where { $0.title == "Emma" && $0.publisher.name != nil && $0.inPrint }
public struct PropertyKey<Value> {
    /// The operand of a predicate that has the value of the property.
    public let expression: FetchPredicate.Expression
    let quantifier: FetchPredicate.Quantifier

    init(_ expression: FetchPredicate.Expression, quantifier: FetchPredicate.Quantifier = .single) {
        self.expression = expression
        self.quantifier = quantifier
    }

    /// Creates the key of a property by its name or path, for a class whose property has another name or none.
    public init(_ path: String) {
        self.init(.key(path))
    }

    /// A value that is given later, when a prepared fetch runs: `$0.dueDate <= .variable("now")`.
    public static func variable(_ name: String) -> Self {
        Self(.variable(name))
    }

    func compared(
        _ comparator: FetchPredicate.Comparator, _ right: FetchPredicate.Expression,
        options: StringOptions = []
    ) -> FetchPredicate {
        FetchPredicate(expression, comparator, right, quantifier: quantifier, options: options)
    }
}

extension FetchPredicate {
    /// Builds a predicate from the properties of a class: `{ $0.pages > 100 && $0.title.begins(with: "E") }`.
    public init<Object: ManagedObject>(
        _ objectClass: Object.Type, _ condition: (Keys<Object>) throws -> FetchPredicate
    ) rethrows {
        self = try condition(Keys())
    }

    /// Builds a predicate from a Boolean property of a class: `{ $0.inPrint }`.
    public init<Object: ManagedObject>(
        _ objectClass: Object.Type, _ condition: (Keys<Object>) throws -> PropertyKey<Bool>
    ) rethrows {
        self = try condition(Keys()).isTrue
    }

    /// Builds a condition for groups of objects of a class: `{ $0.count > 3 && $0.average(\.pages) < 200 }`.
    ///
    /// The argument of the closure is the collection of the objects of a group.
    public init<Object: ManagedObject>(
        groupsOf objectClass: Object.Type, _ condition: (ToManyKey<Object>) throws -> FetchPredicate
    ) rethrows {
        self = try condition(ToManyKey(path: Path(), quantifier: .single))
    }
}
