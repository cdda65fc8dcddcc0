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
        let tables = contents.tables
        let numbering = XMLNumbering(tables.model)
        let header = XMLHeader(
            metadata: contents.metadata, model: tables.model, largestIDs: tables.largestIDs,
            foreignProperties: foreignProperties)
        try file.append(header.text(numbering))
        for entity in tables.model.entities {
            let writer = XMLObjectWriter(entity, tables.model, numbering)
            try tables.forEachRow(of: entity) { id, row in
                var text = ""
                writer.begin(id, to: &text) { row[$0] }
                for (position, relationship) in entity.toMany.enumerated() {
                    writer.write(members(of: id, relationship, tables), of: position, to: &text)
                }
                writer.end(&text)
                try file.append(text)
                return true
            }
        }
        try file.append(XMLHeader.end)
    }

    /// The ids at the far end of a to-many relationship, sorted.
    private func members(of id: Int64, _ relationship: Entity.Relationship, _ tables: MemoryTables) -> [Int64]
    {
        if let link = relationship.link { return tables.linkedIDs(link, of: id) }
        guard case .toOne(let column) = relationship.inverse else { return [] }
        let destination = tables.model.destination(of: relationship)
        return tables.ids(of: destination, at: column, equal: .integer(id), options: [])?.sorted() ?? []
    }
}
