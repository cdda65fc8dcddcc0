/// A property of a managed object that holds a large text or large data, which is stored in a table of its own.
///
///     @External(.length(0...10_000_000)) var scan: [UInt8]?
///
/// Fetching an object does not read the value. The first access to the property reads it, so a list of thousands of objects
/// costs as much as without it. Each value is an object of an entity that the model adds, `Book_scan`, with the attribute
/// `value`. It is deleted together with its owner, and setting the property replaces it. In predicates and rows, the value is
/// `scan.value`, and a request can prefetch `scan`.
///
/// If the value cannot be read, the property is `nil`, and the next save throws the error.
@propertyWrapper
public struct External<Value: AttributeValueConvertible> {
    @usableFromInline let declaration: DeclarationReference

    /// Declares an attribute whose values are stored in a table of their own.
    ///
    /// - Parameters:
    ///   - rule1: The first rule, if there is one.
    ///   - rule2: The second rule, if there is one.
    ///   - rule3: The third rule, if there is one.
    ///   - type: The type of the attribute: `string` or `binary`.
    ///   - renamedFrom: The name of the attribute in the previous model version, if it was renamed.
    @inlinable
    public init(
        _ rule1: @autoclosure () -> ValidationRule? = nil, _ rule2: @autoclosure () -> ValidationRule? = nil,
        _ rule3: @autoclosure () -> ValidationRule? = nil, type: AttributeType? = nil,
        renamedFrom: StaticString? = nil
    ) {
        declaration =
            areDeclarationsRead
            ? Self.declare(rule1, rule2, rule3, type: type, renamedFrom: renamedFrom) : .none
    }

    @available(*, unavailable, message: "only a class that inherits from ManagedObject can have attributes")
    public var wrappedValue: Value {
        get { fatalError("an attribute outside of a managed object") }
        set { fatalError("an attribute outside of a managed object") }
    }

    @inlinable
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object,
        wrapped property: ReferenceWritableKeyPath<Object, Value>,
        storage wrapper: ReferenceWritableKeyPath<Object, Self>
    ) -> Value {
        get {
            guard let column = object.knownPosition(of: wrapper) else {
                return firstValue(of: object, wrapper)
            }
            return value(of: object, column)
        }
        set {
            let column = object.knownPosition(of: wrapper) ?? object.findPosition(of: wrapper)
            object.setExternalValue(newValue.attributeValue, inColumn: column)
        }
    }

    @usableFromInline
    static func declare(
        _ rule1: () -> ValidationRule?, _ rule2: () -> ValidationRule?, _ rule3: () -> ValidationRule?,
        type: AttributeType?, renamedFrom: StaticString?
    ) -> DeclarationReference {
        let rules = [rule1(), rule2(), rule3()].compactMap(\.self)
        let attribute = AttributeDescription(
            "", type ?? Value.attributeTypes.last ?? .binary, rules: rules,
            renamedFrom: renamedFrom?.description
        ).external()
        return DeclarationReader.add(PropertyDeclaration(nil, .attribute(attribute)))
    }

    @usableFromInline
    static func value(of object: ManagedObject, _ column: Int) -> Value {
        let stored = object.externalValue(inColumn: column)
        return Value(attributeValue: stored) ?? object.readable(Value.self, inColumn: column)
    }

    /// Returns the value of a property whose column is not known yet.
    @usableFromInline
    static func firstValue<Object: ManagedObject>(
        of object: Object, _ wrapper: ReferenceWritableKeyPath<Object, Self>
    ) -> Value {
        if let recorder = object.registry.recorder {
            return recorder.readExternal(
                object, ClassDeclaration.of(type(of: object)).declaration(of: wrapper))
        }
        return value(of: object, object.findPosition(of: wrapper))
    }
}

extension External: DeclaredProperty {
    var record: PropertyDeclaration? { declaration.declaration }

    func canHold(_ value: AttributeValue) -> Bool { Value(attributeValue: value) != nil }

    func complaint(about entity: Entity, among entities: [String: Entity]) -> String? {
        guard let end = entity.relationship(named: propertyName), end.description.holdsValue,
            let table = entities[end.description.destination],
            let column = table.column(named: ExternalValue.attribute)
        else { return "the entity has no external attribute of this name" }
        let type = table.columns[column].type
        return Value.attributeTypes.contains(type)
            ? nil : "its type \(Value.self) cannot hold every value of the type \(type.rawValue)"
    }

    func description(in entity: ClassDeclaration) throws(ModelError) -> PropertyDescription {
        guard case .attribute(var attribute)? = record?.content, !Value.attributeTypes.isEmpty else {
            throw ModelError(
                .classMismatch, entity: entity.name, property: propertyName,
                message: "its type \(Value.self) has no attribute types")
        }
        guard Value.admitsNull else {
            throw ModelError(
                .classMismatch, entity: entity.name, property: propertyName,
                message: "is external, so its type \(Value.self) needs a place for nil; write \(Value.self)?")
        }
        attribute.name = propertyName
        return .attribute(attribute)
    }
}
