/// A reader of the values of attributes in the encoded form of an object.
struct ValueReader {
    private let entity: Entity
    private let container: KeyedDecodingContainer<PropertyCodingKey>

    init(_ entity: Entity, _ container: KeyedDecodingContainer<PropertyCodingKey>) {
        self.entity = entity
        self.container = container
    }

    /// Returns the value of an attribute.
    ///
    /// - Parameters:
    ///   - column: The column with the values of the attribute.
    ///   - place: The place of the value.
    ///   - isOptional: Whether the value may be null, or `nil` if the column decides.
    ///   - externalName: The name of the attribute if it is external, or `nil` if it has the name of the column.
    func value(
        of column: Entity.Column, at place: DecodedParts.Place, isOptional: Bool? = nil,
        named externalName: String? = nil
    ) throws -> AttributeValue {
        let name = externalName ?? column.name
        let kind =
            column.elementType.map { "list of the type \($0.rawValue)" }
            ?? "value of the type \(column.type.rawValue)"
        guard case .key(let key, let container) = place, try !container.decodeNil(forKey: key) else {
            guard isOptional ?? column.isOptional else { throw error(about: name, "must not be null") }
            return .null
        }
        let decoded: AttributeValue?
        do {
            decoded = try container.decodeValue(of: column, forKey: key)
        } catch let cause as DecodingError {
            throw error(about: name, "is not a \(kind)", at: container.codingPath, cause: cause)
        }
        guard let decoded, column.type.admits(decoded) else {
            throw error(about: name, "is not a \(kind)", at: container.codingPath)
        }
        // Reading the property would end the program.
        guard entity.description.managedObjectClass.canHold(decoded, in: name) else {
            throw error(
                about: name, "has a value that its type in Swift cannot hold", at: container.codingPath)
        }
        return decoded
    }

    /// Returns the ID of the target of a to-one relationship, or `nil` if it is null.
    func target(of name: String) throws -> Int64? {
        try container.decodeNil(forKey: PropertyCodingKey(name)) ? nil : id(forKey: name)
    }

    /// Returns the ID of an object.
    func id(forKey name: String) throws -> Int64 {
        do {
            return try container.decode(Int64.self, forKey: PropertyCodingKey(name))
        } catch let cause as DecodingError {
            throw error(about: name, "is not the id of an object", cause: cause)
        }
    }

    func error(
        about name: String, _ problem: String, at path: [any CodingKey]? = nil, cause: (any Error)? = nil
    ) -> ObjectCodingError {
        ObjectCodingError(
            about: name, of: entity, problem, at: path ?? container.codingPath, cause: cause)
    }

    /// Returns the entity of an object. In a hierarchy, it is the one that the object names.
    ///
    /// - Parameters:
    ///   - decoder: The decoder of the object.
    ///   - declared: The entity of the class or of the relationship.
    ///   - use: The place that limits the entities, as the end of a sentence.
    static func entity(
        of decoder: any Decoder, declared: Entity, in model: ManagedObjectModel, for use: String
    ) throws -> Entity {
        guard declared.inheritance != nil else { return declared }
        let container = try decoder.container(keyedBy: PropertyCodingKey.self)
        let key = PropertyCodingKey(Entity.Inheritance.attribute)
        guard container.contains(key) else { return declared }
        let name = try container.decode(String.self, forKey: key)
        guard let entity = model.entity(named: name), declared.includes(entity) else {
            throw ObjectCodingError(
                about: Entity.Inheritance.attribute, of: declared,
                "has the value \(name), which is not the name of an entity that \(use) can have",
                at: container.codingPath)
        }
        return entity
    }
}
