extension ManagedObjectModel {
    /// Returns the entity with exactly this class, or `nil` if there is none.
    ///
    /// The result for `ManagedObject` itself is `nil`, because several entities can have this class.
    public func entity(of objectClass: ManagedObject.Type) -> Entity? {
        entitiesByClass[ObjectIdentifier(objectClass)]
    }
}

extension ManagedObject {
    /// The property wrappers of the class, those of a superclass first.
    static var declaredProperties: [any DeclaredProperty] { ClassDeclaration.of(self).properties }

    /// Whether the property for an attribute can be read if the object has this value.
    static func canHold(_ value: AttributeValue, in name: String) -> Bool {
        let keys = name.split(separator: ".", maxSplits: 1)
        guard let property = declaredProperties.first(where: { $0.propertyName == keys[0] }) else {
            return true
        }
        return keys.count == 1 ? property.canHold(value) : property.canHold(value, inPart: String(keys[1]))
    }

    /// The superclasses up to `ManagedObject`, without it, the nearest first.
    static var superclasses: [ManagedObject.Type] { ClassDeclaration.of(self).superclasses }
}

extension ObjectPlacement {
    /// Creates an object that belongs to no context and has no values: a prototype, or an object that records the
    /// properties of a key path.
    init(withoutValues objectClass: ManagedObject.Type, id: Int64, recorder: KeyRecorder) {
        let entity = Entity(
            description: EntityDescription(objectClass.entityName, class: objectClass), index: 0, columns: [],
            toMany: [], properties: [:])
        self.init(
            registry: ObjectRegistry(entity: entity, context: nil, recorder: recorder), id: id,
            values: .make([]), state: .detached)
    }
}
