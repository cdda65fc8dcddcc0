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
            let writer = XMLObjectWriter(entity, contents.tables, numbering)
            try contents.tables.forEachRow(of: entity) { id, row in
                try file.append(writer.text(of: id, row))
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
}
