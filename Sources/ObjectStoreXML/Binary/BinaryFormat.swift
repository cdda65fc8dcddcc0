internal import ObjectStore

/// The binary format: a header, then the metadata, the rows of each entity and the pairs of each many-to-many
/// relationship. `docs/store-formats.md` describes every byte.
///
/// Entities, columns and relationships are identified by name in the file. A model may declare its properties
/// in another order and still be the same version.
final class BinaryFormat: StoreFormat {
    // MARK: - Writing

    func write(_ contents: StoreContents, to file: FileReplacement) throws {
        try file.append(repeatElement(0, count: BinaryHeader.byteCount))
        var encoder = BinaryEncoder(file)
        try write(contents.metadata, &encoder)
        let tables = contents.tables
        encoder.append(count: tables.model.entities.count)
        for entity in tables.model.entities {
            try write(entity, of: tables, &encoder)
        }
        encoder.append(count: tables.model.links.count)
        for (index, link) in tables.model.links.enumerated() {
            try encoder.append(link.name)
            try write(tables.pairs(of: index), &encoder)
        }
        try file.overwrite(encoder.finish().bytes, at: 0)
    }

    private func write(_ metadata: StoreMetadata, _ encoder: inout BinaryEncoder) throws {
        encoder.append(metadata.identifier)
        try encoder.append(metadata.versionHash)
        encoder.append(count: metadata.versionIdentifiers.count)
        for identifier in metadata.versionIdentifiers { try encoder.append(identifier) }
        encoder.append(count: metadata.entries.count)
        for (key, value) in metadata.entries.sorted(by: { $0.key < $1.key }) {
            try encoder.append(key)
            try encoder.append(value)
        }
    }

    private func write(_ entity: Entity, of tables: MemoryTables, _ encoder: inout BinaryEncoder) throws {
        try encoder.append(entity.name)
        encoder.append(signed: tables.largestIDs[entity.index])
        encoder.append(count: entity.columns.count)
        for column in entity.columns {
            try encoder.append(column.name)
            encoder.append(byte: column.code)
        }
        encoder.append(count: tables.count(of: entity))
        var last: Int64 = 0
        try tables.forEachRow(of: entity) { id, row in
            encoder.append(signed: id &- last)
            last = id
            for first in stride(from: 0, to: row.count, by: 8) {
                encoder.append(byte: nulls(of: row, from: first))
            }
            for column in 0..<row.count { try write(row[column], &encoder) }
            return true
        }
    }

    /// Returns one bit for each of eight columns, the lowest bit for the column `first`. A bit is set if its
    /// column has no value.
    private func nulls(of row: RowValues, from first: Int) -> UInt8 {
        var bits: UInt8 = 0
        for column in first..<min(first + 8, row.count) where row[column].isNull {
            bits |= 1 << UInt8(column - first)
        }
        return bits
    }

    private func write(_ value: AttributeValue, _ encoder: inout BinaryEncoder) throws {
        switch value {
        case .null: break
        case .boolean(let flag): encoder.append(byte: flag ? 1 : 0)
        case .integer(let number): encoder.append(signed: number)
        case .double(let number): encoder.append(fixed: number.bitPattern)
        case .date(let moment): encoder.append(fixed: moment.secondsSince1970.bitPattern)
        case .string(let text), .decimal(let text), .uri(let text): try encoder.append(text)
        case .binary(let bytes): try encoder.append(bytes)
        case .uuid(let identifier): encoder.append(identifier)
        }
        try encoder.flushWhenFull()
    }

    private func write(_ pairs: PairTable, _ encoder: inout BinaryEncoder) throws {
        encoder.append(count: pairs.ownerIDs.count)
        var lastOwner: Int64 = 0
        for owner in pairs.ownerIDs {
            encoder.append(signed: owner &- lastOwner)
            lastOwner = owner
            let others = pairs.ids(of: owner, isOwner: true)
            encoder.append(count: others.count)
            var last: Int64 = 0
            for other in others {
                encoder.append(signed: other &- last)
                last = other
            }
            try encoder.flushWhenFull()
        }
    }
}

extension Entity.Column {
    /// The code of the column's type in a binary store. A code is never reused for another type.
    var code: UInt8 {
        if case .toOne = content { return 12 }
        return switch type {
        case .string: 1
        case .integer16: 2
        case .integer32: 3
        case .integer64: 4
        case .double: 5
        case .decimal: 6
        case .boolean: 7
        case .date: 8
        case .binary: 9
        case .uuid: 10
        case .uri: 11
        }
    }
}
