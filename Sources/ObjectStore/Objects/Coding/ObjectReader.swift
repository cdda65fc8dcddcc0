internal import CivilTime

/// Sets properties of an object, and of nested ones, to decoded values.
final class ObjectReader {
    private let object: ManagedObject
    private let plan: CodingPlan
    private let isNew: Bool
    /// The objects that were inserted: this one, if it is new, and nested ones.
    private(set) var inserted: [ManagedObject]

    init(_ object: ManagedObject, _ plan: CodingPlan, isNew: Bool) {
        self.object = object
        self.plan = plan
        self.isNew = isNew
        inserted = isNew ? [object] : []
    }

    private var entity: Entity { object.entity }

    func read(_ decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: PropertyCodingKey.self)
        let names = plan.names(of: entity)
        if plan.refusesUnknownKeys,
            let unknown = container.allKeys.map(\.stringValue).sorted().first(where: { !names.contains($0) })
        {
            throw ObjectCodingError(
                about: unknown, of: entity, "is not one of the decoded properties", at: container.codingPath)
        }
        var values: [(name: String, value: AttributeValue)] = []
        for name in names where container.contains(PropertyCodingKey(name)) {
            if case .attribute(let column)? = entity.property(named: name), !isLeftOut(column) {
                values.append((name, try value(ofColumn: column, in: container)))
            }
        }
        for (name, value) in values where try !isEntityName(name, value, container) {
            if let problem = entity.column(named: name).flatMap({ entity.columns[$0].settingProblem }) {
                throw error(about: name, problem, container)
            }
            try object.setValue(value, of: name)
        }
        for name in names where container.contains(PropertyCodingKey(name)) {
            switch entity.property(named: name) {
            case .attribute: break
            case .toOne(let column): try readTarget(name, column, container)
            case .toMany(let position): try readMembers(name, position, container)
            // The ID of an object is given by the context.
            case nil where name == "id": break
            case nil: throw error(about: name, "is not a property of the entity", container)
            }
        }
    }

    /// Whether a coding of all attributes leaves an attribute out, because a save computes it.
    private func isLeftOut(_ column: Int) -> Bool {
        plan.names == nil && entity.columns[column].derivation != nil
    }

    /// Whether an attribute is the name of the entity, which is only compared.
    private func isEntityName(
        _ name: String, _ value: AttributeValue, _ container: KeyedDecodingContainer<PropertyCodingKey>
    ) throws -> Bool {
        guard entity.inheritance != nil, name == Entity.Inheritance.attribute else { return false }
        guard value == .string(entity.name) else {
            throw error(about: name, "is another entity; decode an object of that one", container)
        }
        return true
    }

    private func error(
        about name: String, _ problem: String, _ container: KeyedDecodingContainer<PropertyCodingKey>,
        cause: (any Error)? = nil
    ) -> ObjectCodingError {
        ObjectCodingError(about: name, of: entity, problem, at: container.codingPath, cause: cause)
    }

    // MARK: - Attributes

    private func value(
        ofColumn column: Int, in container: KeyedDecodingContainer<PropertyCodingKey>
    ) throws -> AttributeValue {
        let (name, type) = (entity.columns[column].name, entity.columns[column].type)
        let kind =
            entity.columns[column].elementType.map { "list of the type \($0.rawValue)" }
            ?? "value of the type \(type.rawValue)"
        let key = PropertyCodingKey(name)
        if try container.decodeNil(forKey: key) {
            guard entity.columns[column].isOptional else {
                throw error(about: name, "must not be null", container)
            }
            return .null
        }
        let decoded: AttributeValue?
        do {
            decoded = try container.decodeValue(of: entity.columns[column], forKey: key)
        } catch let cause as DecodingError {
            throw error(about: name, "is not a \(kind)", container, cause: cause)
        }
        guard let decoded, type.admits(decoded) else {
            throw error(about: name, "is not a \(kind)", container)
        }
        // Reading the property would end the program.
        let property = Swift.type(of: object).declaredProperties.first { $0.propertyName == name }
        guard property?.canHold(decoded) != false else {
            throw error(about: name, "has a value that its type in Swift cannot hold", container)
        }
        return decoded
    }

    // MARK: - Relationships

    private func readTarget(
        _ name: String, _ column: Int, _ container: KeyedDecodingContainer<PropertyCodingKey>
    ) throws {
        let key = PropertyCodingKey(name)
        if try container.decodeNil(forKey: key) { return try object.setTarget(nil, of: name) }
        let relationship = entity.toOne(at: column)
        guard let nested = plan.nested[name] else {
            let id: Int64
            do {
                id = try container.decode(Int64.self, forKey: key)
            } catch let cause as DecodingError {
                throw error(about: name, "is not the id of an object", container, cause: cause)
            }
            return try object.setTarget(member(id, of: relationship, container), of: name)
        }
        let decoder = try container.superDecoder(forKey: key)
        if let target = try object.target(of: name) {
            return try read(decoder, into: target, nested, isNew: false)
        }
        try object.setTarget(insert(relationship, nested, decoder), of: name)
    }

    private func readMembers(
        _ name: String, _ position: Int, _ container: KeyedDecodingContainer<PropertyCodingKey>
    ) throws {
        let key = PropertyCodingKey(name)
        let relationship = entity.toMany[position]
        let related = try object.objects(of: name)
        guard let nested = plan.nested[name] else {
            let ids: [Int64]
            do {
                ids = try container.decode([Int64].self, forKey: key)
            } catch let cause as DecodingError {
                throw error(about: name, "is not a list of ids of objects", container, cause: cause)
            }
            return related.replace(with: try ids.map { try member($0, of: relationship, container) })
        }
        guard isNew else {
            throw error(about: name, "has nested objects, which are decoded for a new object only", container)
        }
        var list = try container.nestedUnkeyedContainer(forKey: key)
        while !list.isAtEnd { related.insert(try insert(relationship, nested, list.superDecoder())) }
    }

    private func member(
        _ id: Int64, of relationship: Entity.Relationship,
        _ container: KeyedDecodingContainer<PropertyCodingKey>
    ) throws -> ManagedObject {
        guard let context = object.context else {
            throw object.contextIsGone("changed", property: relationship.name)
        }
        let registry = context.registry(ofEntityAt: relationship.destinationIndex, besides: object)
        guard let member = try context.object(id, in: registry) else {
            throw error(
                about: relationship.name, "refers to \(registry.objectID(id)), which does not exist",
                container)
        }
        guard context.model.declaredDestination(of: relationship).includes(member.entity) else {
            throw error(
                about: relationship.name,
                "refers to \(member.objectID), which is of the entity \(member.entity.name)", container)
        }
        return member
    }

    /// Inserts a nested object into the store of its owner.
    private func insert(
        _ relationship: Entity.Relationship, _ plan: CodingPlan, _ decoder: any Decoder
    ) throws -> ManagedObject {
        guard let context = object.context else {
            throw object.contextIsGone("changed", property: relationship.name)
        }
        let nested = try context.insert(into: entity(of: decoder, relationship, context.model))
        inserted.append(nested)
        try context.assign(nested, to: context.store(of: object))
        try read(decoder, into: nested, plan, isNew: true)
        return nested
    }

    /// Returns the entity of a nested object. In a hierarchy, it is the one that the object names.
    private func entity(
        of decoder: any Decoder, _ relationship: Entity.Relationship, _ model: ManagedObjectModel
    ) throws -> Entity {
        let destination = model.declaredDestination(of: relationship)
        guard destination.inheritance != nil else { return destination }
        let container = try decoder.container(keyedBy: PropertyCodingKey.self)
        let key = PropertyCodingKey(Entity.Inheritance.attribute)
        guard container.contains(key) else { return destination }
        let name = try container.decode(String.self, forKey: key)
        guard let entity = model.entity(named: name), destination.includes(entity) else {
            throw ObjectCodingError(
                about: Entity.Inheritance.attribute, of: destination,
                "has the value \(name), which is not the name of an entity that the relationship can have",
                at: container.codingPath)
        }
        return entity
    }

    private func read(
        _ decoder: any Decoder, into nested: ManagedObject, _ plan: CodingPlan, isNew: Bool
    ) throws {
        let reader = ObjectReader(nested, plan, isNew: isNew)
        defer { inserted += reader.inserted.filter { !inserted.contains($0) } }
        try reader.read(decoder)
    }
}

