/// A property of a managed object for a to-one relationship.
///
///     @ToOne var category: Category?
///     @ToOne(inverse: \Category.toDos, deleteRule: .cascade) var category: Category?
///
/// One side of a relationship names the inverse by a key path, and the other side names none. A relationship that is its
/// own inverse names it by text.
///
/// Setting the property updates the inverse relationship. An object that is deleted or belongs to another context is not
/// set, and the next save throws a ``PropertyError``. The property is `nil` if the row of the related object is no longer
/// in the store.
@propertyWrapper
public struct ToOne<Destination: ManagedObject> {
    @usableFromInline let declaration: DeclarationReference

    /// Declares a to-one relationship. The name is the one of the property, unless another one is given.
    ///
    /// - Parameters:
    ///   - name: The name of the relationship, or `nil` for that of the property.
    ///   - inverse: The name of the inverse relationship, or `nil` if that one names this one.
    ///   - deleteRule: The effect of a deletion on the object at the other end.
    ///   - optional: Whether an object may be saved without a related object.
    ///   - renamedFrom: The name of the relationship in the previous model version, if it was renamed.
    @inlinable
    public init(
        _ name: StaticString? = nil, inverse: StaticString? = nil, deleteRule: DeleteRule = .nullify,
        optional: Bool = true, renamedFrom: StaticString? = nil
    ) {
        declaration =
            areDeclarationsRead
            ? PropertyDeclaration.relationship(
                name, inverse: inverse, deleteRule: deleteRule, isOptional: optional, renamedFrom: renamedFrom
            )
            : .none
    }

    /// Declares a to-one relationship whose inverse is a to-many relationship.
    @inlinable
    public init<Owner: ManagedObject>(
        _ name: StaticString? = nil,
        inverse: @autoclosure () -> KeyPath<Destination, RelatedObjects<Owner>>,
        deleteRule: DeleteRule = .nullify, optional: Bool = true, renamedFrom: StaticString? = nil
    ) {
        declaration =
            areDeclarationsRead
            ? PropertyDeclaration.relationship(
                name, inverse: inverse(), deleteRule: deleteRule, isOptional: optional,
                renamedFrom: renamedFrom)
            : .none
    }

    /// Declares a to-one relationship whose inverse is a to-one relationship.
    @inlinable
    public init<Owner: ManagedObject>(
        _ name: StaticString? = nil, inverse: @autoclosure () -> KeyPath<Destination, Owner?>,
        deleteRule: DeleteRule = .nullify, optional: Bool = true, renamedFrom: StaticString? = nil
    ) {
        declaration =
            areDeclarationsRead
            ? PropertyDeclaration.relationship(
                name, inverse: inverse(), deleteRule: deleteRule, isOptional: optional,
                renamedFrom: renamedFrom)
            : .none
    }

    @available(
        *, unavailable, message: "only a class that inherits from ManagedObject can have relationships"
    )
    public var wrappedValue: Destination? {
        get { fatalError("a relationship outside of a managed object") }
        set { fatalError("a relationship outside of a managed object") }
    }

    @inlinable
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object,
        wrapped property: ReferenceWritableKeyPath<Object, Destination?>,
        storage wrapper: ReferenceWritableKeyPath<Object, Self>
    ) -> Destination? {
        get {
            guard let column = object.knownPosition(of: wrapper) else {
                return firstTarget(of: object, wrapper)
            }
            return object.target(ofColumn: column) as? Destination
        }
        set {
            let column = object.knownPosition(of: wrapper) ?? object.findPosition(of: wrapper)
            object.setTarget(newValue, ofColumn: column)
        }
    }

    /// Returns the target of a relationship whose column is not known yet.
    @usableFromInline
    static func firstTarget<Object: ManagedObject>(
        of object: Object, _ wrapper: ReferenceWritableKeyPath<Object, Self>
    ) -> Destination? {
        if let recorder = object.registry.recorder {
            return recorder.follow(object, ClassDeclaration.of(type(of: object)).declaration(of: wrapper))
        }
        return object.target(ofColumn: object.findPosition(of: wrapper)) as? Destination
    }
}

extension ToOne: DeclaredRelationship {
    var record: PropertyDeclaration? { declaration.declaration }
    var destinationClass: ManagedObject.Type { Destination.self }
    var isToMany: Bool { false }

    func complaint(about entity: Entity, among entities: [String: Entity]) -> String? {
        guard let end = entity.relationship(named: propertyName), !end.description.isToMany else {
            return "the entity has no to-one relationship of this name"
        }
        guard let destination = entities[end.description.destination]?.description else { return nil }
        return destination.managedObjectClass is Destination.Type
            ? nil : "has the destination \(destination.name), and its class is not \(Destination.self)"
    }
}
