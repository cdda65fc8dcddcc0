internal import ObjectStore

/// The part of an XML store before its objects.
struct XMLHeader {
    /// The text after the last object.
    static let end = "</database>\n"

    let metadata: StoreMetadata
    let model: ManagedObjectModel
    /// The largest ID that an object of each entity has had, by the entity's position.
    let largestIDs: [Int64]
    /// The metadata of the document, without this library's entry.
    var foreignProperties: [String: PropertyList] = [:]

    func text(_ numbering: XMLNumbering) -> String {
        let largest = model.entities.map { numbering.number(of: largestIDs[$0.index], $0) }
        var properties = foreignProperties
        properties[XMLFormat.propertyKey] = ownProperties
        // Core Data writes this version number.
        var text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <!DOCTYPE database SYSTEM "\(XMLProlog.documentType)">

            <database>
                <databaseInfo>
                    <version>134481920</version>
                    <UUID>\(metadata.identifier)</UUID>
                    <nextObjectID>\(largest.max() ?? 0)</nextObjectID>
                    <metadata>
                        <plist version="1.0">

            """
        PropertyList.dictionary(properties).write(to: &text, level: 4)
        text += """
                        </plist>
                    </metadata>
                </databaseInfo>

            """
        return text
    }

    private var ownProperties: PropertyList {
        let largest = model.entities.map { ($0.name, PropertyList.integer(largestIDs[$0.index])) }
        return .dictionary([
            "FormatVersion": .integer(XMLFormat.formatVersion),
            "VersionHash": .string(metadata.versionHash),
            "VersionIdentifiers": .array(metadata.versionIdentifiers.map { .string($0) }),
            "Stride": .integer(Int64(model.entities.count)),
            "LargestIDs": .dictionary(Dictionary(uniqueKeysWithValues: largest)),
            "Entries": .strings(metadata.entries),
        ])
    }
}
