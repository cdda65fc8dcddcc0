/// A property of a managed object that holds a composite attribute: a value with parts that are attributes of the entity.
///
///     @Composite var home: Address
///     @Composite var work: Address?
///     @Composite(partRules: [.part(\.city, .required)]) var birthplace: Address
///
/// Each part is an attribute with a dot in its name, `home.city`, and a column of its own. Predicates, orders, columns and
/// indexes name it: `Person.where { $0.home.city == "Paris" }`, `\Person.home.city`. Setting the property, or a part of
/// it, changes only the parts that differ.
///
/// An optional property is nil if all parts are nil. A value whose parts are all nil is read as nil, so the type needs a part
/// that is not optional if that differs.
@propertyWrapper
public struct Composite<Value: CompositeValue> {
    @usableFromInline let declaration: DeclarationReference

    /// Declares a composite attribute with the name of the property.
    ///
    /// - Parameters:
    ///   - partRules: Rules of parts for this property, in addition to those of the type. They are evaluated only when the
    ///     class is read for a model.
    ///   - renamedFrom: The name of the composite attribute in the previous model version, if it was renamed.
    @inlinable
    public init(
        partRules: @autoclosure () -> [CompositePart<Value.Composed>] = [], renamedFrom: StaticString? = nil
    ) {
        declaration =
            areDeclarationsRead ? Self.declare(partRules, initial: nil, renamedFrom: renamedFrom) : .none
    }

    /// Declares a composite attribute with initial values that differ from those of the type.
    @inlinable
    public init(
        wrappedValue: @autoclosure () -> Value,
        partRules: @autoclosure () -> [CompositePart<Value.Composed>] = [], renamedFrom: StaticString? = nil
    ) {
        declaration =
            areDeclarationsRead
            ? Self.declare(partRules, initial: wrappedValue(), renamedFrom: renamedFrom) : .none
    }

    @available(*, unavailable, message: "only a class that inherits from ManagedObject can have attributes")
    public var wrappedValue: Value {
        get { preconditionFailure("an attribute outside of a managed object") }
        set { preconditionFailure("an attribute outside of a managed object") }
    }

    @inlinable
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object,
        wrapped property: ReferenceWritableKeyPath<Object, Value>,
        storage wrapper: ReferenceWritableKeyPath<Object, Self>
    ) -> Value {
        get {
            guard let position = object.knownPosition(of: wrapper) else {
                return firstValue(of: object, wrapper)
            }
            return object.compositeValue(at: position)
        }
        set {
            let position = object.knownPosition(of: wrapper) ?? findPosition(of: object, wrapper)
            object.setCompositeValue(newValue, at: position)
        }
    }

    @usableFromInline
    static func declare(
        _ partRules: () -> [CompositePart<Value.Composed>], initial: Value?, renamedFrom: StaticString?
    ) -> DeclarationReference {
        let layout = CompositeLayout<Value.Composed>.shared
        if let problem = layout.problem {
            let attribute = AttributeDescription.composite("", [], optional: Value.admitsNil)
            return DeclarationReader.add(
                PropertyDeclaration(nil, .composite(attribute, problem: problem.message, part: problem.part)))
        }
        var descriptions = layout.descriptions(defaults: layout.values(of: Value.Composed()))
        let rules = partRules()
        let areKnown = rules.map { layout.apply($0, to: &descriptions) }
        var problem = Value.mistake
        if areKnown.contains(false)
            || Value.Composed.partRules.contains(where: { layout.name(of: $0.key) == nil })
        {
            problem =
                "has rules for a key path that is not one of its parts; rules for a part of an optional part "
                + "belong to its type, and a part with rules cannot have observers"
        }
        if Value.admitsNil, initial?.composed != nil {
            problem = problem ?? "is optional and cannot have an initial value; set it in awakeFromInsert"
        } else if let initial {
            descriptions.setDefaults(layout.values(of: initial))
        }
        let attribute = AttributeDescription.composite(
            "", descriptions, optional: Value.admitsNil, renamedFrom: renamedFrom?.description)
        return DeclarationReader.add(
            PropertyDeclaration(nil, .composite(attribute, problem: problem, part: nil)))
    }

    /// Returns the value of a property whose position is not known yet.
    @usableFromInline
    static func firstValue<Object: ManagedObject>(
        of object: Object, _ wrapper: ReferenceWritableKeyPath<Object, Self>
    ) -> Value {
        if let recorder = object.registry.recorder {
            return recorder.readComposite(
                object, ClassDeclaration.of(type(of: object)).declaration(of: wrapper))
        }
        return object.compositeValue(at: findPosition(of: object, wrapper))
    }

    @usableFromInline
    static func findPosition<Object: ManagedObject>(
        of object: Object, _ wrapper: ReferenceWritableKeyPath<Object, Self>
    ) -> Int {
        object.registry.findComposite(of: wrapper) { entity, name in
            CompositeColumns(CompositeLayout<Value.Composed>.shared, of: name, in: entity)
        }
    }
}

extension Composite: DeclaredProperty {
    var record: PropertyDeclaration? { declaration.declaration }

    func canHold(_ value: AttributeValue, inPart part: String) -> Bool {
        let leaf = CompositeLayout<Value.Composed>.shared.leaves.first { $0.name == part }
        return leaf.map { value.isNull || $0.type.canHold(value) } ?? true
    }

    func complaint(about entity: Entity, among entities: [String: Entity]) -> String? {
        let leaves = CompositeLayout<Value.Composed>.shared.leaves
        for leaf in leaves {
            let name = "\(propertyName).\(leaf.name)"
            guard case .attribute(let position)? = entity.property(named: name) else {
                return "the entity has no attribute \(name)"
            }
            let column = entity.columns[position]
            if !leaf.type.attributeTypes.contains(column.type) {
                return
                    "the type \(leaf.type) of \(leaf.name) cannot hold every value of the type \(column.type.rawValue)"
            }
            if leaf.type.elementType != nil, leaf.type.elementType != column.elementType {
                return "the type \(leaf.type) of \(leaf.name) is not that of the attribute's list"
            }
            if column.isOptional, !leaf.type.admitsNull, !Value.admitsNil, !leaf.isInOptional {
                return
                    "the type \(leaf.type) of \(leaf.name) has no place for nil, but the attribute is optional"
            }
        }
        let known = Set(leaves.map { "\(propertyName).\($0.name)" })
        return entity.parts(of: propertyName).first { !known.contains($0) }
            .map { "the entity has the part \($0), but \(Value.Composed.self) has no such property" }
    }

    func description(in entity: ClassDeclaration) throws(ModelError) -> PropertyDescription {
        guard case .composite(var attribute, let problem, let part)? = record?.content else {
            preconditionFailure("\(propertyName) of \(entity.objectClass) has no declaration")
        }
        if let problem {
            throw ModelError(
                .invalidComposite, entity: entity.name,
                property: propertyName + (part.map { ".\($0)" } ?? ""), message: problem)
        }
        attribute.name = propertyName
        return .attribute(attribute)
    }
}

extension AttributeValueConvertible {
    fileprivate static func canHold(_ value: AttributeValue) -> Bool { Self(attributeValue: value) != nil }
}
