/// A check that the indexes of an entity name existing columns and that SQL can express their conditions.
enum IndexCheck {
    /// Checks the conditions of all indexes. The model has to be complete.
    static func checkConditions(of model: ManagedObjectModel) throws(ModelError) {
        for entity in model.entities {
            for index in entity.description.indexes {
                do {
                    try index.requireIndexableCondition(of: entity, in: model)
                } catch {
                    throw ModelError(
                        .invalidIndex, entity: entity.name, property: index.keys[0].name,
                        message: "the condition of an index: \(error)")
                }
            }
        }
    }

    static func check(_ entity: Entity) throws(ModelError) {
        for index in entity.description.indexes {
            guard !index.keys.isEmpty else {
                throw ModelError(
                    .invalidIndex, entity: entity.name, property: nil, message: "an index has no keys")
            }
            for key in index.keys where entity.column(named: key.name) == nil {
                throw ModelError(
                    .invalidIndex, entity: entity.name, property: key.name,
                    message:
                        "an index names it, but the entity has no attribute or to-one relationship of this name"
                )
            }
            if index.kind == .search { try checkSearch(index, of: entity) }
        }
        var seen: Set<Set<String>> = []
        for names in entity.description.uniqueness {
            try checkUniqueness(names, of: entity)
            guard seen.insert(Set(names)).inserted else {
                throw ModelError(
                    .invalidIndex, entity: entity.name, property: names[0],
                    message: "the properties \(names.joined(separator: ", ")) are declared unique twice")
            }
        }
    }

    /// Checks the keys of a search index, which are columns of the entity.
    private static func checkSearch(_ index: IndexDescription, of entity: Entity) throws(ModelError) {
        for (position, key) in index.keys.enumerated() {
            let complaint: String
            if entity.column(named: key.name).map({ entity.columns[$0].type }) != .string {
                complaint = "a search index names it, but it is not an attribute of the type string"
            } else if ["rank", "rowid"].contains(key.name.lowercased()) {
                complaint = "a search index names it, but FTS5 uses this name itself; choose another name"
            } else if index.keys[..<position].contains(where: { $0.name == key.name }) {
                complaint = "a search index names it twice"
            } else if entity.description.searchIndex(of: key.name) != index {
                complaint = "two search indexes name it"
            } else {
                continue
            }
            throw ModelError(.invalidIndex, entity: entity.name, property: key.name, message: complaint)
        }
        guard index.condition == nil else {
            throw ModelError(
                .invalidIndex, entity: entity.name, property: index.keys[0].name,
                message: "a search index cannot have a condition")
        }
    }

    /// Checks one set of properties whose values are unique together.
    private static func checkUniqueness(_ names: [String], of entity: Entity) throws(ModelError) {
        guard !names.isEmpty else {
            throw ModelError(
                .invalidIndex, entity: entity.name, message: "a set of unique properties is empty")
        }
        for (position, name) in names.enumerated() {
            let complaint: String
            if let column = entity.column(named: name) {
                guard entity.columns[column].type == .binary || names[..<position].contains(name) else {
                    continue
                }
                complaint =
                    entity.columns[column].type == .binary
                    ? "is a binary value, which cannot be unique"
                    : "is named twice by a set of unique properties"
            } else {
                complaint =
                    "a set of unique properties names it, but the entity has no attribute or to-one relationship of this name"
            }
            throw ModelError(.invalidIndex, entity: entity.name, property: name, message: complaint)
        }
    }
}
