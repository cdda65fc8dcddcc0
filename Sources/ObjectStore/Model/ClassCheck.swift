/// A check that the properties of each managed object class match its entity: their names, types and optionality.
///
/// A mismatch is found when the model is built and not when a property is first used.
enum ClassCheck {
    /// Returns the entity of each class. `ManagedObject` itself has none: several entities may use it.
    static func entitiesByClass(
        of declared: [EntityDescription], _ entities: [String: Entity]
    ) throws(ModelError) -> [ObjectIdentifier: Entity] {
        var byClass: [ObjectIdentifier: Entity] = [:]
        for entity in declared.compactMap({ entities[$0.name] }) where entity.description.hasOwnClass {
            let objectClass = entity.description.managedObjectClass
            if let other = byClass.updateValue(entity, forKey: ObjectIdentifier(objectClass)) {
                throw ModelError(
                    .classMismatch, entity: entity.name, property: nil,
                    message: "its class \(objectClass) is that of \(other.name) already")
            }
        }
        for entity in declared.compactMap({ entities[$0.name] }) {
            try check(entity, among: entities)
        }
        return byClass
    }

    private static func check(_ entity: Entity, among entities: [String: Entity]) throws(ModelError) {
        let objectClass = entity.description.managedObjectClass
        if let parent = entity.description.parent.flatMap({ entities[$0]?.description }), parent.hasOwnClass,
            !objectClass.superclasses.contains(where: { $0 == parent.managedObjectClass })
        {
            throw ModelError(
                .classMismatch, entity: entity.name,
                message: "its class \(objectClass) does not inherit from \(parent.managedObjectClass), "
                    + "the class of its parent \(parent.name)")
        }
        for property in objectClass.declaredProperties {
            if let complaint = property.complaint(about: entity, among: entities) {
                throw ModelError(
                    .classMismatch, entity: entity.name, property: property.propertyName,
                    message: "in the class \(objectClass): \(complaint)")
            }
        }
    }
}
