internal import ObjectStore
internal import PostgreSQLDriver

/// The table of an entity, or of a hierarchy of entities.
///
///     "id" bigint PRIMARY KEY, "_version" bigint NOT NULL DEFAULT 1, "title" text COLLATE "C", …
///
/// The columns have no NOT NULL, because a context also writes incomplete objects for its fetches to see. A save checks the
/// rules before it commits.
struct TableLayout {
    /// A column of the table.
    struct Column {
        enum Content: Hashable {
            /// The values of a property, at this position in the entity's columns.
            case value(Int)
            /// The texts of an attribute without the differences that a rule for unique values ignores. The program computes
            /// them, because the server knows another version of Unicode.
            case folded(Int, StringOptions)
        }

        /// The quoted name.
        let name: String
        let content: Content
        let type: PostgreSQLType

        /// Whether the column has the values of a property.
        var isOfProperty: Bool { if case .value = content { true } else { false } }

        /// The position of the property in the entity's columns.
        var position: Int {
            switch content {
            case .value(let position), .folded(let position, _): position
            }
        }
    }

    let entity: Entity
    /// The quoted name.
    let name: String
    /// The name of the sequence of IDs, without quotes. Only programs that share the store use it.
    let sequence: String
    /// The columns of the properties in the order of the entity, followed by the folded ones.
    let columns: [Column]
    /// The columns of a row as the reader reads it: the ID, the version, and the properties.
    let selection: String

    init(_ entity: Entity) throws(PostgreSQLError) {
        self.entity = entity
        name = try StoredName.quoted(entity.storedName)
        sequence = StoredName.name(of: "\(entity.storedName) ids")
        var columns: [Column] = []
        for (position, column) in entity.columns.enumerated() {
            columns.append(
                Column(
                    name: try StoredName.quoted(column.name), content: .value(position),
                    type: PostgreSQLType(column.type)))
        }
        let names = columns.map(\.name)
        for rule in entity.uniqueRules {
            guard let position = rule.onlyColumn, !rule.options.isEmpty else { continue }
            let content = Column.Content.folded(position, rule.options)
            guard !columns.contains(where: { $0.content == content }) else { continue }
            let name = "_\(entity.columns[position].name) folded \(rule.options.rawValue)"
            columns.append(Column(name: try StoredName.quoted(name), content: content, type: .text))
        }
        self.columns = columns
        selection = (["\"id\"", "\"_version\""] + names).joined(separator: ", ")
    }

    /// Returns the column with the folded texts of an attribute, or `nil` if there is none.
    func foldedColumn(of position: Int, _ options: StringOptions) -> Column? {
        columns.first { $0.content == .folded(position, options) }
    }
}

/// The table of a many-to-many relationship.
struct LinkLayout {
    let link: ManagedObjectModel.LinkTable
    /// The quoted name.
    let name: String

    init(_ link: ManagedObjectModel.LinkTable) throws(PostgreSQLError) {
        self.link = link
        name = try StoredName.quoted(link.name)
    }
}

/// The tables of a model.
struct Layout {
    let model: ManagedObjectModel
    let tables: [TableLayout]
    let links: [LinkLayout]

    init(_ model: ManagedObjectModel) throws(PostgreSQLError) {
        self.model = model
        var tables: [TableLayout] = []
        for entity in model.entities { tables.append(try TableLayout(entity)) }
        self.tables = tables
        var links: [LinkLayout] = []
        for link in model.links { links.append(try LinkLayout(link)) }
        self.links = links
    }

    /// Returns the table with the objects of an entity.
    func table(of entity: Entity) -> TableLayout { tables[entity.index] }
}

extension PostgreSQLType {
    /// The type of the column for an attribute.
    init(_ type: AttributeType) {
        switch type {
        case .string, .uri: self = .text
        // One type for all widths, because unsaved values may not fit their attribute.
        case .integer16, .integer32, .integer64: self = .integer
        case .boolean: self = .boolean
        // A timestamp would round to microseconds.
        case .double, .date: self = .double
        case .decimal: self = .numeric
        case .uuid: self = .uuid
        case .binary: self = .bytes
        }
    }

    /// Returns the definition of a column. Texts are ordered by their bytes, whatever the collation of the database is.
    ///
    /// NaN would be greater than all numbers, and equal to itself.
    func definition(ofColumn name: String) -> String {
        switch self {
        case .text: "\(name) text COLLATE \"C\""
        case .double, .numeric: "\(name) \(sqlName) CHECK (\(name) <> 'NaN')"
        default: "\(name) \(sqlName)"
        }
    }
}
