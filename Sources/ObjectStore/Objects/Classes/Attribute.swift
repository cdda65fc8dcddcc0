/// A property of a managed object that holds an attribute of its entity.
///
///     @Attribute(.required, .length(1...200)) var title: String
///     @Attribute var pages: Int = 7
///     @Attribute var price: Int?
///     @Attribute("toldForDue") var alertedUpTo: Timestamp?
///
/// The attribute has the name of the property, unless another one is given first. `EntityDescription(Book.self)` derives
/// the rest: the type of the attribute is the last one in `attributeTypes` of the property's type, or `type:`. It is
/// optional if the property is and has no rule `required`. The initial value of the property is its default.
///
/// In an entity that is described at length, only the name counts. The type of the property must then be able to hold
/// every value of the attribute. The check happens when the model is built. A type without `nil` is allowed only if the
/// attribute is required or has a default. Reading such a property of a new object before it has a value is a
/// programming error and ends the program.
@propertyWrapper
public struct Attribute<Value: AttributeValueConvertible> {
    @usableFromInline let declaration: DeclarationReference

    /// Declares an attribute with the name of the property.
    ///
    /// The rules are evaluated only when the class is read for a model.
    ///
    /// - Parameters:
    ///   - rule1: The first rule, if there is one.
    ///   - rule2: The second rule, if there is one.
    ///   - rule3: The third rule, if there is one.
    ///   - rule4: The fourth rule, if there is one.
    ///   - rule5: The fifth rule, if there is one.
    ///   - rule6: The sixth rule, if there is one.
    ///   - rules: Further rules, if six are not enough.
    ///   - type: The type of the attribute, if it is not the widest one that the property can hold.
    ///   - renamedFrom: The name of the attribute in the previous model version, if it was renamed.
    ///   - preservedInHistory: Whether the history of a store keeps the last value of a deleted object.
    @inlinable
    public init(
        _ rule1: @autoclosure () -> ValidationRule? = nil,
        _ rule2: @autoclosure () -> ValidationRule? = nil, _ rule3: @autoclosure () -> ValidationRule? = nil,
        _ rule4: @autoclosure () -> ValidationRule? = nil, _ rule5: @autoclosure () -> ValidationRule? = nil,
        _ rule6: @autoclosure () -> ValidationRule? = nil, rules: @autoclosure () -> [ValidationRule] = [],
        type: AttributeType? = nil, renamedFrom: StaticString? = nil, preservedInHistory: Bool = false
    ) {
        declaration =
            areDeclarationsRead
            ? Self.declare(
                nil, rule1, rule2, rule3, rule4, rule5, rule6, rules, type: type,
                default: { nil }, renamedFrom: renamedFrom, isPreserved: preservedInHistory)
            : .none
    }

    /// Declares an attribute with the name of the property and a default.
    @inlinable
    public init(
        wrappedValue: @autoclosure () -> Value, _ rule1: @autoclosure () -> ValidationRule? = nil,
        _ rule2: @autoclosure () -> ValidationRule? = nil, _ rule3: @autoclosure () -> ValidationRule? = nil,
        _ rule4: @autoclosure () -> ValidationRule? = nil, _ rule5: @autoclosure () -> ValidationRule? = nil,
        _ rule6: @autoclosure () -> ValidationRule? = nil, rules: @autoclosure () -> [ValidationRule] = [],
        type: AttributeType? = nil, renamedFrom: StaticString? = nil, preservedInHistory: Bool = false
    ) {
        declaration =
            areDeclarationsRead
            ? Self.declare(
                nil, rule1, rule2, rule3, rule4, rule5, rule6, rules, type: type,
                default: wrappedValue, renamedFrom: renamedFrom, isPreserved: preservedInHistory)
            : .none
    }

    /// Declares an attribute with a name of its own, which may differ from that of the property.
    @inlinable
    public init(
        _ name: StaticString, _ rule1: @autoclosure () -> ValidationRule? = nil,
        _ rule2: @autoclosure () -> ValidationRule? = nil, _ rule3: @autoclosure () -> ValidationRule? = nil,
        _ rule4: @autoclosure () -> ValidationRule? = nil, _ rule5: @autoclosure () -> ValidationRule? = nil,
        _ rule6: @autoclosure () -> ValidationRule? = nil, rules: @autoclosure () -> [ValidationRule] = [],
        type: AttributeType? = nil, renamedFrom: StaticString? = nil, preservedInHistory: Bool = false
    ) {
        declaration =
            areDeclarationsRead
            ? Self.declare(
                name, rule1, rule2, rule3, rule4, rule5, rule6, rules, type: type,
                default: { nil }, renamedFrom: renamedFrom, isPreserved: preservedInHistory)
            : .none
    }

    /// Declares an attribute with a name of its own and a default.
    @inlinable
    public init(
        wrappedValue: @autoclosure () -> Value, _ name: StaticString,
        _ rule1: @autoclosure () -> ValidationRule? = nil,
        _ rule2: @autoclosure () -> ValidationRule? = nil, _ rule3: @autoclosure () -> ValidationRule? = nil,
        _ rule4: @autoclosure () -> ValidationRule? = nil, _ rule5: @autoclosure () -> ValidationRule? = nil,
        _ rule6: @autoclosure () -> ValidationRule? = nil, rules: @autoclosure () -> [ValidationRule] = [],
        type: AttributeType? = nil, renamedFrom: StaticString? = nil, preservedInHistory: Bool = false
    ) {
        declaration =
            areDeclarationsRead
            ? Self.declare(
                name, rule1, rule2, rule3, rule4, rule5, rule6, rules, type: type,
                default: wrappedValue, renamedFrom: renamedFrom, isPreserved: preservedInHistory)
            : .none
    }

