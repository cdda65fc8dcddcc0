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
        let names = plan.columns(of: entity)
        let parts = DecodedParts(container: container, entity: entity)
        if plan.refusesUnknownKeys, let unknown = try parts.unknownKey(besides: names) {
            throw ObjectCodingError(
                about: unknown, of: entity, "is not one of the decoded properties", at: container.codingPath)
        }
        let reader = ValueReader(entity, container)
        var values: [(name: String, value: AttributeValue)] = []
        for name in names {
            switch entity.property(named: name) {
            case .attribute(let column) where !isLeftOut(column):
                guard let place = try parts.place(of: name) else { continue }
                values.append((name, try reader.value(of: entity.columns[column], at: place)))
            case .toOne(let column):
                guard container.contains(PropertyCodingKey(name)),
                    let external = externalColumn(entity.toOne(at: column))
                else { continue }
                let isOptional = entity.columns[column].isOptional
                let place = DecodedParts.Place.key(PropertyCodingKey(name), container)
                values.append(
                    (name, try reader.value(of: external, at: place, isOptional: isOptional, named: name)))
            default: break
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
            case .toOne(let column) where externalColumn(entity.toOne(at: column)) == nil:
                try readTarget(name, column, container)
            case .toOne: break
            case .toMany(let position): try readMembers(name, position, container)
            // The ID of an object is given by the context.
            case nil where name == "id": break
            case nil: throw error(about: name, "is not a property of the entity", container)
            }
        }
    }

    /// Sets the properties to the values of a snapshot.
    func read(_ snapshot: SnapshotValues) throws {
        let entity = snapshot.entity
        guard entity.name == self.entity.name else {
            throw ObjectCodingError(
                about: "id", of: self.entity, "is that of \(snapshot.objectID), which is of another entity")
        }
        for name in plan.columns(of: entity) {
            switch entity.property(named: name) {
            case .attribute(let column):
                let isEntityName = entity.inheritance != nil && column == Entity.Inheritance.column
                let isLeftOut = plan.names == nil && entity.columns[column].derivation != nil
                if !isEntityName, !isLeftOut {
                    try object.setValue(snapshot.values[column], of: name)
                }
            case .toOne(let column):
                let id = try snapshot.target(of: name, column, plan)
                let relationship = self.entity.relationship(named: name)
                let target = try relationship.flatMap { relationship in
                    try id.map { try member($0, of: relationship, []) }
                }
                try object.setTarget(target, of: name)
            case .toMany: throw snapshot.isNotInSnapshot(name)
            case nil where name == "id": break
            case nil: throw ObjectCodingError(about: name, of: entity, "is not a property of the entity")
            }
        }
    }

    /// Whether a coding of all attributes leaves an attribute out, because a save computes it.
    private func isLeftOut(_ column: Int) -> Bool {
        plan.names == nil && entity.columns[column].derivation != nil
    }

    /// Returns the column with the values of an external attribute, or `nil` for any other relationship.
    private func externalColumn(_ relationship: Entity.Relationship) -> Entity.Column? {
        guard relationship.description.holdsValue else { return nil }
        return object.context?.model.destination(of: relationship).columns[0]
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

    // MARK: - Relationships

    private func readTarget(
        _ name: String, _ column: Int, _ container: KeyedDecodingContainer<PropertyCodingKey>
    ) throws {
        let key = PropertyCodingKey(name)
        let relationship = entity.toOne(at: column)
        guard let nested = plan.nested[name] else {
            let id = try ValueReader(entity, container).target(of: name)
            return try object.setTarget(
                id.map { try member($0, of: relationship, container.codingPath) }, of: name)
        }
        if try container.decodeNil(forKey: key) { return try object.setTarget(nil, of: name) }
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
            return related.replace(
                with: try ids.map { try member($0, of: relationship, container.codingPath) })
        }
        guard isNew else {
            throw error(about: name, "has nested objects, which are decoded for a new object only", container)
        }
        var list = try container.nestedUnkeyedContainer(forKey: key)
        while !list.isAtEnd { related.insert(try insert(relationship, nested, list.superDecoder())) }
    }

    private func member(
        _ id: Int64, of relationship: Entity.Relationship, _ path: [any CodingKey]
    ) throws -> ManagedObject {
        guard let context = object.context else {
            throw object.contextIsGone("changed", property: relationship.name)
        }
        let registry = context.registry(ofEntityAt: relationship.destinationIndex, besides: object)
        guard let member = try context.object(id, in: registry) else {
            throw ObjectCodingError(
                about: relationship.name, of: entity,
                "refers to \(registry.objectID(id)), which does not exist", at: path)
        }
        guard context.model.declaredDestination(of: relationship).includes(member.entity) else {
            throw ObjectCodingError(
                about: relationship.name, of: entity,
                "refers to \(member.objectID), which is of the entity \(member.entity.name)", at: path)
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
        let model = context.model
        let entity = try ValueReader.entity(
            of: decoder, declared: model.declaredDestination(of: relationship), in: model,
            for: "the relationship")
        let nested = try context.insert(into: entity)
        inserted.append(nested)
        try context.assign(nested, to: context.store(of: object))
        try read(decoder, into: nested, plan, isNew: true)
        return nested
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
