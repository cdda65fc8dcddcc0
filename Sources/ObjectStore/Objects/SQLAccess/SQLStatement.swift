/// A statement in SQL. Values are interpolated as bindings, and never as text:
///
///     try context.sql("SELECT title, pages FROM Book WHERE pages > \(limit)", as: (String, Int).self)
///
/// Classes and key paths are interpolated as the names of their tables and columns. An array is a list of bindings:
///
///     "SELECT \(\Book.title) FROM \(Book.self) WHERE \(\Book.publisher) IN (\([1, 2]))"
public struct SQLStatement: ExpressibleByStringInterpolation, Sendable {
    enum Part: Sendable {
        case text(String)
        case value(AttributeValue)
        case table(ManagedObject.Type)
        /// A key path without a column, as text. The statement is refused when it runs.
        case unknownColumn(String)
    }

    private(set) var parts: [Part]

    /// Creates a statement whose text is made by the program, with `?` for each value. Do not put input into the text.
    public init(_ text: String, values: [AttributeValue] = []) {
        parts = [.text(text)] + values.map(Part.value)
        isPrepared = true
    }

    /// Whether the text has the parameters already.
    private let isPrepared: Bool

    public init(stringLiteral text: String) {
        self.init(text)
    }

    public init(stringInterpolation: StringInterpolation) {
        parts = stringInterpolation.parts
        isPrepared = false
    }

    /// The parts of a statement.
    public struct StringInterpolation: StringInterpolationProtocol {
        var parts: [Part] = []

        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds text of the program.
        public mutating func appendLiteral(_ text: String) {
            parts.append(.text(text))
        }

        /// Adds a value as a binding.
        public mutating func appendInterpolation(_ value: some AttributeValueConvertible) {
            parts.append(.value(value.attributeValue))
        }

        /// Adds a value as a binding.
        public mutating func appendInterpolation(_ value: AttributeValue) {
            parts.append(.value(value))
        }

        /// Adds the ID of an object as a binding.
        public mutating func appendInterpolation(_ object: ManagedObject) {
            parts.append(.value(.integer(object.id)))
        }

        /// Adds values as bindings with commas between them, for `IN`.
        public mutating func appendInterpolation(_ values: [some AttributeValueConvertible]) {
            append(values.map(\.attributeValue))
        }

        /// Adds values as bindings with commas between them, for `IN`.
        public mutating func appendInterpolation(
            _ values: [some AttributeValueConvertible & AttributeListElement]
        ) {
            append(values.map(\.attributeValue))
        }

        private mutating func append(_ values: [AttributeValue]) {
            for (position, value) in values.enumerated() {
                if position > 0 { appendLiteral(", ") }
                parts.append(.value(value))
            }
        }

        /// Adds the name of the table of a class.
        ///
        /// If the superclass is in the model, both classes are in its table. A statement that reads gets the rows of the
        /// subclass only. One that changes rows is refused: name the superclass, and test the column `entity`.
        public mutating func appendInterpolation(_ objectClass: ManagedObject.Type) {
            parts.append(.table(objectClass))
        }

        /// Adds the name of the column of an attribute or a to-one relationship, which has the ID of its target.
        ///
        /// A statement with a key path that has no column, such as that of a to-many relationship, throws a ``FetchError``.
        public mutating func appendInterpolation<Object: ManagedObject, Value>(
            _ key: KeyPath<Object, Value>
        ) {
            let recorded = RecordedKey.of(key)
            guard recorded.names.count == 1, !recorded.isCollection, !recorded.isCount, !recorded.isExternal,
                recorded.parts == nil
            else {
                return parts.append(.unknownColumn("\(Object.entityName).\(recorded.propertyText)"))
            }
            parts.append(.text(SQLFragment.quoted(recorded.names[0])))
        }
    }

    /// Returns the text with a `?` for each value, and the values.
    ///
    /// - Parameters:
    ///   - context: The context with the model.
    ///   - changesRows: Whether the statement changes rows.
    func resolved(
        in context: ManagedObjectContext, changesRows: Bool = false
    ) throws -> (text: String, values: [AttributeValue]) {
        var text = ""
        var values: [AttributeValue] = []
        for part in parts {
            switch part {
            case .text(let part): text += part
            case .table(let objectClass):
                let entity = try context.entity(of: objectClass, named: nil)
                text += changesRows ? try entity.changedTable : entity.readTable
            case .unknownColumn(let key):
                throw FetchError(
                    .unknownKey,
                    "\(key) has no column in the table of its class; join the table at its end")
            case .value(let value):
                if !isPrepared { text += "?" }
                values.append(value)
            }
        }
        return (text, values)
    }
}

extension Entity {
    /// The table with the objects of the entity, for a statement that reads.
    fileprivate var readTable: String {
        let table = SQLFragment.quoted(storedName)
        guard let inheritance, !inheritance.isWhole else { return table }
        // The names of entities have no quotation marks.
        let names = inheritance.names.map { "'\($0)'" }.joined(separator: ", ")
        return "(SELECT * FROM \(table) WHERE \(SQLFragment.quoted(Inheritance.attribute)) IN (\(names)))"
    }

    /// The table of the entity, for a statement that changes rows.
    fileprivate var changedTable: String {
        get throws(FetchError) {
            guard inheritance?.isWhole != false else {
                throw FetchError(
                    .unsupported,
                    "\(name) is in the table of \(storedName); name that one, and test the column entity")
            }
            return SQLFragment.quoted(storedName)
        }
    }
}
