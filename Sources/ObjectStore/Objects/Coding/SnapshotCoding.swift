extension CodingUserInfoKey {
    /// The key of the ``ManagedObjectModel`` in the `userInfo` of a decoder that decodes an ``ObjectSnapshot``.
    public static let managedObjectModel = {
        guard let key = CodingUserInfoKey(rawValue: "ObjectStore.managedObjectModel") else {
            preconditionFailure("the name of a key is never refused")
        }
        return key
    }()
}

/// A snapshot that encodes itself with the properties of an ``ObjectCoding``.
public struct EncodedSnapshot: Encodable, Sendable {
    let snapshot: SnapshotValues
    let plan: CodingPlan

    public func encode(to encoder: any Encoder) throws {
        try snapshot.encode(to: encoder, plan)
    }
}

extension SnapshotValues {
    /// The key of the store of an object in another store than the first one. No property has such a name.
    private static let storeKey = PropertyCodingKey("@store")

    // MARK: - Encoding

    func encode(to encoder: any Encoder, _ plan: CodingPlan) throws {
        var container = encoder.container(keyedBy: PropertyCodingKey.self)
        try EncodedParts.encode(
            plan.columns(of: entity), of: entity, value: { values[$0] }, in: &container
        ) { try encode($0, plan, in: &$1) }
    }

    private func encode(
        _ name: String, _ plan: CodingPlan, in container: inout KeyedEncodingContainer<PropertyCodingKey>
    ) throws {
        let key = PropertyCodingKey(name)
        switch entity.property(named: name) {
        case .attribute(let column):
            try container.encodeStored(values[column], of: entity.columns[column], forKey: key)
        case .toOne(let column):
            try container.encode(target(of: name, column, plan), forKey: key)
        case .toMany: throw isNotInSnapshot(name)
        case nil where name == "id":
            try container.encode(objectID.id, forKey: key)
            try container.encodeIfPresent(objectID.store?.description, forKey: Self.storeKey)
        case nil: throw ObjectCodingError(about: name, of: entity, "is not a property of the entity")
        }
    }

    /// Returns the ID in a to-one relationship that a plan encodes or sets, or `nil` if there is no target.
    func target(of name: String, _ column: Int, _ plan: CodingPlan) throws -> Int64? {
        if entity.toOne(at: column).description.holdsValue {
            throw ObjectCodingError(
                about: name, of: entity, "is external and not in a snapshot; use the object, or leave it out")
        }
        if plan.nested[name] != nil {
            throw ObjectCodingError(
                about: name, of: entity,
                "is nested, but a snapshot has only the id of the target; use the object, or include the id")
        }
        guard case .integer(let id) = values[column] else { return nil }
        return id
    }

    func isNotInSnapshot(_ name: String) -> ObjectCodingError {
        ObjectCodingError(
            about: name, of: entity,
            "is a to-many relationship, which is not in a snapshot; use the object, or leave it out")
    }

    // MARK: - Decoding

    /// Decodes a snapshot with all its properties.
    init(from decoder: any Decoder, of objectClass: ManagedObject.Type) throws {
        guard let model = decoder.userInfo[.managedObjectModel] as? ManagedObjectModel else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "a snapshot is decoded with the model in userInfo[.managedObjectModel]")
            )
        }
        guard let declared = model.entity(of: objectClass) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "the model in userInfo has no entity of the class \(objectClass)"))
        }
        let entity = try ValueReader.entity(of: decoder, declared: declared, in: model, for: "the class")
        let container = try decoder.container(keyedBy: PropertyCodingKey.self)
        let reader = ValueReader(entity, container)
        let parts = DecodedParts(container: container, entity: entity)
        var values = entity.defaults
        for (column, content) in entity.columns.enumerated()
        where entity.column(named: content.name) == column {
            let isGiven = container.contains(PropertyCodingKey(content.name))
            switch content.content {
            case .attribute:
                if let place = try parts.place(of: content.name) {
                    values[column] = try reader.value(of: content, at: place)
                } else if values[column].isNull, !content.isOptional {
                    throw reader.error(about: content.name, "is required and has no key")
                }
            case .toOne(let relationship) where isGiven && !relationship.description.holdsValue:
                values[column] = try reader.target(of: content.name).map { .integer($0) } ?? .null
            case .toOne: break
            }
        }
        let id = try reader.id(forKey: "id")
        let store = try container.decodeIfPresent(String.self, forKey: Self.storeKey).map { text in
            guard let store = UUIDValue(text) else {
                throw reader.error(about: Self.storeKey.stringValue, "is not the identifier of a store")
            }
            return store
        }
        self.init(
            objectID: ObjectID(entity: entity.storedName, id: id, store: store), entity: entity,
            values: values)
    }
}
