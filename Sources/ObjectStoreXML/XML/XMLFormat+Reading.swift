internal import ObjectStore

extension XMLFormat {
    func metadata(of path: String, among models: [ManagedObjectModel]) throws -> StoreMetadata {
        if let model = try XMLDocument.fittingModel(forForeign: path, among: models) {
            return StoreMetadata(of: model, identifier: UUIDValue())
        }
        let document = try XMLDocumentReader(path)
        let information = try document.information()
        // The document has the entry, because it is not foreign.
        let own = information.properties[Self.propertyKey] ?? .dictionary([:])
        return try XMLOwnProperties(own, path: path).metadata(information, document)
    }

    func examine(_ path: String) throws {
        try XMLProlog.check(path)
        let document = try XMLDocumentReader(path)
        var numbers: Set<Int128> = []
        var references: Set<Int128> = []
        _ = try document.information()
        while let object = try document.nextObject() {
            guard numbers.insert(object.number).inserted else {
                throw document.damage("\(object.type) z\(object.number) occurs twice")
            }
            for relationship in object.relationships { references.formUnion(relationship.references) }
        }
        if let missing = references.subtracting(numbers).min() {
            throw document.damage("z\(missing) is referred to but does not exist")
        }
    }

    func read(_ path: String, model: ManagedObjectModel) throws -> StoreContents {
        try XMLProlog.check(path)
        let document = try XMLDocumentReader(path)
        var information = try document.information()
        let own = information.properties.removeValue(forKey: Self.propertyKey)
        foreignProperties = information.properties
        let contents: StoreContents
        let numbering: XMLNumbering
        if let own {
            let header = try XMLOwnProperties(own, path: path)
            let metadata = try header.metadata(information, document)
            try metadata.require(model, path: path)
            contents = StoreContents(
                metadata: metadata, tables: MemoryTables(model: model, entries: metadata.entries))
            numbering = XMLNumbering(model, stride: header.stride)
            for (name, id) in header.largestIDs {
                guard let entity = model.entity(named: name).map(model.stored) else { continue }
                contents.tables.noteID(id, of: entity)
            }
        } else {
            try refuseMisfit(path, model)
            contents = StoreContents(
                metadata: StoreMetadata(of: model, identifier: information.identifier ?? UUIDValue()),
                tables: MemoryTables(model: model))
            numbering = XMLNumbering(model, stride: nil)
            for entity in model.entities {
                contents.tables.noteID(Int64(exactly: information.largestNumber) ?? 0, of: entity)
            }
        }
        var rows = XMLRowReader(XMLNames(model), numbering, into: contents.tables)
        while let object = try document.nextObject() {
            if let reason = rows.add(object) { throw document.damage(reason) }
        }
        if let reference = contents.tables.danglingReference() {
            throw document.damage("\(reference) refers to an object that is not in the file")
        }
        return contents
    }

    private func refuseMisfit(_ path: String, _ model: ManagedObjectModel) throws {
        guard let reason = try XMLShape(path).misfit(model) else { return }
        throw StoreError(
            .modelMismatch,
            "the document was written by another program and does not fit the model: \(reason)",
            path: path)
    }
}

/// This library's entry in the metadata of an XML store.
private struct XMLOwnProperties {
    let versionHash: String
    let versionIdentifiers: [String]
    let stride: Int64
    let largestIDs: [String: Int64]
    let entries: [String: String]

    init(_ list: PropertyList, path: String) throws(StoreError) {
        guard let dictionary = list.dictionary, let version = dictionary["FormatVersion"]?.integer else {
            throw Self.incomplete(path)
        }
        guard version <= XMLFormat.formatVersion else {
            throw StoreError(
                .newer, "the store was written by a newer version; install that version again to open it",
                path: path)
        }
        guard let hash = dictionary["VersionHash"]?.string, let stride = dictionary["Stride"]?.integer,
            let identifiers = dictionary["VersionIdentifiers"]?.array,
            let largest = dictionary["LargestIDs"]?.dictionary, let entries = dictionary["Entries"]?.strings
        else { throw Self.incomplete(path) }
        versionHash = hash
        versionIdentifiers = identifiers.compactMap(\.string)
        self.stride = stride
        largestIDs = largest.compactMapValues(\.integer)
        self.entries = entries
    }

    func metadata(
        _ information: XMLInformation, _ document: XMLDocumentReader
    ) throws(StoreError) -> StoreMetadata {
        guard let identifier = information.identifier else { throw document.damage("there is no UUID") }
        return StoreMetadata(
            identifier: identifier, versionHash: versionHash, versionIdentifiers: versionIdentifiers,
            entries: entries)
    }

    private static func incomplete(_ path: String) -> StoreError {
        StoreError(
            .damaged, "the store does not say which model wrote it;", restoring: "a backup", path: path)
    }
}
