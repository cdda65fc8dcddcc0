internal import Platform

/// The stored properties of a composite attribute's type: their names, their types and their places in memory.
///
/// A type with a mistake has no parts.
// Unchecked: nothing changes after `init`.
final class CompositeLayout<Composed: CompositeAttribute>: @unchecked Sendable {
    /// The attributes, with those of composite parts, in the order of their declaration.
    let leaves: [CompositeLeaf]
    /// A mistake in the type, with the name of the part that it concerns, or `nil` if there is none.
    let problem: (part: String?, message: String)?
    private let prototype: Composed
    private let fields: [(first: Int, field: any CompositeField)]

    /// Returns the layout of the type, which is made at the first call.
    static var shared: CompositeLayout {
        let identifier = ObjectIdentifier(Composed.self)
        if let known = knownLayouts.withLock({ $0[identifier] }) {
            return unsafeDowncast(known, to: CompositeLayout.self)
        }
        let layout = CompositeLayout()
        knownLayouts.withLock { $0[identifier] = layout }
        return layout
    }

    private init() {
        prototype = Composed()
        let reader = CompositeReader(prototype)
        fields = reader.fields
        leaves = reader.fields.flatMap(\.field.leaves)
        problem = reader.problem
    }

    /// Returns the value of a property with these stored values.
    ///
    /// - Parameters:
    ///   - first: The position of the first attribute.
    ///   - stored: Returns the stored value of an attribute, by its position.
    ///   - reportUnreadable: Called with the position of each value that its part cannot hold. The part has its initial
    ///     value instead.
    func value<Value: CompositeValue>(
        at first: Int = 0, _ stored: (Int) -> AttributeValue, reportUnreadable: (Int) -> Void
    ) -> Value where Value.Composed == Composed {
        if Value.admitsNil, (first..<first + leaves.count).allSatisfy({ stored($0).isNull }) {
            return Value(composed: nil)
        }
        var composed = prototype
        withUnsafeMutableBytes(of: &composed) { bytes in
            guard let memory = bytes.baseAddress else { return }
            for (position, field) in fields {
                field.set(in: memory, at: first + position, to: stored, reportUnreadable: reportUnreadable)
            }
        }
        return Value(composed: composed)
    }

    /// Reports the stored value of each attribute of a property, by its position. They are all nil if the property is.
    func forEach<Value: CompositeValue>(
        of value: Value, at first: Int = 0, _ body: (Int, AttributeValue) -> Void
    ) where Value.Composed == Composed {
        guard let composed = value.composed else {
            for position in leaves.indices { body(first + position, .null) }
            return
        }
        withUnsafeBytes(of: composed) { bytes in
            guard let memory = bytes.baseAddress else { return }
            for (position, field) in fields { field.forEach(in: memory, at: first + position, body) }
        }
    }

    /// Returns the stored values of a property.
    func values<Value: CompositeValue>(of value: Value) -> [AttributeValue]
    where Value.Composed == Composed {
        var values = Array(repeating: AttributeValue.null, count: leaves.count)
        forEach(of: value) { values[$0] = $1 }
        return values
    }

    /// Returns the composite parts, and the parts of those, with their names and the positions of their attributes.
    var composites: [(name: String, positions: Range<Int>, type: any Any.Type)] {
        fields.flatMap { first, field in
            field.composites.map { inner in
                (
                    inner.name, inner.positions.lowerBound + first..<inner.positions.upperBound + first,
                    inner.type
                )
            }
        }
    }

    // MARK: - Names

    /// Returns the name of a stored property, or of a part of it, or `nil` if the key path is another property.
    func name(of key: PartialKeyPath<Composed>) -> String? {
        guard let offset = MemoryLayout<Composed>.offset(of: key) else { return nil }
        return name(at: offset, Swift.type(of: key).valueType)
    }

    /// Returns the name of the property at a place in memory.
    func name(at offset: Int, _ type: any Any.Type) -> String? {
        for (_, field) in fields where field.offset <= offset {
            if let name = field.name(at: offset - field.offset, type) { return name }
        }
        return nil
    }

    // MARK: - Declarations

    /// Returns the declarations of the parts.
    ///
    /// - Parameters:
    ///   - first: The position of the first attribute.
    ///   - defaults: The defaults of the attributes of the outermost composite.
    func descriptions(at first: Int = 0, defaults: [AttributeValue]) -> [AttributeDescription] {
        var descriptions = fields.map { $1.description(at: first + $0, defaults: defaults) }
        for part in Composed.partRules { _ = apply(part, isOfType: true, to: &descriptions) }
        return descriptions
    }

    /// Adds the rules of a part to its declaration.
    ///
    /// - Parameters:
    ///   - part: The rules of the part.
    ///   - isOfType: Whether the rules are those of the type, and not of one property.
    ///   - descriptions: The declarations of all parts.
    /// - Returns: Whether the part was found.
    func apply(
        _ part: CompositePart<Composed>, isOfType: Bool = false, to descriptions: inout [AttributeDescription]
    ) -> Bool {
        guard let name = name(of: part.key) else { return false }
        return descriptions.change(name.split(separator: ".")[...]) { $0.add(part, isOfType: isOfType) }
    }
}

// A generic type has no stored static properties.
private let knownLayouts = Locked<[ObjectIdentifier: AnyObject]>([:])
