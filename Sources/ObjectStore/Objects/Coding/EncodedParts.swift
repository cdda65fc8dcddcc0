/// The parts of a composite attribute, which are encoded as an object, or as null if all of them are nil.
struct EncodedParts: Encodable {
    let entity: Entity
    /// Returns the value of a column.
    let value: (Int) -> AttributeValue
    /// The columns with the names of their parts in the composite attribute.
    let parts: [(name: Substring, column: Int)]

    func encode(to encoder: any Encoder) throws {
        if parts.allSatisfy({ value($0.column).isNull }) {
            var container = encoder.singleValueContainer()
            return try container.encodeNil()
        }
        var container = encoder.container(keyedBy: PropertyCodingKey.self)
        var encoded: Set<Substring> = []
        for (name, column) in parts {
            let key = name.prefix { $0 != "." }
            guard encoded.insert(key).inserted else { continue }
            if key == name {
                try container.encodeStored(
                    value(column), of: entity.columns[column], forKey: PropertyCodingKey(String(key)))
            } else {
                try container.encode(within(key), forKey: PropertyCodingKey(String(key)))
            }
        }
    }

    /// Encodes properties, and the parts of composite attributes as objects.
    ///
    /// - Parameters:
    ///   - names: The names of the properties, with those of parts.
    ///   - container: The container of the object.
    ///   - encode: Encodes a property that is not a part.
    static func encode(
        _ names: [String], of entity: Entity, value: @escaping (Int) -> AttributeValue,
        in container: inout KeyedEncodingContainer<PropertyCodingKey>,
        property encode: (String, inout KeyedEncodingContainer<PropertyCodingKey>) throws -> Void
    ) throws {
        guard entity.composites != nil else {
            for name in names { try encode(name, &container) }
            return
        }
        var composites: Set<Substring> = []
        for name in names {
            let owner = name.prefix { $0 != "." }
            guard owner.count < name.count else {
                try encode(name, &container)
                continue
            }
            guard composites.insert(owner).inserted else { continue }
            let parts = try names.filter { $0.hasPrefix(owner + ".") }.map { name in
                guard let column = entity.column(named: name) else {
                    throw ObjectCodingError(about: name, of: entity, "is not a property of the entity")
                }
                return (name: name.dropFirst(owner.count + 1), column: column)
            }
            try container.encode(
                EncodedParts(entity: entity, value: value, parts: parts),
                forKey: PropertyCodingKey(String(owner)))
        }
    }

    /// Returns the parts of a part that is a composite attribute.
    private func within(_ key: Substring) -> EncodedParts {
        EncodedParts(
            entity: entity, value: value,
            parts: parts.filter { $0.name.hasPrefix(key + ".") }.map {
                ($0.name.dropFirst(key.count + 1), $0.column)
            })
    }
}

extension CodingPlan {
    /// Returns the names of the properties, with the parts of composite attributes in place of these.
    func columns(of entity: Entity) -> [String] {
        let names = names(of: entity)
        guard entity.composites != nil else { return names }
        return names.flatMap { entity.isComposite($0) ? entity.parts(of: $0) : [$0] }
    }
}

/// The objects for composite attributes in a decoded object.
struct DecodedParts {
    let container: KeyedDecodingContainer<PropertyCodingKey>
    let entity: Entity

    /// The value for a name: a container that has its last key, or nil.
    enum Place {
        case key(PropertyCodingKey, KeyedDecodingContainer<PropertyCodingKey>)
        /// A composite attribute is null.
        case null
    }

    /// Returns the place of the value for a name, or `nil` if there is none.
    func place(of name: String) throws -> Place? {
        var container = container
        var keys = name.split(separator: ".").map { PropertyCodingKey(String($0)) }[...]
        while let key = keys.popFirst() {
            guard container.contains(key) else { return nil }
            if keys.isEmpty { return .key(key, container) }
            if try container.decodeNil(forKey: key) { return .null }
            do {
                container = try container.nestedContainer(keyedBy: PropertyCodingKey.self, forKey: key)
            } catch let cause as DecodingError {
                throw ObjectCodingError(
                    about: key.stringValue, of: entity, "is not an object with the parts of the attribute",
                    at: container.codingPath, cause: cause)
            }
        }
        return nil
    }

    /// Returns the first key that is not in one of these names, with those before it, or `nil` if there is none.
    func unknownKey(besides names: [String]) throws -> String? {
        try unknownKey(in: container, after: "", besides: names)
    }

    private func unknownKey(
        in container: KeyedDecodingContainer<PropertyCodingKey>, after start: String, besides names: [String]
    ) throws -> String? {
        for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            let name = start + key.stringValue
            if names.contains(name) { continue }
            guard names.contains(where: { $0.hasPrefix(name + ".") }) else { return name }
            // Another value than an object is an error of the place.
            guard let inner = try? container.nestedContainer(keyedBy: PropertyCodingKey.self, forKey: key)
            else { continue }
            if let unknown = try unknownKey(in: inner, after: name + ".", besides: names) { return unknown }
        }
        return nil
    }
}
