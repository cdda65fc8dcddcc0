/// The resolved expression of a derived attribute.
struct Derivation: Sendable {
    /// The columns of the object that the expression uses, including its to-one relationships.
    var columns: Set<Int> = []
    /// The columns that the expression uses for each object of a to-many relationship.
    var columnsInAggregates: Set<Int> = []
    /// The columns of the objects at the other end of to-one relationships, by the column of the relationship.
    var targets: [Int: Set<Int>] = [:]
    /// The columns of the objects in to-many relationships, by the position of the relationship.
    var members: [Int: Set<Int>] = [:]
    /// The positions of to-many relationships whose objects are not only counted.
    var membersToRead: Set<Int> = []
    /// Returns the value for an object, if the expression uses no relationships.
    let value: @Sendable (_ id: Int64, _ row: RowValues) throws -> AttributeValue
    /// Begins the computation of the value for an object.
    let begin: @Sendable (DerivationInput) -> any DerivationInProgress

    var usesRelationships: Bool { !targets.isEmpty || !members.isEmpty }
}

/// An object whose derived attribute is computed from related objects.
struct DerivationInput {
    let id: Int64
    let row: RowValues
    /// The objects at the other end of its to-one relationships, by the column of the relationship.
    let targets: [Int: (id: Int64, row: RowValues)]
}

/// The computation of a derived attribute of one object. It gets the members of its to-many relationships one by one.
protocol DerivationInProgress: AnyObject {
    /// Adds a member of the to-many relationship at a position.
    func add(_ id: Int64, _ row: RowValues, along position: Int) throws
    /// Adds members of a to-many relationship whose objects are only counted.
    func add(count: Int64, along position: Int)
    /// Returns the value after all members were added.
    func value() throws -> AttributeValue
}
