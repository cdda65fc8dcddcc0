internal import ObjectStore
internal import PostgreSQLDriver

/// The foreign keys of the tables. They are checked at the end of a transaction.
struct SchemaReferences {
    /// A column with the IDs of other objects.
    struct Reference {
        /// The quoted name of the constraint.
        let constraint: String
        /// The quoted names of the table and the column.
        let table: String
        let column: String
        /// The quoted name of the other table.
        let destination: String
        /// The entity and the relationship, or the name of a table of pairs.
        let owner: Owner

        enum Owner {
            case object(Entity, column: Int)
            case pair(String)

            /// The owner in messages.
            var description: String {
                switch self {
                case .object(let entity, let column): "\(entity.name).\(entity.columns[column].name)"
                case .pair(let name): "a pair of \(name)"
                }
            }
        }
    }

    let all: [Reference]

    init(_ layout: Layout) throws(PostgreSQLError) {
        var all: [Reference] = []
        for table in layout.tables {
            let entity = table.entity
            for position in entity.firstToOne..<entity.columns.count {
                guard case .toOne(let relationship) = entity.columns[position].content else { continue }
                all.append(
                    Reference(
                        constraint: try StoredName.quoted(
                            "\(entity.storedName).\(relationship.name) reference"),
                        table: table.name, column: table.columns[position].name,
                        destination: layout.tables[relationship.destinationIndex].name,
                        owner: .object(entity, column: position)))
            }
        }
        for table in layout.links {
            for (column, end) in [("owner", table.link.ownerIndex), ("other", table.link.otherIndex)] {
                all.append(
                    Reference(
                        constraint: try StoredName.quoted("\(table.link.name).\(column) reference"),
                        table: table.name, column: "\"\(column)\"", destination: layout.tables[end].name,
                        owner: .pair(table.link.name)))
            }
        }
        self.all = all
    }

    /// Returns the reference with a constraint of this name, without quotes, or `nil` if there is none.
    func reference(ofConstraint name: String) throws(PostgreSQLError) -> Reference? {
        let quoted = try PostgreSQLName.quoted(name)
        return all.first { $0.constraint == quoted }
    }

    /// The statements that check all references now, and at the end of the transaction again. They are `nil` if there are no
    /// references.
    ///
    ///     SAVEPOINT "references"; SET CONSTRAINTS … IMMEDIATE; SET CONSTRAINTS … DEFERRED; RELEASE "references"
    var check: String? {
        guard !all.isEmpty else { return nil }
        let names = all.map(\.constraint).joined(separator: ", ")
        return "SAVEPOINT \"references\"; SET CONSTRAINTS \(names) IMMEDIATE; "
            + "SET CONSTRAINTS \(names) DEFERRED; RELEASE \"references\""
    }
}