    /// Declares an attribute whose value each save computes from other attributes or related objects and stores.
    ///
    ///     @Attribute(derivedFrom: "lowercase(title)") var sortTitle: String?
    ///     @Attribute(derivedFrom: "author.name") var authorName: String?
    ///
    /// Setting the property ends the program. See ``AttributeDescription/derived(from:)``.
    ///
    /// - Parameters:
    ///   - name: The name of the attribute, if it differs from that of the property.
    ///   - derivedFrom: The expression.
    ///   - type: The type of the attribute, if it is not the widest one that the property can hold.
    ///   - renamedFrom: The name of the attribute in the previous model version, if it was renamed.
    ///   - preservedInHistory: Whether the history of a store keeps the last value of a deleted object.
    @inlinable
    public init(
        _ name: StaticString? = nil, derivedFrom: StaticString, type: AttributeType? = nil,
        renamedFrom: StaticString? = nil, preservedInHistory: Bool = false
    ) {
        declaration =
            areDeclarationsRead
            ? Self.declare(
                name, { nil }, { nil }, { nil }, { nil }, { nil }, { nil }, { [] }, type: type,
                default: { nil }, renamedFrom: renamedFrom, isPreserved: preservedInHistory,
                derivedFrom: derivedFrom)
            : .none
    }

    /// Declares a derived attribute with a default: the value of a new object before it is saved, and of an expression
    /// that is nil if the property is not optional.
    ///
    ///     @Attribute(derivedFrom: "tags.@count") var tagCount: Int = 0
    @inlinable
    public init(
        wrappedValue: @autoclosure () -> Value, _ name: StaticString? = nil, derivedFrom: StaticString,
        type: AttributeType? = nil, renamedFrom: StaticString? = nil, preservedInHistory: Bool = false
    ) {
        declaration =
            areDeclarationsRead
            ? Self.declare(
                name, { nil }, { nil }, { nil }, { nil }, { nil }, { nil }, { [] }, type: type,
                default: wrappedValue, renamedFrom: renamedFrom, isPreserved: preservedInHistory,
                derivedFrom: derivedFrom)
            : .none
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
            guard let stored = object.knownValue(of: wrapper), let value = Value(attributeValue: stored)
            else { return otherValue(of: object, wrapper) }
            return value
        }
        set {
            let column = object.knownPosition(of: wrapper) ?? object.findPosition(of: wrapper)
            object.setValue(newValue.attributeValue, inColumn: column)
        }
    }

    // The rules are evaluated here and not in the initializers, which every new object runs and which therefore must be
    // short.
    @usableFromInline
    static func declare(
        _ name: StaticString?, _ rule1: () -> ValidationRule?, _ rule2: () -> ValidationRule?,
        _ rule3: () -> ValidationRule?, _ rule4: () -> ValidationRule?, _ rule5: () -> ValidationRule?,
        _ rule6: () -> ValidationRule?, _ rules: () -> [ValidationRule], type: AttributeType?,
        default value: () -> Value?, renamedFrom: StaticString?, isPreserved: Bool,
        derivedFrom: StaticString? = nil
    ) -> DeclarationReference {
        let rules = [rule1(), rule2(), rule3(), rule4(), rule5(), rule6()].compactMap(\.self) + rules()
        var attribute = AttributeDescription(
            "", type ?? Value.attributeTypes.last ?? .string,
            optional: Value.admitsNull && !rules.contains(.required),
            default: value()?.attributeValue ?? .null, rules: rules, renamedFrom: renamedFrom?.description)
        attribute.isPreservedInHistory = isPreserved
        attribute.derivedFrom = derivedFrom?.description
        attribute.elementType = Value.elementType
        return DeclarationReader.add(PropertyDeclaration(name, .attribute(attribute)))
    }

    /// Returns the value of a property whose column is not known yet, or whose value in the store the type cannot hold.
    @usableFromInline
    static func otherValue<Object: ManagedObject>(
        of object: Object, _ wrapper: ReferenceWritableKeyPath<Object, Self>
    ) -> Value {
        if let recorder = object.registry.recorder {
            return recorder.read(object, ClassDeclaration.of(type(of: object)).declaration(of: wrapper))
        }
        let column = object.knownPosition(of: wrapper) ?? object.findPosition(of: wrapper)
        guard let value = Value(attributeValue: object.value(inColumn: column)) else {
            return object.readable(Value.self, inColumn: column)
        }
        return value
    }
}

extension Attribute: DeclaredProperty {
    var record: PropertyDeclaration? { declaration.declaration }

    func canHold(_ value: AttributeValue) -> Bool { Value(attributeValue: value) != nil }

    func complaint(about entity: Entity, among entities: [String: Entity]) -> String? {
        guard case .attribute(let position)? = entity.property(named: propertyName) else {
            return "the entity has no attribute of this name"
        }
        let column = entity.columns[position]
        if !Value.attributeTypes.contains(column.type) {
            return "its type \(Value.self) cannot hold every value of the type \(column.type.rawValue)"
        }
        if Value.elementType != column.elementType, Value.elementType != nil {
            return "its type \(Value.self) is not that of the attribute's list"
        }
        if column.isOptional && !Value.admitsNull {
            return
                "its type \(Value.self) has no place for nil, but the attribute is optional; write \(Value.self)?"
        }
        return nil
    }

    func description(in entity: ClassDeclaration) throws(ModelError) -> PropertyDescription {
        guard case .attribute(var attribute)? = record?.content, !Value.attributeTypes.isEmpty else {
            throw ModelError(
                .classMismatch, entity: entity.name, property: propertyName,
                message: "its type \(Value.self) has no attribute types")
        }
        attribute.name = propertyName
        return .attribute(attribute)
    }
}
