/// One entity of a checked model, with all names resolved.
///
/// The values of an object have the order of `columns`: first the attributes and then the to-one relationships, each
/// in the order of declaration. Stores read and write rows in this order.
///
/// The entities of a hierarchy share a table, so all of them have the columns of the table, in the same order. The
/// properties of an entity have a name in it, and the other columns are nil in its objects.
public final class Entity: Sendable {
    /// An attribute or a to-one relationship, which has one value in each object of the entity.
    public final class Column: Sendable {
        /// The property of a column.
        public enum Content: Sendable {
            /// An attribute.
            case attribute(AttributeDescription)
            /// A to-one relationship. Its value is the ID of the destination object, an integer.
            case toOne(Relationship)
        }

        /// The name of the property.
        public let name: String
        /// The property of the column.
        public let content: Content
        /// The type of the values, which is `integer64` for a relationship.
        public let type: AttributeType
        /// Whether an object may be saved without a value.
        public let isOptional: Bool
        /// The rules of an attribute. A relationship has none.
        let rules: [ValidationRule]
        /// The expression of a derived attribute, or `nil` for every other column.
        let derivation: String?
        /// The type of the elements if the column is a list, or `nil`.
        let elementType: AttributeType?
        /// An entity whose objects stand for the elements of a list in predicates. Its only column has their value.
        let elements: Entity?
        /// The compiled regular expressions of the `pattern` rules.
        let patterns: [RegularExpression]

        init(name: String, content: Content, type: AttributeType, isOptional: Bool) {
            self.name = name
            self.content = content
            self.type = type
            self.isOptional = isOptional
            if case .attribute(let attribute) = content {
                (rules, elementType) = (attribute.rules, attribute.elementType)
                derivation = attribute.derivedFrom
            } else {
                (rules, elementType, derivation) = ([], nil, nil)
            }
            elements = elementType.map { Entity(elementsOf: name, $0) }
            // `RuleCheck` has rejected every pattern that does not compile.
            patterns = rules.compactMap { rule in
                if case .pattern(let pattern) = rule { try? RegularExpression(pattern, []) } else { nil }
            }
        }
    }

    /// One side of a relationship, resolved.
    public final class Relationship: Sendable {
        /// The relationship as it was declared.
        public let description: RelationshipDescription
        /// The position of the destination entity in the model.
        public let destinationIndex: Int
        /// The position of the inverse relationship in the destination entity.
        public let inverse: Property
        /// The table of the pairs of IDs if both sides are to-many, or `nil`.
        public let link: Link?
        /// The column of the destination that keeps the order of a to-many relationship, or `nil`.
        let orderColumn: Int?
        /// The name of the entity that has the table of the destination.
        let storedDestination: String

        /// The name of the relationship.
        public var name: String { description.name }

        init(
            description: RelationshipDescription, destinationIndex: Int, inverse: Property, link: Link?,
            orderColumn: Int?, storedDestination: String
        ) {
            self.description = description
            self.destinationIndex = destinationIndex
            self.inverse = inverse
            self.link = link
            self.orderColumn = orderColumn
            self.storedDestination = storedDestination
        }
    }

    /// The table of a many-to-many relationship, as seen from one side.
    public struct Link: Hashable, Sendable {
        /// The name of the table. It consists of the names of the owner: the side that comes first in the alphabet.
        public let table: String
        /// The position of the table in the model's `links`.
        public let index: Int
        /// Whether this side owns the table.
        public let isOwner: Bool
        /// Whether the relationship is its own inverse. Its table then has each pair in both directions.
        public let isSymmetric: Bool
    }

    /// The position of a property in its entity.
    public enum Property: Hashable, Sendable {
        /// An attribute, with its position in `columns`.
        case attribute(Int)
        /// A to-one relationship, with its position in `columns`.
        case toOne(Int)
        /// A to-many relationship, with its position in `toMany`.
        case toMany(Int)
    }

    /// The place of an entity in a hierarchy.
    struct Inheritance: Sendable {
        /// The name of the attribute with the name of an object's entity.
        static let attribute = "entity"
        /// The position of that attribute in `columns`.
        static let column = 0

        /// The name of the entity from which all others of the hierarchy inherit.
        let root: String
        /// The names of the entity and of those that inherit from it, without abstract ones.
        let names: [String]
        /// Whether these are all entities of the hierarchy that have objects.
        let isWhole: Bool
        /// The names of the properties of these entities.
        let properties: Set<String>
    }

    /// A `unique` rule of an attribute, or a set of properties whose values are unique together.
    package struct UniqueRule: Sendable {
        package let columns: [Int]
        package let options: StringOptions

        /// The column, or `nil` if the rule applies to several together.
        package var onlyColumn: Int? { columns.count == 1 ? columns[0] : nil }
    }

