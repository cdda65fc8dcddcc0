internal import Platform

/// The stored properties of a composite attribute's type: their names, their types and their places in memory.
///
/// Reflection finds the names and types. A structure has its stored properties in memory in the order of their declaration,
/// each at the next place that its type allows. The layout is tested when it is made: values that are written have to be
/// found by reflection.
// Unchecked: nothing changes after `init`.
final class CompositeLayout<Composed: CompositeAttribute>: @unchecked Sendable {
    /// The attributes, with those of composite parts, in the order of their declaration.
    let leaves: [CompositeLeaf]
    /// A mistake in the type, with the name of the part that it concerns, or `nil` if there is none.
    let problem: (part: String?, message: String)?
    private let prototype: Composed
    private let fields: [(first: Int, field: CompositeField)]

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
        var reader = CompositeReader()
        let mirror = Mirror(reflecting: prototype)
        for (label, value) in mirror.children { reader.add(label ?? "", value) }
        let isReflected = !(prototype is any CustomReflectable) && mirror.displayStyle == .struct
        if reader.problem == nil, !isReflected || reader.size != MemoryLayout<Composed>.size {
            reader.problem = (
                nil,
                "its parts cannot be found; it has to be a structure, without a reflection of its own, in a "
                    + "program with reflection metadata"
            )
        }
        fields = reader.fields
        leaves = reader.fields.flatMap(\.field.leaves)
        problem =
            reader.problem ?? Self.problem(of: reader.fields)
            ?? Self.problem(of: reader.fields, leaves, prototype)
    }

    /// Returns the value of a property with these stored values.
    ///
    /// - Parameters:
    ///   - first: The position of the first attribute.
    ///   - stored: Returns the stored value of an attribute, by its position.
    func value<Value: CompositeValue>(
        at first: Int = 0, _ stored: (Int) -> AttributeValue
    ) throws(UnreadablePart) -> Value where Value.Composed == Composed {
        if Value.admitsNil, (first..<first + leaves.count).allSatisfy({ stored($0).isNull }) {
            return Value(composed: nil)
        }
        return Value(composed: try Self.filled(prototype, fields, at: first, stored))
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

    /// Returns a composite with these stored values.
    func composed(_ stored: (Int) -> AttributeValue) throws(UnreadablePart) -> Composed {
        try Self.filled(prototype, fields, at: 0, stored)
    }

    private static func filled(
        _ prototype: Composed, _ fields: [(first: Int, field: CompositeField)], at first: Int,
        _ stored: (Int) -> AttributeValue
    ) throws(UnreadablePart) -> Composed {
        var composed = prototype
        // With a typed error, the closure could not be passed on.
        var unreadable: UnreadablePart?
        withUnsafeMutableBytes(of: &composed) { bytes in
            guard let memory = bytes.baseAddress else { return }
            do throws(UnreadablePart) {
                for (position, field) in fields {
                    try field.set(in: memory, at: first + position, to: stored)
                }
            } catch {
                unreadable = error
            }
        }
        if let unreadable { throw unreadable }
        return composed
    }

    /// Looks for attributes of one type at one place, which key paths do not tell apart. They have no size.
    private static func problem(
        of fields: [(first: Int, field: CompositeField)]
    ) -> (part: String?, message: String)? {
        for (index, (_, field)) in fields.enumerated() where field.isAttribute {
            let same = fields[..<index].first {
                $0.field.isAttribute && $0.field.offset == field.offset
                    && $0.field.leaves[0].type == field.leaves[0].type
            }
            guard let other = same?.field.name else { continue }
            return (
                field.name,
                "its type has one value only, as that of \(other), so that key paths do not tell them apart; "
                    + "give the type another case"
            )
        }
        return nil
    }

    /// Writes values by the places in memory and looks for them by reflection.
    private static func problem(
        of fields: [(first: Int, field: CompositeField)], _ leaves: [CompositeLeaf], _ prototype: Composed
    ) -> (part: String?, message: String)? {
        for isSecond in [false, true] {
            let stored = { (position: Int) in leaves[position].placeholder(second: isSecond) }
            guard let composed = try? filled(prototype, fields, at: 0, stored) else { continue }
            for (child, (first, field)) in zip(Mirror(reflecting: composed).children, fields)
            where field.isAttribute && leaves[first].stored(child.value) != stored(first) {
                return (field.name, "its place in memory was not found")
            }
        }
        return nil
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
        for part in Composed.partRules { _ = apply(part, to: &descriptions) }
        return descriptions
    }

    /// Adds the rules of a part to its declaration.
    ///
    /// - Returns: Whether the part was found.
    func apply(_ part: CompositePart<Composed>, to descriptions: inout [AttributeDescription]) -> Bool {
        guard let name = name(of: part.key) else { return false }
        return descriptions.change(name.split(separator: ".")[...]) { $0.add(part) }
    }
}

// A generic type has no stored static properties.
private let knownLayouts = Locked<[ObjectIdentifier: AnyObject]>([:])
