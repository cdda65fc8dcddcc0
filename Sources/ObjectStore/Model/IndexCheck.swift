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
        }
    }
}
