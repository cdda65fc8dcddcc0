/// A derived attribute of an entity, ready to be computed.
struct DerivedAttribute: Sendable {
    /// The position of the attribute in the entity's columns.
    let column: Int
    /// The columns after whose change the value is computed again: those of the expression, directly or through other
    /// derived attributes, and the attribute itself.
    let triggers: ColumnSet
    /// Returns the value for an object with an ID and a row of values.
    let value: @Sendable (_ id: Int64, _ row: RowValues) throws -> AttributeValue
}

extension Entity.Column {
    /// The reason why a program cannot set the attribute, or `nil` if it can.
    var settingProblem: String? {
        derivation.map { "is derived from \($0) and cannot be set" }
    }
}
