/// A reader of the stored properties that reflection finds in a composite attribute's type.
struct CompositeReader {
    /// The properties, with the positions of their first attributes.
    private(set) var fields: [(first: Int, field: CompositeField)] = []
    /// The size in bytes of the properties so far.
    private(set) var size = 0
    var problem: (part: String?, message: String)?
    private var count = 0

    mutating func add(_ name: String, _ value: Any) {
        let type = Swift.type(of: value)
        if let type = type as? any AttributeValueConvertible.Type {
            add(attribute: type, name, value)
        } else if let type = type as? any CompositeValue.Type {
            add(composite: type, name)
        } else if problem == nil {
            problem = (name, "its type \(type) is neither that of an attribute nor a composite attribute")
        }
    }

    private mutating func add<Value: AttributeValueConvertible>(
        attribute type: Value.Type, _ name: String, _ value: Any
    ) {
        if type.attributeTypes.isEmpty, problem == nil {
            problem = (name, "its type \(type) has no attribute types")
        }
        append(
            AttributeField<Value>(
                name: name, offset: offset(of: type), initial: (value as? Value)?.attributeValue ?? .null),
            type)
    }

    private mutating func add<Value: CompositeValue>(composite type: Value.Type, _ name: String) {
        let layout = CompositeLayout<Value.Composed>.shared
        if let inner = layout.problem, problem == nil {
            problem = (inner.part.map { "\(name).\($0)" } ?? name, inner.message)
        }
        append(NestedField<Value>(name: name, offset: offset(of: type), layout), type)
    }

    private func offset<Value>(of type: Value.Type) -> Int {
        let alignment = MemoryLayout<Value>.alignment
        return (size + alignment - 1) / alignment * alignment
    }

    private mutating func append<Value>(_ field: CompositeField, _ type: Value.Type) {
        size = field.offset + MemoryLayout<Value>.size
        fields.append((count, field))
        count += field.leaves.count
    }
}

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
    mutating func add<Composed>(_ part: CompositePart<Composed>) {
        if part.rules.contains(.required) { (isOptional, defaultValue) = (false, .null) }
        rules += part.rules.filter { $0 != .required }
        type = part.type ?? type
        renamedFrom = part.renamedFrom ?? renamedFrom
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
