/// The rows to which an index narrows a predicate: one row, the rows with one value, the rows related to one
/// object, or all rows.
enum RowCandidates {
    case all
    case identity(Int64)
    case value(Entity, column: Int, AttributeValue, StringOptions)
    /// The rows with these values in columns that are unique together.
    case values(Entity, columns: [Int], [AttributeValue])
    /// The objects that have the object with this ID as a member of a many-to-many relationship.
    case related(Entity.Relationship, of: Int64)

    init(_ predicate: ResolvedPredicate) {
        self = Self.find(predicate.condition, predicate.entity) ?? .all
    }

    /// Returns the IDs of the rows to evaluate the predicate for, or `nil` for all rows.
    func ids(in source: some RowSource, model: ManagedObjectModel) throws -> [Int64]? {
        switch self {
        case .all: return nil
        case .identity(let id): return [id]
        case .value(let entity, let column, let value, let options):
            return try source.ids(of: entity, at: column, equal: value, options: options)
        case .values(let entity, let columns, let values):
            return try source.ids(of: entity, at: columns, equal: values)
        case .related(let relationship, let id):
            guard let link = relationship.link else { return nil }
            let inverse = Entity.Link(
                table: link.table, index: link.index, isOwner: !link.isOwner, isSymmetric: link.isSymmetric)
            return try source.linkedIDs(inverse, of: id)
        }
    }

    func explanation(_ entity: Entity) -> String {
        switch self {
        case .all: "scan every \(entity.name)"
        case .identity: "look up one \(entity.name) by its id"
        case .value(_, let column, _, _): "look up \(entity.name) by \(entity.columns[column].name)"
        case .values(_, let columns, _):
            "look up \(entity.name) by \(columns.map { entity.columns[$0].name }.joined(separator: ", "))"
        case .related(let relationship, _): "look up \(entity.name) by \(relationship.name)"
        }
    }

    /// Returns the candidates of a condition, or `nil` if no index applies. If several conditions all have to
    /// hold, the first one with an index decides.
    private static func find(_ condition: ResolvedCondition, _ entity: Entity) -> RowCandidates? {
        switch condition {
        case .and(let conditions):
            return constraint(conditions, entity) ?? conditions.lazy.compactMap { find($0, entity) }.first
        case .compare(let left, .equal, .constant(let constant, _), let options),
            .compare(.constant(let constant, _), .equal, let left, let options):
            return find(left, constant: constant, options: options, entity: entity)
        case .exists(
            let collection, .compare(.identity(let frame), .equal, .constant(.integer(let id), _), _)):
            guard collection.steps.count == 1, let step = collection.steps.first, step.frame == frame,
                step.source.frame == 0, step.source.hops.isEmpty,
                case .toMany(let position) = step.relationship
            else { return nil }
            let relationship = entity.toMany[position]
            return relationship.link == nil ? nil : .related(relationship, of: id)
        default:
            return nil
        }
    }

    /// Returns the rows with the values that the conditions name for all columns that are unique together.
    private static func constraint(_ conditions: [ResolvedCondition], _ entity: Entity) -> RowCandidates? {
        for rule in entity.constraints where rule.columns.count > 1 {
            let values = rule.columns.compactMap { column in
                conditions.lazy.compactMap { value(of: column, in: $0) }.first
            }
            if values.count == rule.columns.count {
                return .values(entity, columns: rule.columns, values)
            }
        }
        return nil
    }

    /// Returns the constant to which a condition compares a column, or `nil` if the condition is another one.
    private static func value(of column: Int, in condition: ResolvedCondition) -> AttributeValue? {
        guard case .compare(.column(let path, column), .equal, .constant(let constant, _), []) = condition,
            path.frame == 0, path.hops.isEmpty, !constant.isNull
        else { return nil }
        return constant
    }

    private static func find(
        _ operand: ResolvedValue, constant: AttributeValue, options: StringOptions,
        entity: Entity
    ) -> RowCandidates? {
        switch (operand, constant) {
        case (_, .null): nil
        case (.identity(frame: 0), .integer(let id)): .identity(id)
        case (.column(let path, let column), _)
        where path.frame == 0 && path.hops.isEmpty && entity.isIndexed(column, options):
            .value(entity, column: column, constant, options)
        default: nil
        }
    }
}

extension Entity {
    /// Whether rows in memory have an index for a column. Only references and unique attributes have one.
    func isIndexed(_ column: Int, _ options: StringOptions) -> Bool {
        column >= firstToOne || uniqueRules.contains { $0.onlyColumn == column && $0.options == options }
    }
}
