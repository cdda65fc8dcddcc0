internal import Platform

/// The properties that a class declares, with their names.
///
/// They are read once from a prototype: an object without a context whose property wrappers have their declarations.
/// Reflection gives each declaration the name of its property.
// Unchecked: nothing changes after `init`, and a program never gets the prototype.
final class ClassDeclaration: @unchecked Sendable {
    let objectClass: ManagedObject.Type
    /// The property wrappers, those of a superclass first.
    let properties: [any DeclaredProperty]
    /// The superclasses up to `ManagedObject`, without it, the nearest first.
    let superclasses: [ManagedObject.Type]
    private let prototype: ManagedObject
    private let reader = DeclarationReader()

    private static let known = Locked<[ObjectIdentifier: ClassDeclaration]>([:])

    /// Returns the declaration of a class, which is read at the first call.
    static func of(_ objectClass: ManagedObject.Type) -> ClassDeclaration {
        let identifier = ObjectIdentifier(objectClass)
        if let declaration = known.withLock({ $0[identifier] }) { return declaration }
        // Not under the lock: the initial values of other properties are code of the program.
        let declaration = ClassDeclaration(objectClass)
        return known.withLock { known in
            if let first = known[identifier] { return first }
            known[identifier] = declaration
            return declaration
        }
    }

    private init(_ objectClass: ManagedObject.Type) {
        self.objectClass = objectClass
        prototype = reader.prototype(of: objectClass)
        var properties: [any DeclaredProperty] = []
        var superclasses: [ManagedObject.Type] = []
        var mirror: Mirror? = Mirror(reflecting: prototype)
        while let current = mirror, current.subjectType != ManagedObject.self {
            var own: [any DeclaredProperty] = []
            for (label, value) in current.children {
                guard let property = value as? any DeclaredProperty else { continue }
                property.record?.setName(ofVariable: label)
                own.append(property)
            }
            properties = own + properties
            mirror = current.superclassMirror
            if let superclass = mirror?.subjectType as? ManagedObject.Type, superclass != ManagedObject.self {
                superclasses.append(superclass)
            }
        }
        self.properties = properties
        self.superclasses = superclasses
    }

    /// The name of the entity that is derived from the class.
    var name: String { objectClass.entityName }

    /// Whether reflection found every property. It finds none in a program without reflection metadata.
    var isComplete: Bool { properties.count == reader.declarations.count }

    /// Returns the declaration of a property, by the key path of its wrapper.
    func declaration<Object: ManagedObject>(of wrapper: PartialKeyPath<Object>) -> PropertyDeclaration {
        let property = (prototype as? Object)?[keyPath: wrapper] as? any DeclaredProperty
        guard let declaration = property?.record, !declaration.name.isEmpty else {
            // No test reaches this: it needs a program that was built without reflection metadata.
            fatalError(
                "a property of \(objectClass) has no name, because the program was built without reflection "
                    + "metadata; name it, as in @Attribute(\"title\")")
        }
        return declaration
    }
}

/// A property wrapper of a managed object.
protocol DeclaredProperty {
    /// The declaration, or `nil` if the wrapper does not belong to a prototype.
    var record: PropertyDeclaration? { get }
    /// Returns a description of the mismatch between the property and the entity, or `nil` if they match.
    func complaint(about entity: Entity, among entities: [String: Entity]) -> String?
    /// Whether the property can be read if the object has this value.
    func canHold(_ value: AttributeValue) -> Bool
    /// Whether a part of a composite attribute can be read if the object has this value.
    func canHold(_ value: AttributeValue, inPart part: String) -> Bool
    /// Returns the property of the entity that is derived from the class.
    func description(in entity: ClassDeclaration) throws(ModelError) -> PropertyDescription
}

extension DeclaredProperty {
    var propertyName: String { record?.name ?? "" }

    func canHold(_ value: AttributeValue) -> Bool { true }

    func canHold(_ value: AttributeValue, inPart part: String) -> Bool { true }
}

/// A property of an entity.
enum PropertyDescription {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)
}
