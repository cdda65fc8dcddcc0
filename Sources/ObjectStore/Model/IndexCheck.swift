/// Whether the indexes of an entity name columns of it, and whether their conditions can be kept by SQL.
enum IndexCheck {
    static func check(_ entity: Entity) throws(ModelError) {
        for index in entity.description.indexes {
            guard !index.keys.isEmpty else {
                throw ModelError(.invalidIndex, entity.name, nil, "an index has no keys")
            }
            for key in index.keys where entity.column(named: key.name) == nil {
                throw ModelError(
                    .invalidIndex, entity.name, key.name,
                    "an index names it, but the entity has no attribute or to-one relationship of this name")
            }
        }
    }
}
