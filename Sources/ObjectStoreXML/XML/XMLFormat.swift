internal import ObjectStore

/// The format of Core Data's XML stores; see `docs/store-formats.md`.
///
/// A document by another program has no version hash of this library. It can be opened if its names fit the
/// model. That program's metadata is kept when the document is saved.
final class XMLFormat: StoreFormat {
    /// The version of the layout of this library's entry in the metadata. A later layout has a larger number.
    static let formatVersion: Int64 = 1
    /// The key of this library's entry in the metadata.
    static let propertyKey = "ObjectStore"

    /// The metadata of the document, without this library's entry.
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
            let writer = XMLObjectWriter(entity, model: tables.model, numbering: numbering)
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

    /// Returns the IDs at the other end of a to-many relationship, sorted.
    private func members(of id: Int64, _ relationship: Entity.Relationship, _ tables: MemoryTables) -> [Int64]
    {
        if let link = relationship.link { return tables.linkedIDs(link, of: id) }
        guard case .toOne(let column) = relationship.inverse else { return [] }
        let destination = tables.model.destination(of: relationship)
        return tables.ids(of: destination, at: column, equal: .integer(id), options: [])?.sorted() ?? []
    }
}
