/// The document format of Core Data's own XML stores. `docs/store-formats.md` describes it.
///
/// A document that another program wrote, without a version hash of ours, opens when its names fit the model.
/// What that program keeps in the metadata stays there.
final class XMLFormat: StoreFormat {
    /// How this library lays its part of the metadata out. A later layout has a larger number.
    static let formatVersion: Int64 = 1
    /// The one entry of the metadata that is ours.
    static let propertyKey = "ObjectStore"

    /// The metadata of the document but for our entry.
    var foreignProperties: [String: PropertyList] = [:]

    // MARK: - Writing

    func write(_ contents: StoreContents, to file: FileReplacement) throws {
        let numbering = XMLNumbering(contents.tables.model)
        try file.append(
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <!DOCTYPE database SYSTEM "\(XMLProlog.documentType)">

            <database>

            """)
        try writeInformation(contents, numbering, to: file)
        for entity in contents.tables.model.entities {
            try contents.tables.forEachRow(of: entity) { id, row in
                try write(id, row, of: entity, contents.tables, numbering, to: file)
                return true
            }
        }
        try file.append("</database>\n")
    }

    private func writeInformation(
        _ contents: StoreContents, _ numbering: XMLNumbering, to file: FileReplacement
    ) throws {
        let tables = contents.tables
        let largest = tables.model.entities.map { numbering.number(of: tables.largestIDs[$0.index], $0) }
        var properties = foreignProperties
        properties[Self.propertyKey] = ownProperties(contents)
        // The number of the version is the one that Core Data writes.
        try file.append(
            """
                <databaseInfo>
                    <version>134481920</version>
                    <UUID>\(contents.metadata.identifier)</UUID>
                    <nextObjectID>\(largest.max() ?? 0)</nextObjectID>
                    <metadata>
                        <plist version="1.0">

            """)
        try PropertyList.dictionary(properties).write(to: file, level: 4)
        try file.append(
            """
                        </plist>
                    </metadata>
                </databaseInfo>

            """)
    }

    private func ownProperties(_ contents: StoreContents) -> PropertyList {
        let metadata = contents.metadata
        let largest = contents.tables.model.entities.map { entity in
            (entity.name, PropertyList.integer(contents.tables.largestIDs[entity.index]))
        }
        return .dictionary([
            "FormatVersion": .integer(Self.formatVersion),
            "VersionHash": .string(metadata.versionHash),
            "VersionIdentifiers": .array(metadata.versionIdentifiers.map { .string($0) }),
            "Stride": .integer(Int64(contents.tables.model.entities.count)),
            "LargestIDs": .dictionary(Dictionary(uniqueKeysWithValues: largest)),
            "Entries": .strings(metadata.entries),
        ])
    }

    private func write(
        _ id: Int64, _ row: RowValues, of entity: Entity, _ tables: MemoryTables, _ numbering: XMLNumbering,
        to file: FileReplacement
    ) throws {
        var text =
            "    <object type=\"\(entity.name.uppercased())\" id=\"z\(numbering.number(of: id, entity))\">\n"
        for (position, column) in entity.columns.enumerated() {
            let name = column.name.lowercased()
            switch column.content {
            case .attribute:
                guard let value = XMLValue.text(of: row[position]) else { continue }
                let word = XMLNames.word(for: column.type)
                text +=
                    "        <attribute name=\"\(name)\" type=\"\(word)\">\(XMLText.markup(value))</attribute>\n"
            case .toOne(let relationship):
                let target: [Int64] = if case .integer(let id) = row[position] { [id] } else { [] }
                text += element(relationship, "1/1", target, tables.model, numbering)
            }
        }
        for relationship in entity.toMany {
            let members = tables.members(of: id, relationship)
            text += element(relationship, "0/0", members, tables.model, numbering)
        }
        text += "    </object>\n"
        try file.append(text)
    }

    private func element(
        _ relationship: Entity.Relationship, _ type: String, _ ids: [Int64], _ model: ManagedObjectModel,
        _ numbering: XMLNumbering
    ) -> String {
        let destination = model.destination(of: relationship)
        let numbers = ids.map { "z\(numbering.number(of: $0, destination))" }.joined(separator: " ")
        let references = numbers.isEmpty ? "" : " idrefs=\"\(numbers)\""
        return "        <relationship name=\"\(relationship.name.lowercased())\" type=\"\(type)\""
            + " destination=\"\(destination.name.uppercased())\"\(references)></relationship>\n"
    }
}

extension MemoryTables {
    /// The ids at the far end of a to-many relationship, sorted.
    fileprivate func members(of id: Int64, _ relationship: Entity.Relationship) -> [Int64] {
        if let link = relationship.link { return linkedIDs(link, of: id) }
        guard case .toOne(let column) = relationship.inverse else { return [] }
        let destination = model.destination(of: relationship)
        return ids(of: destination, at: column, equal: .integer(id), options: [])?.sorted() ?? []
    }
}
