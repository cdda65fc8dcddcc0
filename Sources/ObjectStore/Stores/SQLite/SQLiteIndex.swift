/// An index of a table. Its name consists of its keys and its condition.
///
///     CREATE INDEX "Book published where ""inPrint"" = 1" ON "Book" ("published") WHERE "inPrint" = 1
struct SQLiteIndex {
    let name: String
    let sql: String

    init(_ index: IndexDescription, of entity: Entity, in model: ManagedObjectModel) throws {
        let keys = index.keys.map { SQLFragment.quoted($0.name) + ($0.isAscending ? "" : " DESC") }
        var name =
            "\(entity.name) "
            + index.keys.map { $0.name + ($0.isAscending ? "" : " desc") }.joined(separator: ",")
        var condition = ""
        if let predicate = index.condition {
            // CREATE INDEX allows neither bindings nor an alias of the table.
            let scope = SQLScope(columnsOf: entity, model: model)
            let fragment = try SQLPredicate(scope: scope, isForQuery: false).condition(predicate)
            guard fragment.bindings.isEmpty, scope.isOneTable else {
                throw FetchError(
                    .unsupported, "an index can only compare attributes of its entity with constants")
            }
            name += " where " + fragment.text
            condition = " WHERE " + fragment.text
        }
        self.name = name
        sql =
            "CREATE INDEX \(SQLFragment.quoted(name)) ON \(SQLFragment.quoted(entity.name)) "
            + "(\(keys.joined(separator: ", ")))\(condition)"
    }

    /// Returns the indexes that the model declares, and one for each reference, each unique attribute and each set of
    /// properties that are unique together.
    ///
    /// No index is added for a reference or an attribute if a declared index without a condition begins with it.
    static func all(of entity: Entity, in model: ManagedObjectModel) throws -> [SQLiteIndex] {
        let declared = entity.description.indexes.filter { $0.kind == .values }
        let constraints = entity.constraints.filter { $0.columns.count > 1 }.map { rule in
            IndexDescription(
                keys: rule.columns.map { .init(name: entity.columns[$0].name, isAscending: true) })
        }
        let leading = Set(
            (declared.filter { $0.condition == nil } + constraints).compactMap(\.keys.first?.name))
        let references = entity.columns[entity.firstToOne...].map(\.name)
        let unique = entity.uniqueRules.filter(\.options.isEmpty).compactMap(\.onlyColumn)
            .map { entity.columns[$0].name }
        let own = (references + unique).filter { !leading.contains($0) }.map { IndexDescription.index($0) }
        var seen: Set<String> = []
        return try (declared + constraints + own).map { try SQLiteIndex($0, of: entity, in: model) }
            .filter { seen.insert($0.name).inserted }
    }
}

extension IndexDescription {
    /// Throws an error if the condition of the index is one that no index can have.
    func requireIndexableCondition(of entity: Entity, in model: ManagedObjectModel) throws {
        _ = try SQLiteIndex(self, of: entity, in: model)
    }
}