    /// The entity as it was declared.
    public let description: EntityDescription
    /// The position of the entity in the model.
    public let index: Int
    /// The attributes, followed by the to-one relationships.
    public let columns: [Column]
    /// The to-many relationships, in the order of declaration.
    public let toMany: [Relationship]
    /// All relationships, in the order of declaration.
    public let relationships: [Relationship]
    package let properties: [String: Property]
    /// The types of the columns, in one array for fast reading of rows.
    package let columnTypes: [AttributeType]
    /// The columns to check if a row that was read has `.null` in them.
    ///
    /// A required column without a value, a malformed UUID and a number out of range mean that the store is damaged.
    let columnsToCheck: ColumnSet
    /// The columns that a program may be unable to set.
    let unsettableColumns: ColumnSet
    /// The columns that need a value.
    let requiredColumns: ColumnSet
    /// The columns whose values have to satisfy more than their type.
    let restrictedColumns: ColumnSet
    /// The limits of the columns, in their order, as far as they can be checked fast.
    let limits: [ValueLimit]
    /// The position of the first to-one relationship in `columns`.
    package let firstToOne: Int
    /// The initial values of a new object.
    let defaults: [AttributeValue]
    /// All rules for unique values.
    package let uniqueRules: [UniqueRule]
    /// The rules for properties whose values are unique together.
    package let constraints: [UniqueRule]
    /// The positions of the attributes whose values are preserved in the history of a store.
    let preservedColumns: [Int]
    /// The place of the entity in a hierarchy, or `nil` if it is in none.
    let inheritance: Inheritance?
    /// The composite attributes, or `nil` if there are none.
    let composites: Composites?

    /// The name of the entity.
    public var name: String { description.name }
    /// The name of the entity that has the table: the root of the hierarchy, or this one.
    public var storedName: String { inheritance?.root ?? name }

    init(
        description: EntityDescription, index: Int, columns: [Column], toMany: [Relationship],
        properties: [String: Property], inheritance: Inheritance? = nil, uniqueness: [[String]]? = nil
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
        for (position, column) in columns.enumerated() {
            switch column.type {
            case .uuid, .integer16, .integer32: columnsToCheck.insert(position)
            default: if !column.isOptional { columnsToCheck.insert(position) }
            }
        }
        self.columnsToCheck = columnsToCheck
        unsettableColumns = ColumnSet(of: columns) { $0.settingProblem != nil }
        requiredColumns = ColumnSet(of: columns) { !$0.isOptional }
        restrictedColumns = ColumnSet(of: columns) {
            $0.elementType != nil || !$0.rules.isEmpty || !$0.patterns.isEmpty
        }
        limits = columns.map { ValueLimit(of: $0) }
        self.firstToOne = columns.count - toOne.count
        let unique = columns.enumerated().flatMap { position, column in
            column.rules.compactMap { rule in
                if case .unique(let options) = rule {
                    UniqueRule(columns: [position], options: options)
                } else {
                    nil
                }
            }
        }
        // `IndexCheck` refuses names that are not columns.
        let constraints = (uniqueness ?? description.uniqueness).map { names in
            UniqueRule(
                columns: names.compactMap { name in columns.firstIndex { $0.name == name } }, options: [])
        }
        self.uniqueRules = unique + constraints
        self.constraints = constraints
        self.preservedColumns = columns.indices.filter {
            if case .attribute(let attribute) = columns[$0].content {
                attribute.isPreservedInHistory
            } else {
                false
            }
        }
        self.inheritance = inheritance
        composites = Composites(columns: columns, properties: properties)
        var defaults: [AttributeValue] = columns.map { column in
            if case .attribute(let attribute) = column.content { attribute.defaultValue } else { .null }
        }
        if inheritance != nil { defaults[Inheritance.column] = .string(description.name) }
        self.defaults = defaults
    }

    /// Whether the objects stand for the elements of a list attribute.
    var isListElement: Bool { index < 0 }

    /// Creates the entity of the elements of a list attribute.
    private convenience init(elementsOf name: String, _ type: AttributeType) {
        let value = AttributeDescription("value", type, optional: false)
        self.init(
            description: EntityDescription(name, attributes: [value]), index: -1,
            columns: [Column(name: "value", content: .attribute(value), type: type, isOptional: false)],
            toMany: [],
            properties: [:])
    }

    /// Whether a request of this entity finds the objects of another one: the entity itself, or one that inherits from it.
    @inline(__always)
    func includes(_ other: Entity) -> Bool {
        index == other.index && (inheritance == nil || includesByInheritance(other))
    }

    private func includesByInheritance(_ other: Entity) -> Bool {
        inheritance?.names.contains(other.name) ?? true
    }

    /// Returns the property with this name, or `nil` if there is none.
    public func property(named name: String) -> Property? {
        properties[name]
    }

    /// Returns the position in `columns` of the attribute or to-one relationship with this name, or `nil`.
    public func column(named name: String) -> Int? {
        switch properties[name] {
        case .attribute(let column), .toOne(let column): column
        default: nil
        }
    }

    /// Returns the relationship with this name, or `nil` if there is none.
    public func relationship(named name: String) -> Relationship? {
        properties[name].flatMap(relationship(at:))
    }

    package func relationship(at property: Property) -> Relationship? {
        switch property {
        case .attribute: return nil
        case .toOne(let column):
            guard case .toOne(let relationship) = columns[column].content else { return nil }
            return relationship
        case .toMany(let position): return toMany[position]
        }
    }

    /// Returns the relationship in a column. Traps if the column is an attribute.
    func toOne(at column: Int) -> Relationship {
        guard case .toOne(let relationship) = columns[column].content else {
            // Unreachable for a program: it gives names, which are looked up before.
            preconditionFailure("\(name).\(columns[column].name) is not a to-one relationship")
        }
        return relationship
    }
}

extension ColumnSet {
    /// Creates the set of the columns that satisfy a condition.
    fileprivate init(of columns: [Entity.Column], where isIncluded: (Entity.Column) -> Bool) {
        self = .none
        for (position, column) in columns.enumerated() where isIncluded(column) { insert(position) }
    }
}
