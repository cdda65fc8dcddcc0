/// One entity of a checked model: its description with every name resolved.
///
/// The values of an object stand in the order of `columns`: the attributes as they were declared, then
/// the to-one relationships as they were declared. Stores exchange rows in this order.
public final class Entity: Sendable {
    /// One value that every object of the entity has.
    public final class Column: Sendable {
        public enum Content: Sendable {
            case attribute(AttributeDescription)
            /// The id of the object at the other end, an integer.
            case toOne(Relationship)
        }

        public let name: String
        public let content: Content
        /// The type of its values; `integer64` for a relationship.
        public let type: AttributeType
        public let isOptional: Bool
        /// The rules of an attribute; none for a relationship.
        let rules: [ValidationRule]
        /// Those of its rules that are regular expressions, compiled.
        let patterns: [RegularExpression]

        init(name: String, content: Content, type: AttributeType, isOptional: Bool) {
            self.name = name
            self.content = content
            self.type = type
            self.isOptional = isOptional
            if case .attribute(let attribute) = content { rules = attribute.rules } else { rules = [] }
            // The model has refused those that do not compile.
            patterns = rules.compactMap { rule in
                if case .pattern(let pattern) = rule { try? RegularExpression(pattern, []) } else { nil }
            }
        }
    }

    /// One end of a relationship, resolved.
    public final class Relationship: Sendable {
        public let description: RelationshipDescription
        /// The position in the model of the entity at the other end.
        public let destinationIndex: Int
        /// Where the inverse stands in that entity.
        public let inverse: Property
        /// Set when both ends are to-many: the pairs of ids then have a table of their own.
        public let link: Link?

        public var name: String { description.name }

        init(description: RelationshipDescription, destinationIndex: Int, inverse: Property, link: Link?) {
            self.description = description
            self.destinationIndex = destinationIndex
            self.inverse = inverse
            self.link = link
        }
    }

    /// The table of a many-to-many relationship, as one end sees it.
    public struct Link: Hashable, Sendable {
        /// The entity and the relationship whose names come first in the alphabet own the table.
        public let table: String
        /// The position of the table among those of the model.
        public let index: Int
        /// Whether this end is the one that owns it.
        public let isOwner: Bool
    }

    /// Where a property stands in its entity.
    public enum Property: Hashable, Sendable {
        /// The position among `columns`: an attribute.
        case attribute(Int)
        /// The position among `columns`: a to-one relationship.
        case toOne(Int)
        /// The position among `toMany`.
        case toMany(Int)
    }

    /// A unique rule and the column that it is about.
    struct UniqueRule: Sendable {
        let column: Int
        let options: FetchPredicate.StringOptions
    }

    public let description: EntityDescription
    /// The position in the model.
    public let index: Int
    public let columns: [Column]
    public let toMany: [Relationship]
    /// All relationships, as they were declared.
    public let relationships: [Relationship]
    let properties: [String: Property]
    /// The types of the columns, close together for the reading of rows.
    let columnTypes: [AttributeType]
    /// The columns where a row that was read without a value has to be looked at: it may be damaged.
    let columnsToCheck: ColumnSet
    /// The first column that holds a to-one relationship.
    let firstToOne: Int
    /// What a new object begins with.
    let defaults: [AttributeValue]
    let uniqueRules: [UniqueRule]

    public var name: String { description.name }

    init(
        description: EntityDescription, index: Int, columns: [Column], toMany: [Relationship],
        properties: [String: Property]
    ) {
        self.description = description
        self.index = index
        self.columns = columns
        self.toMany = toMany
        self.properties = properties
        let toOne = columns.compactMap { column in
            if case .toOne(let relationship) = column.content { relationship } else { nil }
        }
        relationships = description.relationships.compactMap { declared in
            (toOne + toMany).first { $0.name == declared.name }
        }
        self.columnTypes = columns.map(\.type)
        var columnsToCheck = ColumnSet.none
        for (position, column) in columns.enumerated() where !column.isOptional || column.type == .uuid {
            columnsToCheck.insert(position)
        }
        self.columnsToCheck = columnsToCheck
        self.firstToOne = description.attributes.count
        self.uniqueRules = description.attributes.enumerated().flatMap { column, attribute in
            attribute.rules.compactMap { rule in
                if case .unique(let options) = rule {
                    UniqueRule(column: column, options: options)
                } else {
                    nil
                }
            }
        }
        self.defaults = columns.map { column in
            if case .attribute(let attribute) = column.content { attribute.defaultValue } else { .null }
        }
    }

    /// The property of that name; nil when there is none.
    public func property(named name: String) -> Property? {
        properties[name]
    }

    /// The position among `columns` of the attribute or to-one relationship of that name.
    public func column(named name: String) -> Int? {
        switch properties[name] {
        case .attribute(let column), .toOne(let column): column
        default: nil
        }
    }

    /// The relationship of that name; nil when it is an attribute, or nothing.
    public func relationship(named name: String) -> Relationship? {
        properties[name].flatMap(relationship(at:))
    }

    func relationship(at property: Property) -> Relationship? {
        switch property {
        case .attribute: return nil
        case .toOne(let column):
            guard case .toOne(let relationship) = columns[column].content else { return nil }
            return relationship
        case .toMany(let position): return toMany[position]
        }
    }

    /// The relationship in a column that is known to hold one.
    func toOne(at column: Int) -> Relationship {
        guard case .toOne(let relationship) = columns[column].content else {
            preconditionFailure("\(name).\(columns[column].name) is not a to-one relationship")
        }
        return relationship
    }
}
