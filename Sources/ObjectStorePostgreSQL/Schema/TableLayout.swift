internal import ObjectStore
internal import PostgreSQLDriver

/// The table of an entity, or of a hierarchy of entities.
///
///     "id" bigint, "_version" bigint NOT NULL DEFAULT 1, "title" text COLLATE "C", …
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
        /// The quoted name of the check for numbers. PostgreSQL would make one of the name that the table has at first.
        private let check: String

        init(_ name: String, _ content: Content, _ type: PostgreSQLType) throws(PostgreSQLError) {
            self.name = try StoredName.quoted(name)
            self.content = content
            self.type = type
            check = try StoredName.quoted("\(name) is a number")
        }

        /// The definition of the column. Texts are ordered by their bytes, whatever the collation of the database is.
        ///
        /// NaN would be greater than all numbers, and equal to itself.
        var definition: String {
            switch type {
            case .text: "\(name) text COLLATE \"C\""
            case .double, .numeric:
                "\(name) \(type.sqlName) CONSTRAINT \(check) CHECK (\(name) <> 'NaN')"
            default: "\(name) \(type.sqlName)"
            }
        }

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
    /// The quoted name of the primary key.
    let key: String
    /// The name of the sequence of IDs, without quotes. Only programs that share the store use it.
    let sequence: String
    /// The columns of the properties in the order of the entity, followed by the folded ones.
    let columns: [Column]
    /// The columns of a row as the reader reads it: the ID, the version, and the properties.
    let selection: String

    init(_ entity: Entity, prefix: String) throws(PostgreSQLError) {
        self.entity = entity
        name = try StoredName.quoted(prefix + entity.storedName)
        // No index of the model has a name that begins with `_`.
        key = try StoredName.quoted("\(prefix)_\(entity.storedName) key")
        sequence = StoredName.name(of: "_\(entity.storedName) ids")
        var columns: [Column] = []
        for (position, column) in entity.columns.enumerated() {
            columns.append(try Column(column.name, .value(position), PostgreSQLType(column.type)))
        }
        let names = columns.map(\.name)
        for rule in entity.uniqueRules {
            guard let position = rule.onlyColumn, !rule.options.isEmpty else { continue }
            let content = Column.Content.folded(position, rule.options)
            guard !columns.contains(where: { $0.content == content }) else { continue }
            let name = "_\(entity.columns[position].name) folded \(rule.options.rawValue)"
            columns.append(try Column(name, content, .text))
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
    /// The quoted name of the primary key.
    let key: String

    init(_ link: ManagedObjectModel.LinkTable, prefix: String) throws(PostgreSQLError) {
        self.link = link
        name = try StoredName.quoted(prefix + link.name)
        key = try StoredName.quoted("\(prefix)_\(link.name) key")
    }
}

/// The tables of a model.
struct Layout {
    let model: ManagedObjectModel
    let tables: [TableLayout]
    let links: [LinkLayout]
    /// The quoted name of the table with the largest IDs, and that of its primary key.
    let largestIDs: (name: String, key: String)

    /// Names the tables of a model.
    ///
    /// - Parameter prefix: The beginning of the names of all tables while a migration fills them.
    init(_ model: ManagedObjectModel, prefix: String = "") throws(PostgreSQLError) {
        self.model = model
        var tables: [TableLayout] = []
        for entity in model.entities { tables.append(try TableLayout(entity, prefix: prefix)) }
        self.tables = tables
        var links: [LinkLayout] = []
        for link in model.links { links.append(try LinkLayout(link, prefix: prefix)) }
        self.links = links
        largestIDs = (
            try StoredName.quoted("\(prefix)_largestIDs"), try StoredName.quoted("\(prefix)_largestIDs key")
        )
    }

    /// The quoted names of all tables and their primary keys.
    var names: [(table: String, key: String)] {
        // One after the other, because of the time that the type checker needs for the sum.
        var names = tables.map { (table: $0.name, key: $0.key) }
        names += links.map { (table: $0.name, key: $0.key) }
        names.append((table: largestIDs.name, key: largestIDs.key))
        return names
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
}
