extension ManagedObjectModel {
    /// Returns the entity with exactly this class, or `nil` if there is none.
    ///
    /// The result for `ManagedObject` itself is `nil`, because several entities can have this class.
    public func entity(of objectClass: ManagedObject.Type) -> Entity? {
        indexesOfClasses[ObjectIdentifier(objectClass)].map { entities[$0] }
    }
}

extension ManagedObject {
    /// The property wrappers of the class and its superclasses, read from an object without a context.
    static func declaredProperties(of entity: Entity) -> [any DeclaredProperty] {
        var mirror: Mirror? = Mirror(reflecting: Self(ObjectPlacement(prototypeOf: entity)))
        var properties: [any DeclaredProperty] = []
        while let current = mirror, current.subjectType != ManagedObject.self {
            properties += current.children.compactMap { $0.value as? any DeclaredProperty }
            mirror = current.superclassMirror
        }
        return properties
    }
}
