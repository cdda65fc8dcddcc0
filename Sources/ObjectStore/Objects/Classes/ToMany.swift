/// A property of a managed object for a to-many relationship.
///
///     @ToMany(inverse: \ToDo.category) var toDos: RelatedObjects<ToDo>
///     home.toDos.insert(item)
///
///     @ToMany(inverse: \Song.album, orderedBy: \.place) var songs: RelatedObjects<Song>
///     album.songs.insert(song, at: 0)
///
/// An ordered relationship keeps its order in an attribute of the other class: `@Attribute var place: Int?`. It sets the
/// attribute, and a program can read it.
///
/// One side of a relationship names the inverse by a key path, and the other side names none.
@propertyWrapper
public struct ToMany<Element: ManagedObject> {
    @usableFromInline let declaration: DeclarationReference

    /// Declares a to-many relationship. The name is the one of the property, unless another one is given.
    ///
    /// - Parameters:
    ///   - name: The name of the relationship, or `nil` for that of the property.
    ///   - inverse: The name of the inverse relationship, or `nil` if that one names this one.
    ///   - deleteRule: The effect of a deletion on the objects at the other end.
    ///   - renamedFrom: The name of the relationship in the previous model version, if it was renamed.
    @inlinable
    public init(
        _ name: StaticString? = nil, inverse: StaticString? = nil, deleteRule: DeleteRule = .nullify,
        renamedFrom: StaticString? = nil
    ) {
        declaration =
            areDeclarationsRead
            ? PropertyDeclaration.relationship(
                name, inverse: inverse, deleteRule: deleteRule, isOptional: true, renamedFrom: renamedFrom)
            : .none
    }

    /// Declares a to-many relationship whose inverse is a to-many relationship.
    @inlinable
    public init<Owner: ManagedObject>(
        _ name: StaticString? = nil, inverse: @autoclosure () -> KeyPath<Element, RelatedObjects<Owner>>,
        deleteRule: DeleteRule = .nullify, renamedFrom: StaticString? = nil
    ) {
        declaration =
            areDeclarationsRead
            ? PropertyDeclaration.relationship(
                name, inverse: inverse(), deleteRule: deleteRule, isOptional: true, renamedFrom: renamedFrom)
            : .none
    }

    /// Declares a to-many relationship whose inverse is a to-one relationship.
    @inlinable
    public init<Owner: ManagedObject>(
        _ name: StaticString? = nil, inverse: @autoclosure () -> KeyPath<Element, Owner?>,
        orderedBy: @autoclosure () -> KeyPath<Element, Int?>? = nil, deleteRule: DeleteRule = .nullify,
        renamedFrom: StaticString? = nil
    ) {
        declaration =
            areDeclarationsRead
            ? PropertyDeclaration.relationship(
                name, inverse: inverse(), deleteRule: deleteRule, isOptional: true, renamedFrom: renamedFrom,
                orderedBy: orderedBy())
            : .none
    }

    /// Declares an ordered to-many relationship that its inverse names.
    @inlinable
    public init(
        _ name: StaticString? = nil, orderedBy: @autoclosure () -> KeyPath<Element, Int?>,
        deleteRule: DeleteRule = .nullify, renamedFrom: StaticString? = nil
    ) {
        declaration =
            areDeclarationsRead
            ? PropertyDeclaration.relationship(
                name, inverse: nil as AnyKeyPath?, deleteRule: deleteRule, isOptional: true,
                renamedFrom: renamedFrom, orderedBy: orderedBy())
            : .none
    }

    @available(
        *, unavailable, message: "only a class that inherits from ManagedObject can have relationships"
    )
    public var wrappedValue: RelatedObjects<Element> {
        fatalError("a relationship outside of a managed object")
    }

    @inlinable
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object,
        wrapped property: KeyPath<Object, RelatedObjects<Element>>,
        storage wrapper: ReferenceWritableKeyPath<Object, Self>
    ) -> RelatedObjects<Element> {
        get {
            guard let position = object.knownPosition(of: wrapper) else {
                return firstObjects(of: object, wrapper)
            }
            return object.relatedObjects(at: position)
        }
    }

    /// Returns the objects of a relationship whose position is not known yet.
    @usableFromInline
    static func firstObjects<Object: ManagedObject>(
        of object: Object, _ wrapper: ReferenceWritableKeyPath<Object, Self>
    ) -> RelatedObjects<Element> {
        if let recorder = object.registry.recorder {
            return recorder.collect(object, ClassDeclaration.of(type(of: object)).declaration(of: wrapper))
        }
        return object.relatedObjects(at: object.findPosition(of: wrapper))
    }
}

extension ToMany: DeclaredRelationship {
    var record: PropertyDeclaration? { declaration.declaration }
    var destinationClass: ManagedObject.Type { Element.self }
    var isToMany: Bool { true }

    func complaint(about entity: Entity, among entities: [String: Entity]) -> String? {
        guard let end = entity.relationship(named: propertyName), end.description.isToMany else {
            return "the entity has no to-many relationship of this name"
        }
        guard let destination = entities[end.description.destination]?.description else { return nil }
        return destination.managedObjectClass is Element.Type
            ? nil : "has the destination \(destination.name), and its class is not \(Element.self)"
    }
}
