/// A derived attribute of an entity that follows from other attributes of the same object, ready to be computed.
struct DerivedAttribute: Sendable {
    /// The position of the attribute in the entity's columns.
    let column: Int
    /// The columns after whose change the value is computed again: those of the expression, directly or through other
    /// derived attributes, and the attribute itself.
    let triggers: ColumnSet
    /// The expression with the value that replaces nil.
    let text: String
    /// The names of the entities of a hierarchy that have the attribute, or `nil` if there is no hierarchy.
    let entityNames: Set<String>?
    /// Returns the value for an object with an ID and a row of values.
    let value: @Sendable (_ id: Int64, _ row: RowValues) throws -> AttributeValue

    /// Whether the object with a row of values has the attribute.
    func applies(to row: RowValues) -> Bool { row.isOfEntity(in: entityNames) }
}

extension RowValues {
    /// Whether the object is of one of these entities of its hierarchy. It is if there is no hierarchy.
    func isOfEntity(in names: Set<String>?) -> Bool {
        guard let names else { return true }
        guard case .string(let name) = self[Entity.Inheritance.column] else { return false }
        return names.contains(name)
    }
}

extension Entity.Column {
    /// The reason why a program cannot set the attribute, or `nil` if it can.
    var settingProblem: String? {
        derivation.map { "is derived from \($0) and cannot be set" }
    }
}
