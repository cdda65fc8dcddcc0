/// A stored property of a composite attribute's type, at its place in memory.
protocol CompositeField {
    /// The name of the stored property.
    var name: String { get }
    /// The distance from the beginning of the composite in bytes.
    var offset: Int { get }
    /// The attributes of the field, with their names in the composite.
    var leaves: [CompositeLeaf] { get }
    /// The composite attributes in the field: the field itself, and those that are parts of it.
    var composites: [(name: String, positions: Range<Int>, type: any Any.Type)] { get }

    /// Sets the property. A value that the property cannot hold leaves its initial value.
    ///
    /// - Parameters:
    ///   - memory: The composite.
    ///   - first: The position of the first attribute of the field among those of the outermost composite.
    ///   - value: Returns the stored value of an attribute, by its position.
    ///   - reportUnreadable: Called with the position of each value, except nil, that the property cannot hold.
    func set(
        in memory: UnsafeMutableRawPointer, at first: Int, to value: (Int) -> AttributeValue,
        reportUnreadable: (Int) -> Void)

    /// Reports the stored value of each attribute of the field, by its position.
    func forEach(in memory: UnsafeRawPointer, at first: Int, _ body: (Int, AttributeValue) -> Void)

    /// Returns the name of the property of this type at a place in the field, or `nil` if there is none.
    func name(at place: Int, _ type: any Any.Type) -> String?

    /// Returns the declaration of the field, with the defaults that are at these positions.
    func description(at first: Int, defaults: [AttributeValue]) -> AttributeDescription
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
struct AttributeField<Value: AttributeValueConvertible>: CompositeField {
    let name: String
    let offset: Int
    let leaves: [CompositeLeaf]

    init(name: String, offset: Int, initial: AttributeValue) {
        self.name = name
        self.offset = offset
        leaves = [
            CompositeLeaf(
                name: name, type: Value.self, isInOptional: false,
                placeholders: Value.placeholders(besides: initial))
        ]
    }

    var composites: [(name: String, positions: Range<Int>, type: any Any.Type)] { [] }

    func set(
        in memory: UnsafeMutableRawPointer, at first: Int, to value: (Int) -> AttributeValue,
        reportUnreadable: (Int) -> Void
    ) {
        let stored = value(first)
        guard let value = Value(attributeValue: stored) else {
            if !stored.isNull { reportUnreadable(first) }
            return
        }
        (memory + offset).assumingMemoryBound(to: Value.self).pointee = value
    }

    func forEach(
        in memory: UnsafeRawPointer, at first: Int, _ body: (Int, AttributeValue) -> Void
    ) {
        body(first, (memory + offset).assumingMemoryBound(to: Value.self).pointee.attributeValue)
    }

    func name(at place: Int, _ type: any Any.Type) -> String? {
        place == 0 && type == Value.self ? name : nil
    }

    func description(at first: Int, defaults: [AttributeValue]) -> AttributeDescription {
        var attribute = AttributeDescription(
            name, Value.attributeTypes.last ?? .string, optional: Value.admitsNull, default: defaults[first])
        attribute.elementType = Value.elementType
        return attribute
    }
}

/// A stored property that is a composite attribute itself.
struct NestedField<Value: CompositeValue>: CompositeField {
    let name: String
    let offset: Int
    let leaves: [CompositeLeaf]
    private let layout: CompositeLayout<Value.Composed>

    init(name: String, offset: Int, _ layout: CompositeLayout<Value.Composed>) {
        self.name = name
        self.offset = offset
        self.layout = layout
        leaves = layout.leaves.map { leaf in
            var leaf = leaf
            leaf.name = "\(name).\(leaf.name)"
            leaf.isInOptional = leaf.isInOptional || Value.admitsNil
            return leaf
        }
    }

    func set(
        in memory: UnsafeMutableRawPointer, at first: Int, to value: (Int) -> AttributeValue,
        reportUnreadable: (Int) -> Void
    ) {
        (memory + offset).assumingMemoryBound(to: Value.self).pointee = layout.value(
            at: first, value, reportUnreadable: reportUnreadable)
    }

    func forEach(
        in memory: UnsafeRawPointer, at first: Int, _ body: (Int, AttributeValue) -> Void
    ) {
        layout.forEach(of: (memory + offset).assumingMemoryBound(to: Value.self).pointee, at: first, body)
    }

    var composites: [(name: String, positions: Range<Int>, type: any Any.Type)] {
        [(name, 0..<layout.leaves.count, Value.Composed.self)]
            + layout.composites.map { ("\(name).\($0.name)", $0.positions, $0.type) }
    }

    func name(at place: Int, _ type: any Any.Type) -> String? {
        if place == 0, type == Value.self { return name }
        return Value.admitsNil ? nil : layout.name(at: place, type).map { "\(name).\($0)" }
    }

    func description(at first: Int, defaults: [AttributeValue]) -> AttributeDescription {
        .composite(
            name, layout.descriptions(at: first, defaults: defaults), optional: Value.admitsNil)
    }
}
