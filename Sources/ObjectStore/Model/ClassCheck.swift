/// Whether the properties of the classes agree with the entities: their names, their types, nil.
///
/// It makes one object of each class, without a context, and looks at its property wrappers; nothing is
/// left to be found out when a property is used for the first time.
enum ClassCheck {
    /// The position of the entity of each class that stands for exactly one.
    static func indexes(of entities: [Entity]) throws(ModelError) -> [ObjectIdentifier: Int] {
        var indexes: [ObjectIdentifier: Int] = [:]
        for entity in entities where entity.description.managedObjectClass != ManagedObject.self {
            let objectClass = entity.description.managedObjectClass
            if let other = indexes.updateValue(entity.index, forKey: ObjectIdentifier(objectClass)) {
                throw ModelError(
                    .classMismatch, entity.name, nil,
                    "its class \(objectClass) is that of \(entities[other].name) already")
            }
        }
        for entity in entities {
            try check(entity, among: entities)
        }
        return indexes
    }

    private static func check(_ entity: Entity, among entities: [Entity]) throws(ModelError) {
        let objectClass = entity.description.managedObjectClass
        let prototype = objectClass.init(ObjectPlacement(prototypeOf: entity))
        var mirror: Mirror? = Mirror(reflecting: prototype)
        while let current = mirror, current.subjectType != ManagedObject.self {
            for child in current.children {
                guard let property = child.value as? any DeclaredProperty else { continue }
                if let complaint = property.complaint(about: entity, among: entities) {
                    throw ModelError(
                        .classMismatch, entity.name, property.propertyName,
                        "in the class \(objectClass): \(complaint)")
                }
            }
            mirror = current.superclassMirror
        }
    }
}

/// A property wrapper of a managed object: what the check of a model looks for.
protocol DeclaredProperty {
    var propertyName: String { get }
    /// What does not fit between the property and the entity; nil when all does.
    func complaint(about entity: Entity, among entities: [Entity]) -> String?
}
