/// A stored property of a composite attribute's type, at its place in memory.
class CompositeField {
    /// The name of the stored property.
    let name: String
    /// The distance from the beginning of the composite in bytes.
    let offset: Int
    /// The attributes of the field, with their names in the composite.
    let leaves: [CompositeLeaf]

    init(name: String, offset: Int, leaves: [CompositeLeaf]) {
        self.name = name
        self.offset = offset
        self.leaves = leaves
    }

    /// Sets the property. A nil that the property cannot hold leaves its initial value.
    ///
    /// - Parameters:
    ///   - memory: The composite.
    ///   - first: The position of the first attribute of the field among those of the outermost composite.
    ///   - value: Returns the stored value of an attribute, by its position.
    func set(
        in memory: UnsafeMutableRawPointer, at first: Int, to value: (Int) -> AttributeValue
    ) throws(UnreadablePart) {
        preconditionFailure("a field has a type")
    }

    /// Reports the stored value of each attribute of the field, by its position.
    func forEach(in memory: UnsafeRawPointer, at first: Int, _ body: (Int, AttributeValue) -> Void) {
        preconditionFailure("a field has a type")
    }

    /// The composite attributes in the field: the field itself, and those that are parts of it.
    var composites: [(name: String, positions: Range<Int>, type: any Any.Type)] { [] }

    /// Whether the field is an attribute, and not a composite one.
    var isAttribute: Bool { false }

    /// Returns the name of the property of this type at a place in the field, or `nil` if there is none.
    func name(at place: Int, _ type: any Any.Type) -> String? {
        preconditionFailure("a field has a type")
    }

    /// Returns the declaration of the field, with the defaults that are at these positions.
    func description(at first: Int, defaults: [AttributeValue]) -> AttributeDescription {
        preconditionFailure("a field has a type")
    }
}

/// A value that a part of a composite attribute cannot hold, by the position of the part.
struct UnreadablePart: Error {
    let position: Int
}

/// An attribute at the end of a path in a composite attribute.
struct CompositeLeaf {
    /// The name in the composite: `city`, `place.latitude`.
    var name: String
    let type: any AttributeValueConvertible.Type
    /// Whether it is a part of an optional part, so that it may be nil although its type has no place for nil.
    var isInOptional: Bool
    /// One or two stored values by which the attribute is recognized when a key path is read.
    let placeholders: [AttributeValue]
}

/// A stored property that is an attribute.
final class AttributeField<Value: AttributeValueConvertible>: CompositeField {
    init(name: String, offset: Int, initial: AttributeValue) {
        let leaf = CompositeLeaf(
            name: name, type: Value.self, isInOptional: false,
            placeholders: Value.placeholders(besides: initial))
        super.init(name: name, offset: offset, leaves: [leaf])
    }

    override func set(
        in memory: UnsafeMutableRawPointer, at first: Int, to value: (Int) -> AttributeValue
    ) throws(UnreadablePart) {
        let stored = value(first)
        guard let value = Value(attributeValue: stored) else {
            guard stored.isNull else { throw UnreadablePart(position: first) }
            return
        }
        (memory + offset).assumingMemoryBound(to: Value.self).pointee = value
    }

    override func forEach(
        in memory: UnsafeRawPointer, at first: Int, _ body: (Int, AttributeValue) -> Void
    ) {
        body(first, (memory + offset).assumingMemoryBound(to: Value.self).pointee.attributeValue)
    }

    override var isAttribute: Bool { true }

    override func name(at place: Int, _ type: any Any.Type) -> String? {
        place == 0 && type == Value.self ? name : nil
    }

    override func description(at first: Int, defaults: [AttributeValue]) -> AttributeDescription {
        var attribute = AttributeDescription(
            name, Value.attributeTypes.last ?? .string, optional: Value.admitsNull, default: defaults[first])
        attribute.elementType = Value.elementType
        return attribute
    }
}

/// A stored property that is a composite attribute itself.
final class NestedField<Value: CompositeValue>: CompositeField {
    private let layout: CompositeLayout<Value.Composed>

    init(name: String, offset: Int, _ layout: CompositeLayout<Value.Composed>) {
        self.layout = layout
        let leaves = layout.leaves.map { leaf in
            var leaf = leaf
            leaf.name = "\(name).\(leaf.name)"
            leaf.isInOptional = leaf.isInOptional || Value.admitsNil
            return leaf
        }
        super.init(name: name, offset: offset, leaves: leaves)
    }

    override func set(
        in memory: UnsafeMutableRawPointer, at first: Int, to value: (Int) -> AttributeValue
    ) throws(UnreadablePart) {
        (memory + offset).assumingMemoryBound(to: Value.self).pointee = try layout.value(at: first, value)
    }

    override func forEach(
        in memory: UnsafeRawPointer, at first: Int, _ body: (Int, AttributeValue) -> Void
    ) {
        layout.forEach(of: (memory + offset).assumingMemoryBound(to: Value.self).pointee, at: first, body)
    }

    override var composites: [(name: String, positions: Range<Int>, type: any Any.Type)] {
        [(name, 0..<layout.leaves.count, Value.Composed.self)]
            + layout.composites.map { ("\(name).\($0.name)", $0.positions, $0.type) }
    }

    override func name(at place: Int, _ type: any Any.Type) -> String? {
        if place == 0, type == Value.self { return name }
        return Value.admitsNil ? nil : layout.name(at: place, type).map { "\(name).\($0)" }
    }

    override func description(at first: Int, defaults: [AttributeValue]) -> AttributeDescription {
        .composite(
            name, layout.descriptions(at: first, defaults: defaults), optional: Value.admitsNil)
    }
}