extension ManagedObjectContext {
    private func endRelationships(of object: ManagedObject) throws {
        for column in object.entity.firstToOne..<object.entity.columns.count {
            try setTarget(nil, of: object, column: column)
        }
        for position in object.entity.toMany.indices {
            for member in try members(of: object, position: position) {
                try setMember(member, of: object, position: position, isMember: false)
            }
        }
    }

    /// Takes a new object back after an error, without delete rules. If its relationships cannot be read, the next save reports that.
    func withdraw(_ object: ManagedObject) {
        _ = reading { try endRelationships(of: object) }
        recordDeletion(of: object)
    }
}

extension KeyedEncodingContainer<PropertyCodingKey> {
    /// Encodes a value of an attribute, or the ID in a to-one relationship.
    mutating func encodeStored(_ value: AttributeValue, of column: Entity.Column, forKey key: Key) throws {
        if let type = column.elementType, case .string(let text) = value,
            let elements = ListValue.elements(of: text, type)
        {
            try encode(elements.map(EncodedValue.init), forKey: key)
        } else if value.isNull {
            try encodeNil(forKey: key)
        } else {
            try encode(EncodedValue(value: value), forKey: key)
        }
    }
}

/// A value of an attribute, or an element of a list.
private struct EncodedValue: Encodable {
    let value: AttributeValue

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .decimal(let text), .string(let text), .uri(let text): try container.encode(text)
        case .uuid(let value): try container.encode(value.description)
        case .binary(let bytes): try container.encode(bytes)
        case .date(let moment):
            if let text = moment.iso8601 {
                try container.encode(text)
            } else {
                try container.encode(moment.secondsSince1970)
            }
        }
    }
}

