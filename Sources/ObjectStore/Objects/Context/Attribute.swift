/// A property of a managed object that holds an attribute of its entity.
///
///     @Attribute("dueDate") var dueDate: Timestamp?
///
/// The type of the property must be able to hold every value of the attribute. The check happens when the model is
/// built. A type without `nil` is allowed only if the attribute is required or has a default. Reading such a property
/// of a new object before it has a value is a programming error and traps.
@propertyWrapper
public struct Attribute<Value: AttributeValueConvertible> {
    @usableFromInline let name: PropertyName

    /// Declares a property for the attribute of this name.
    @inlinable
    public init(_ name: StaticString) {
        self.name = PropertyName(name)
    }

    @available(*, unavailable, message: "only a class that inherits from ManagedObject can have attributes")
    public var wrappedValue: Value {
        get { preconditionFailure("an attribute outside of a managed object") }
        set { preconditionFailure("an attribute outside of a managed object") }
    }

    /// The key of the attribute for use in a predicate, as in `$0.$title == "Emma"`.
    public var projectedValue: PropertyKey<Value> { PropertyKey(.key(name.text)) }

    @inlinable
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object,
        wrapped property: ReferenceWritableKeyPath<Object, Value>,
        storage wrapper: ReferenceWritableKeyPath<Object, Self>
    ) -> Value {
        get {
            let column =
                object.knownColumn(of: wrapper)
                ?? object.findColumn(of: wrapper, object[keyPath: wrapper].name)
            guard let value = Value(attributeValue: object.value(inColumn: column)) else {
                object.failReading(column)
            }
            return value
        }
        set {
            let column =
                object.knownColumn(of: wrapper)
                ?? object.findColumn(of: wrapper, object[keyPath: wrapper].name)
            object.setValue(newValue.attributeValue, inColumn: column)
        }
    }
}

extension Attribute: DeclaredProperty {
    var propertyName: String { name.text }

    func complaint(about entity: Entity, among entities: [Entity]) -> String? {
        guard case .attribute(let position)? = entity.property(named: propertyName) else {
            return "the entity has no attribute of this name"
        }
        let column = entity.columns[position]
        if !Value.attributeTypes.contains(column.type) {
            return "its type \(Value.self) cannot hold every value of the type \(column.type.rawValue)"
        }
        if column.isOptional && !Value.admitsNull {
            return
                "its type \(Value.self) has no place for nil, but the attribute is optional; write \(Value.self)?"
        }
        return nil
    }
}
