/// A property of a managed object for a to-many relationship.
///
///     @ToMany("toDos") var toDos: RelatedObjects<ToDo>
///     home.toDos.insert(item)
@propertyWrapper
public struct ToMany<Element: ManagedObject> {
    @usableFromInline let name: PropertyName

    /// Declares a property for the to-many relationship of this name.
    @inlinable
    public init(_ name: StaticString) {
        self.name = PropertyName(name)
    }

    @available(
        *, unavailable, message: "only a class that inherits from ManagedObject can have relationships"
    )
    public var wrappedValue: RelatedObjects<Element> {
        preconditionFailure("a relationship outside of a managed object")
    }

    /// The key of the relationship for use in a predicate, as in `$0.$toDos.count > 3`.
    public var projectedValue: ToManyKey<Element> {
        ToManyKey(path: FetchPredicate.Path(keys: [name.text]))
    }

    @inlinable
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object,
        wrapped property: KeyPath<Object, RelatedObjects<Element>>,
        storage wrapper: ReferenceWritableKeyPath<Object, Self>
    ) -> RelatedObjects<Element> {
        get { object.relatedObjects(object[keyPath: wrapper].name) }
    }
}

extension ToMany: DeclaredProperty {
    var propertyName: String { name.text }

    func complaint(about entity: Entity, among entities: [Entity]) -> String? {
        guard let end = entity.relationship(named: propertyName), end.description.isToMany else {
            return "the entity has no to-many relationship of this name"
        }
        let destination = entities[end.destinationIndex]
        return destination.description.managedObjectClass is Element.Type
            ? nil : "has the destination \(destination.name), and its class is not \(Element.self)"
    }
}