extension KeyedDecodingContainer<PropertyCodingKey> {
    /// Returns a value for a column, or `nil` if the text for it has another form.
    fileprivate func decodeValue(of column: Entity.Column, forKey key: Key) throws -> AttributeValue? {
        guard let type = column.elementType else {
            return try Self.value(of: column.type, in: superDecoder(forKey: key).singleValueContainer())
        }
        var list = try nestedUnkeyedContainer(forKey: key)
        var elements: [AttributeValue] = []
        while !list.isAtEnd {
            guard let element = try Self.value(of: type, in: list.superDecoder().singleValueContainer())
            else {
                return nil
            }
            elements.append(element)
        }
        guard let text = ListValue.text(elements), ListValue.elements(of: text, type) != nil else {
            return nil
        }
        return .string(text)
    }

    private static func value(
        of type: AttributeType, in container: any SingleValueDecodingContainer
    ) throws -> AttributeValue? {
        switch type {
        case .string: return .string(try container.decode(String.self))
        case .uri: return .uri(try container.decode(String.self))
        case .uuid: return UUIDValue(try container.decode(String.self)).map { .uuid($0) }
        case .decimal: return DecimalValue(try container.decode(String.self)).map { .decimal($0.text) }
        case .integer16, .integer32, .integer64: return .integer(try container.decode(Int64.self))
        case .double: return .double(try container.decode(Double.self))
        case .boolean: return .boolean(try container.decode(Bool.self))
        case .binary: return .binary(try container.decode([UInt8].self))
        case .date:
            if let seconds = try? container.decode(Double.self) {
                return .date(Timestamp(secondsSince1970: seconds))
            }
            return Timestamp(iso8601: try container.decode(String.self)).map { .date($0) }
        }
    }
}
