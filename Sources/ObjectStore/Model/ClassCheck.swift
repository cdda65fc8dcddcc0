/// A check that the properties of each managed object class match its entity: their names, types and optionality.
///
/// A mismatch is found when the model is built and not when a property is first used.
enum ClassCheck {
    /// Returns the position of each class's entity. `ManagedObject` itself has none: several entities may use it.
    static func indexes(of entities: [Entity]) throws(ModelError) -> [ObjectIdentifier: Int] {
        var indexes: [ObjectIdentifier: Int] = [:]
        for entity in entities where entity.description.hasOwnClass {
            let objectClass = entity.description.managedObjectClass
            if let other = indexes.updateValue(entity.index, forKey: ObjectIdentifier(objectClass)) {
                throw ModelError(
                    .classMismatch, entity: entity.name, property: nil,
                    message: "its class \(objectClass) is that of \(entities[other].name) already")
            }
        }
        for entity in entities {
            try check(entity, among: entities)
        }
        return indexes
    }

    private static func check(_ entity: Entity, among entities: [Entity]) throws(ModelError) {
        let objectClass = entity.description.managedObjectClass
        for property in objectClass.declaredProperties {
            if let complaint = property.complaint(about: entity, among: entities) {
                throw ModelError(
                    .classMismatch, entity: entity.name, property: property.propertyName,
                    message: "in the class \(objectClass): \(complaint)")
            }
        }
    }
}
