/// A property of a managed object that leads to at most one other object.
///
///     @ToOne("category") var category: Category?
///
/// Setting it keeps the inverse right. An object whose row is gone from the store is nil.
@propertyWrapper
public struct ToOne<Destination: ManagedObject> {
    @usableFromInline let name: PropertyName

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

    /// The relationship as a predicate names it: `$0.$category.$name == "Home"`.
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
            ? nil : "leads to \(destination.name), whose class is not \(Destination.self)"
    }
}
