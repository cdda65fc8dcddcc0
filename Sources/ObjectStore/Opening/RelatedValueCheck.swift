/// A check of the attributes in a database that are derived from related objects.
enum RelatedValueCheck {
    static func problems(of path: String, _ model: ManagedObjectModel) throws -> [String] {
        guard let derivations = model.relatedDerivations else { return [] }
        let store = try SQLiteStore(path: path, model: model, readOnly: true)
        defer { store.close() }
        return try model.entities.filter { derivations.entities[$0.index] != nil }.flatMap { entity in
            try problems(of: entity, model, in: store)
        }
    }

    private static func problems(
        of entity: Entity, _ model: ManagedObjectModel, in store: SQLiteStore
    ) throws -> [String] {
        guard let values = RelatedValues(of: entity, in: model, from: store) else { return [] }
        var problems: [String] = []
        try values.forEachBatchOfIDs { ids in
            for object in try values.objects(ids).sorted(by: { $0.id < $1.id }) {
                for (attribute, value) in object.values where value != object.row[attribute.column] {
                    problems.append(
                        "\(entity.name) \(object.id): \(entity.columns[attribute.column].name) "
                            + "differs from its expression")
                }
            }
        }
        return problems
    }
}
