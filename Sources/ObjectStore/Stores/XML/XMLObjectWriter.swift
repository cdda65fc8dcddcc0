/// Writes the objects of one entity as an XML store has them.
///
///     <object type="BOOK" id="z102">
///         <attribute name="title" type="string">Emma</attribute>
///         <relationship name="publisher" type="1/1" destination="PUBLISHER" idrefs="z7"></relationship>
///     </object>
struct XMLObjectWriter {
    private let entity: Entity
    private let tables: MemoryTables
    private let numbering: XMLNumbering
    /// What stands before the id, and before the value of each column: made once, for all objects.
    private let start: String
    private let columnStarts: [String]
    private let toManyStarts: [String]

    init(_ entity: Entity, _ tables: MemoryTables, _ numbering: XMLNumbering) {
        self.entity = entity
        self.tables = tables
        self.numbering = numbering
        start = "    <object type=\"\(entity.name.uppercased())\" id=\""
        columnStarts = entity.columns.map { column in
            switch column.content {
            case .attribute:
                let word = XMLNames.word(for: column.type)
                return "        <attribute name=\"\(column.name.lowercased())\" type=\"\(word)\">"
            case .toOne(let relationship):
                return Self.start(of: relationship, "1/1", tables.model)
            }
        }
        toManyStarts = entity.toMany.map { Self.start(of: $0, "0/0", tables.model) }
    }

    private static func start(
        of relationship: Entity.Relationship, _ type: String, _ model: ManagedObjectModel
    ) -> String {
        "        <relationship name=\"\(relationship.name.lowercased())\" type=\"\(type)\""
            + " destination=\"\(model.destination(of: relationship).name.uppercased())\""
    }

    func text(of id: Int64, _ row: RowValues) -> String {
        var text = start
        text += numbering.name(of: id, entity)
        text += "\">\n"
        for (position, column) in entity.columns.enumerated() {
            switch column.content {
            case .attribute:
                guard let value = XMLValue.text(of: row[position]) else { continue }
                text += columnStarts[position]
                text += XMLText.markup(value)
                text += "</attribute>\n"
            case .toOne(let relationship):
                let target: [Int64] = if case .integer(let id) = row[position] { [id] } else { [] }
                append(relationship, columnStarts[position], target, to: &text)
            }
        }
        for (position, relationship) in entity.toMany.enumerated() {
            append(relationship, toManyStarts[position], members(of: id, relationship), to: &text)
        }
        text += "    </object>\n"
        return text
    }

    private func append(
        _ relationship: Entity.Relationship, _ start: String, _ ids: [Int64], to text: inout String
    ) {
        text += start
        if !ids.isEmpty {
            let destination = tables.model.destination(of: relationship)
            text += " idrefs=\""
            for (position, id) in ids.enumerated() {
                if position > 0 { text += " " }
                text += numbering.name(of: id, destination)
            }
            text += "\""
        }
        text += "></relationship>\n"
    }

    /// The ids at the far end of a to-many relationship, sorted.
    private func members(of id: Int64, _ relationship: Entity.Relationship) -> [Int64] {
        if let link = relationship.link { return tables.linkedIDs(link, of: id) }
        guard case .toOne(let column) = relationship.inverse else { return [] }
        let destination = tables.model.destination(of: relationship)
        return tables.ids(of: destination, at: column, equal: .integer(id), options: [])?.sorted() ?? []
    }
}
