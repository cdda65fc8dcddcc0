/// A property of a managed object class in a predicate, with the type of its values.
///
/// It is a member of ``Keys``. Operators with it make predicates:
///
///     Book.where { $0.title == "Emma" && $0.publisher.name != nil && $0.inPrint }
public struct PropertyKey<Value> {
    /// The value of the property. With quantifiers, it is that of an element.
    let operand: FetchPredicate.Expression
    let quantifier: Quantification

    init(_ operand: FetchPredicate.Expression, quantifier: Quantification = .single) {
        self.operand = operand
        self.quantifier = quantifier
    }

    /// The operand of a predicate that has the value of the property. It is without the quantifier.
    public var expression: FetchPredicate.Expression {
        switch operand {
        case .path(let path):
            return .path(quantifier.path(path))
        case .aggregate(var aggregate):
            aggregate.path = quantifier.path(aggregate.path)
            return .aggregate(aggregate)
        default: return operand
        }
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
        quantifier.condition(.comparison(.init(operand, comparator, right, options: options)))
    }

    /// Returns the comparison with another key. The quantifiers of the two keys are independent, those of this key come
    /// first.
    func compared<Other>(
        _ comparator: FetchPredicate.Comparator, _ right: PropertyKey<Other>
    ) -> FetchPredicate {
        if quantifier.isSingle, !right.quantifier.isSingle {
            return right.compared(comparator.mirrored, operand)
        }
        let (quantifiers, operand) = quantifier.joined(right.quantifier, of: right.operand)
        return quantifiers.condition(.comparison(.init(self.operand, comparator, operand)))
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
    public init<Object: ManagedObject, Flag: PredicateFlag>(
        _ objectClass: Object.Type, _ condition: (Keys<Object>) throws -> PropertyKey<Flag>
    ) rethrows {
        self = try condition(Keys()).isTrue
    }

    /// Builds a condition for groups of objects of a class: `{ $0.count > 3 && $0.average(\.pages) < 200 }`.
    ///
    /// `rows` with typed columns take such a condition without this initializer.
    public init<Object: ManagedObject>(
        groupsOf objectClass: Object.Type, _ condition: (GroupKeys<Object>) throws -> FetchPredicate
    ) rethrows {
        self = try condition(GroupKeys())
    }
}

extension FetchPredicate.Comparator {
    /// The comparator with the same meaning after its operands are exchanged.
    fileprivate var mirrored: Self {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        default: self
        }
    }
}
