@_spi(Reflection) internal import Swift

/// A reader of the stored properties of a composite attribute's type: their names, types and places in memory.
///
/// They come from the metadata that the compiler writes for the type.
struct CompositeReader<Composed: CompositeAttribute> {
    /// The properties, with the positions of their first attributes. There are none if the type has a mistake.
    private(set) var fields: [(first: Int, field: any CompositeField)] = []
    /// A mistake in the type, with the name of the part that it concerns, or `nil` if there is none.
    private(set) var problem: (part: String?, message: String)?
    private var count = 0

    /// Reads the properties.
    ///
    /// - Parameter prototype: a value whose properties have their initial values.
    init(_ prototype: Composed) {
        checkTypes()
        guard problem == nil else { return }
        // Key paths of types that are no attributes, such as weak references, would end the program.
        _ = _forEachFieldWithKeyPath(of: Composed.self) { name, key in
            let name = String(cString: name)
            guard key is any WritableKey else {
                problem = (name, "is a constant; declare it with var")
                return false
            }
            add(name, key, prototype)
            return problem == nil
        }
        if problem != nil { fields = [] }
    }

    private mutating func checkTypes() {
        let isKnown = _forEachField(of: Composed.self) { name, _, type, _ in
            let name = String(cString: name)
            if name.hasPrefix("$__lazy_storage_$_") {
                problem = (
                    String(name.dropFirst("$__lazy_storage_$_".count)), "is lazy; a part is a stored property"
                )
            } else if !(type is any AttributeValueConvertible.Type || type is any CompositeValue.Type) {
                problem = (name, "its type \(type) is neither that of an attribute nor a composite attribute")
            }
            return problem == nil
        }
        if !isKnown, problem == nil {
            problem = (
                nil,
                "its parts cannot be found; it has to be a structure, in a program with reflection metadata"
            )
        }
    }

    private mutating func add(_ name: String, _ key: PartialKeyPath<Composed>, _ prototype: Composed) {
        guard let offset = MemoryLayout<Composed>.offset(of: key) else {
            problem = (name, "its place in memory was not found")
            return
        }
        let value = prototype[keyPath: key]
        let type = Swift.type(of: key).valueType
        if let type = type as? any AttributeValueConvertible.Type {
            add(attribute: type, name, value, at: offset)
        } else if let type = type as? any CompositeValue.Type {
            add(composite: type, name, at: offset)
        }
    }

    private mutating func add<Value: AttributeValueConvertible>(
        attribute type: Value.Type, _ name: String, _ value: Any, at offset: Int
    ) {
        if type.attributeTypes.isEmpty { problem = (name, "its type \(type) has no attribute types") }
        let same = fields.first { $0.field.offset == offset && $0.field is AttributeField<Value> }
        if let other = same?.field.name {
            problem = (
                name,
                "its type has one value only, as that of \(other), so that key paths do not tell them apart; give the "
                    + "type another case"
            )
        }
        append(
            AttributeField<Value>(
                name: name, offset: offset, initial: (value as? Value)?.attributeValue ?? .null))
    }

    private mutating func add<Value: CompositeValue>(
        composite type: Value.Type, _ name: String, at offset: Int
    ) {
        if let mistake = type.mistake { problem = (name, mistake) }
        let layout = CompositeLayout<Value.Composed>.shared
        if let inner = layout.problem {
            problem = (inner.part.map { "\(name).\($0)" } ?? name, inner.message)
        }
        append(NestedField<Value>(name: name, offset: offset, layout))
    }

    private mutating func append(_ field: any CompositeField) {
        fields.append((count, field))
        count += field.leaves.count
    }
}

/// A key path of a variable.
private protocol WritableKey {}

extension WritableKeyPath: WritableKey {}

extension [AttributeDescription] {
    /// Changes the part at the end of a path of names.
    ///
    /// - Returns: Whether there is such a part.
    mutating func change(
        _ names: ArraySlice<Substring>, _ body: (inout AttributeDescription) -> Void
    ) -> Bool {
        guard let name = names.first, let index = firstIndex(where: { $0.name == name }) else { return false }
        if names.count == 1 {
            body(&self[index])
            return true
        }
        return self[index].parts?.change(names.dropFirst(), body) ?? false
    }
}

extension AttributeDescription {
    /// Adds the rules of a part of a composite attribute.
    ///
    /// - Parameter isOfType: Whether the rules are those of the type, for the parts of all of its values.
    mutating func add<Composed>(_ part: CompositePart<Composed>, isOfType: Bool) {
        if part.rules.contains(.required) { (isOptional, defaultValue) = (false, .null) }
        rules += part.rules.filter { $0 != .required }
        type = part.type ?? type
        if isOfType {
            formerPartName = part.renamedFrom ?? formerPartName
        } else {
            renamedFrom = part.renamedFrom ?? renamedFrom
        }
        isPreservedInHistory = isPreservedInHistory || part.isPreservedInHistory
    }
}

extension CompositeLeaf {
    /// Returns one of the values by which the attribute is recognized.
    func placeholder(second: Bool) -> AttributeValue {
        (second ? placeholders.last : placeholders.first) ?? .null
    }

    /// Returns the stored form of a value, or `nil` if the value is not of the attribute's type.
    ///
    /// The value may be optional, although the attribute is not: a key path follows an optional composite.
    func stored(_ value: Any) -> AttributeValue? { type.stored(value) }
}

extension AttributeValueConvertible {
    fileprivate static func stored(_ value: Any) -> AttributeValue? {
        let type = Swift.type(of: value)
        guard type == Self.self || type == Self?.self else { return nil }
        return (value as? Self?)??.attributeValue ?? .null
    }
}
