internal import CivilTime

extension AttributeValueConvertible {
    /// Returns a value that an attribute returns while a key path is recorded, or `nil` if none is known.
    ///
    /// - Parameter second: whether the value has to be another one than at the first time. If no other is known, it is the
    ///   same.
    static func placeholder(for declaration: PropertyDeclaration, second: Bool) -> Self? {
        let first = firstPlaceholder(for: declaration)
        guard second, let known = first?.attributeValue else { return first }
        let other = placeholders(besides: known).first { $0 != known }
        return other.flatMap(Self.init(attributeValue:)) ?? first
    }

    private static func firstPlaceholder(for declaration: PropertyDeclaration) -> Self? {
        let lists = (elementType?.placeholders ?? []).compactMap { ListValue.text([$0]) }.map {
            AttributeValue.string($0)
        }
        for value in lists + attributeTypes.reversed().flatMap(\.placeholders) {
            if let value = Self(attributeValue: value) { return value }
        }
        if case .attribute(let attribute) = declaration.content,
            let value = Self(attributeValue: attribute.defaultValue)
        {
            return value
        }
        if let cases = Self.self as? any CaseIterable.Type { return firstCase(cases) as? Self }
        // The bits of an enumeration without associated values. Nothing but the comparison of the value follows.
        return _isPOD(Self.self) ? zero : nil
    }

    /// Returns stored values that the type can hold, at most two. The second one is nil if it can be. With fewer than two, the
    /// type has no others that are known.
    static func placeholders(besides initial: AttributeValue) -> [AttributeValue] {
        let lists = (elementType?.placeholders ?? []).prefix(2).compactMap { ListValue.text([$0]) }.map {
            AttributeValue.string($0)
        }
        var candidates = lists + attributeTypes.reversed().flatMap(\.placeholders)
        if let cases = NonOptional.self as? any CaseIterable.Type { candidates += storedCases(cases) }
        candidates.append(initial)
        if _isPOD(Self.self), candidates.allSatisfy({ Self(attributeValue: $0) == nil }) {
            candidates.append(zero.attributeValue)
        }
        var placeholders: [AttributeValue] = []
        for candidate in candidates {
            guard let stored = Self(attributeValue: candidate)?.attributeValue,
                Self(attributeValue: stored)?.attributeValue == stored, !placeholders.contains(stored)
            else { continue }
            placeholders.append(stored)
        }
        return admitsNull ? placeholders.prefix(1) + [.null] : Array(placeholders.prefix(2))
    }

    private static func storedCases<Cases: CaseIterable>(_ cases: Cases.Type) -> [AttributeValue] {
        cases.allCases.prefix(2).compactMap { ($0 as? any AttributeValueConvertible)?.attributeValue }
    }

    private static func firstCase<Cases: CaseIterable>(_ cases: Cases.Type) -> Any? { cases.allCases.first }

    private static var zero: Self {
        withUnsafeTemporaryAllocation(
            byteCount: max(MemoryLayout<Self>.size, 1), alignment: MemoryLayout<Self>.alignment
        ) { bytes in
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            return bytes.load(as: Self.self)
        }
    }
}

extension AttributeType {
    /// Values that a computed property is unlikely to return, and then the first raw values of an enumeration.
    fileprivate var placeholders: [AttributeValue] {
        switch self {
        // Functions such as `lowercased()` and removing spaces or accents give other values.
        case .string: [" K\u{E9}y ", " \u{D6}ther ", "key", "other"].map { .string($0) }
        case .integer16, .integer32, .integer64: [.integer(7919), .integer(-7919), .integer(0), .integer(1)]
        case .double: [.double(7919.5), .double(-7919.5)]
        case .decimal: [.decimal("7919.5"), .decimal("-7919.5")]
        case .boolean: [.boolean(true), .boolean(false)]
        case .date: [7919.5, 0].map { .date(Timestamp(secondsSince1970: $0)) }
        case .binary: [.binary([79, 19]), .binary([])]
        case .uuid: [7919, 0].map { .uuid(UUIDValue(high: $0, low: $0)) }
        case .uri: [.uri("key:"), .uri("other:")]
        }
    }
}
