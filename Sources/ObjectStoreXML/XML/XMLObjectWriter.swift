internal import ObjectStore

/// Writes the objects of one entity as they are in an XML store.
///
///     <object type="BOOK" id="z102">
///         <attribute name="title" type="string">Emma</attribute>
///         <relationship name="publisher" type="1/1" destination="PUBLISHER" idrefs="z7"></relationship>
///     </object>
///
/// For each object, write its beginning, then the members of each of its to-many relationships, then its end.
struct XMLObjectWriter {
    let entity: Entity
    private let model: ManagedObjectModel
    private let numbering: XMLNumbering
    /// The text before the ID of an object. Like the texts before columns and members, it is made once for all objects.
    private let start: String
    private let columnStarts: [String]
    private let toManyStarts: [String]

    init(_ entity: Entity, model: ManagedObjectModel, numbering: XMLNumbering) {
        self.entity = entity
        self.model = model
        self.numbering = numbering
        start = "    <object type=\"\(entity.name.uppercased())\" id=\""
        columnStarts = entity.columns.map { column in
            switch column.content {
            case .attribute:
                let word = XMLNames.word(for: column.type)
                return "        <attribute name=\"\(column.name.lowercased())\" type=\"\(word)\">"
            case .toOne(let relationship):
                return Self.start(of: relationship, "1/1", model)
            }
        }
        toManyStarts = entity.toMany.map { Self.start(of: $0, "0/0", model) }
    }

    private static func start(
        of relationship: Entity.Relationship, _ type: String, _ model: ManagedObjectModel
    ) -> String {
        "        <relationship name=\"\(relationship.name.lowercased())\" type=\"\(type)\""
            + " destination=\"\(model.destination(of: relationship).name.uppercased())\""
    }

    /// Writes the beginning of an object, with its attributes and to-one relationships. `value` returns the
    /// value of a column.
    func begin(_ id: Int64, to text: inout String, _ value: (Int) -> AttributeValue) {
        text += start
        text += numbering.name(of: id, entity)
        text += "\">\n"
        for (position, column) in entity.columns.enumerated() {
            switch column.content {
            case .attribute:
                guard let value = XMLValue.text(of: value(position)) else { continue }
                text += columnStarts[position]
                text += XMLText.markup(value)
                text += "</attribute>\n"
            case .toOne(let relationship):
                text += columnStarts[position]
                var members = Members(destination: model.destination(of: relationship))
                if case .integer(let id) = value(position) { add(id, to: &members, &text) }
                end(members, &text)
            }
        }
    }

    func end(_ text: inout String) {
        text += "    </object>\n"
    }

    // MARK: - To-many relationships

    /// The state of a relationship that is being written.
    struct Members {
        fileprivate let destination: Entity
        fileprivate var isEmpty = true
    }

    func write(_ ids: [Int64], of position: Int, to text: inout String) {
        var members = beginMembers(of: position, to: &text)
        for id in ids { add(id, to: &members, &text) }
        end(members, &text)
    }

    /// Begins the relationship at a position of the entity's to-many relationships.
    func beginMembers(of position: Int, to text: inout String) -> Members {
        text += toManyStarts[position]
        return Members(destination: model.destination(of: entity.toMany[position]))
    }

    func add(_ id: Int64, to members: inout Members, _ text: inout String) {
        text += members.isEmpty ? " idrefs=\"" : " "
        text += numbering.name(of: id, members.destination)
        members.isEmpty = false
    }

    func end(_ members: Members, _ text: inout String) {
        text += members.isEmpty ? "></relationship>\n" : "\"></relationship>\n"
    }
}
