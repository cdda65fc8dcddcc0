/// A property of a managed object for a to-one relationship.
///
///     @ToOne("category") var category: Category?
///
/// Setting it updates the inverse relationship. It is `nil` if the row of the related object is no longer in the
/// store.
@propertyWrapper
public struct ToOne<Destination: ManagedObject> {
    @usableFromInline let name: PropertyName

    /// Declares a property for the to-one relationship of this name.
    @inlinable
    public init(_ name: StaticString) {
        self.name = PropertyName(name)
    }

    @available(
        *, unavailable, message: "only a class that inherits from ManagedObject can have relationships"
    )
    public var wrappedValue: Destination? {
        get { preconditionFailure("a relationship outside of a managed object") }
        set { preconditionFailure("a relationship outside of a managed object") }
    }

    /// The key of the relationship for use in a predicate, as in `$0.$category.$name == "Home"`.
    public var projectedValue: ToOneKey<Destination> {
        ToOneKey(path: FetchPredicate.Path(keys: [name.text]))
    }

    @inlinable
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object,
        wrapped property: ReferenceWritableKeyPath<Object, Destination?>,
        storage wrapper: ReferenceWritableKeyPath<Object, Self>
    ) -> Destination? {
        get {
            let column =
                object.knownColumn(of: wrapper)
                ?? object.findColumn(of: wrapper, object[keyPath: wrapper].name)
            return object.target(ofColumn: column) as? Destination
        }
        set {
            let column =
                object.knownColumn(of: wrapper)
                ?? object.findColumn(of: wrapper, object[keyPath: wrapper].name)
            object.setTarget(newValue, ofColumn: column)
        }
    }
}

extension ToOne: DeclaredProperty {
    var propertyName: String { name.text }

    func complaint(about entity: Entity, among entities: [Entity]) -> String? {
        guard let end = entity.relationship(named: propertyName), !end.description.isToMany else {
            return "the entity has no to-one relationship of this name"
        }
        let destination = entities[end.destinationIndex]
        return destination.description.managedObjectClass is Destination.Type
            ? nil : "has the destination \(destination.name), and its class is not \(Destination.self)"
    }
}
