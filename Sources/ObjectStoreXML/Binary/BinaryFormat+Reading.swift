internal import CivilTime
internal import ObjectStore

extension BinaryFormat {
    func metadata(of path: String, among models: [ManagedObjectModel]) throws -> StoreMetadata {
        let reader = try FileReader(path)
        var decoder = BinaryDecoder(reader, length: try verify(reader).bodyLength)
        return try metadata(&decoder)
    }

    func examine(_ path: String) throws {
        _ = try verify(try FileReader(path))
    }

    func read(_ path: String, model: ManagedObjectModel) throws -> StoreContents {
        let reader = try FileReader(path)
        let header = try verify(reader)
        var decoder = BinaryDecoder(reader, length: header.bodyLength)
        let metadata = try metadata(&decoder)
        try metadata.require(model, path: path)
        let tables = MemoryTables(model: model, entries: metadata.entries)
        guard try decoder.count() == model.entities.count else { throw decoder.damage }
        for _ in model.entities { try readRows(into: tables, &decoder) }
        guard try decoder.count() == model.links.count else { throw decoder.damage }
        for _ in model.links { try readPairs(into: tables, &decoder) }
        guard decoder.rest == 0, tables.danglingReference() == nil else { throw decoder.damage }
        return StoreContents(metadata: metadata, tables: tables)
    }

    /// Verifies the checksum of the whole file and returns its header. Nothing in the body is decoded before that.
    private func verify(_ reader: FileReader) throws(StoreError) -> BinaryHeader {
        var start: [UInt8] = []
        while start.count < BinaryHeader.byteCount {
            let chunk = try reader.next()
            if chunk.isEmpty { break }
            start += chunk
        }
        let header = try BinaryHeader(start[...], path: reader.path)
        var checksum = CRC64()
        var length: UInt64 = 0
        var chunk = start.dropFirst(BinaryHeader.byteCount)
        repeat {
            checksum.add(chunk)
            length += UInt64(chunk.count)
            chunk = try reader.next()[...]
        } while !chunk.isEmpty
        guard length == header.bodyLength, checksum.value == header.bodyChecksum else {
            throw BinaryHeader.damage(reader.path)
        }
        return header
    }

    private func metadata(_ decoder: inout BinaryDecoder) throws(StoreError) -> StoreMetadata {
        let identifier = try decoder.identifier()
        let hash = try decoder.text()
        var identifiers: [String] = []
        for _ in 0..<(try decoder.count()) { identifiers.append(try decoder.text()) }
        var entries: [String: String] = [:]
        for _ in 0..<(try decoder.count()) {
            let key = try decoder.text()
            entries[key] = try decoder.text()
        }
        return StoreMetadata(
            identifier: identifier, versionHash: hash, versionIdentifiers: identifiers, entries: entries)
    }

    // MARK: - Rows

    private func readRows(into tables: MemoryTables, _ decoder: inout BinaryDecoder) throws {
        guard let entity = tables.model.entity(named: try decoder.text()).map(tables.model.stored) else {
            throw decoder.damage
        }
        tables.noteID(try decoder.signed(), of: entity)
        // The columns in the order of the file, each as its position in the model.
        var columns: [Int] = []
        for _ in 0..<(try decoder.count()) {
            let name = try decoder.text()
            guard let column = entity.column(named: name), !columns.contains(column),
                try decoder.byte() == entity.columns[column].code
            else { throw decoder.damage }
            columns.append(column)
        }
        guard columns.count == entity.columns.count else { throw decoder.damage }
        var last: Int64 = 0
        for _ in 0..<(try decoder.count()) {
            last = last &+ (try decoder.signed())
            guard tables.row(last, of: entity) == nil else { throw decoder.damage }
            tables.write(last, try row(columns, of: entity, &decoder), of: entity)
        }
    }

    private func row(
        _ columns: [Int], of entity: Entity, _ decoder: inout BinaryDecoder
    ) throws(StoreError) -> [AttributeValue] {
        var nulls: [UInt8] = []
        for _ in stride(from: 0, to: columns.count, by: 8) { nulls.append(try decoder.byte()) }
        var values = [AttributeValue](repeating: .null, count: columns.count)
        for (position, column) in columns.enumerated() {
            if nulls[position / 8] & 1 << UInt8(position % 8) == 0 {
                values[column] = try value(of: entity.columns[column], &decoder)
            } else if !entity.columns[column].isOptional {
                throw decoder.damage
            }
        }
        return values
    }

    private func value(
        of column: Entity.Column, _ decoder: inout BinaryDecoder
    ) throws(StoreError) -> AttributeValue {
        let value: AttributeValue
        switch column.type {
        case .string: value = .string(try decoder.text())
        case .decimal: value = .decimal(try decoder.text())
        case .uri: value = .uri(try decoder.text())
        case .integer16, .integer32, .integer64: value = .integer(try decoder.signed())
        case .double: value = .double(Double(bitPattern: try decoder.fixed()))
        case .date: value = .date(Timestamp(secondsSince1970: Double(bitPattern: try decoder.fixed())))
        case .boolean: value = .boolean(try decoder.byte() != 0)
        case .binary: value = .binary(try decoder.bytes())
        case .uuid: value = .uuid(try decoder.identifier())
        }
        guard column.type.admits(value) else { throw decoder.damage }
        return value
    }

    private func readPairs(into tables: MemoryTables, _ decoder: inout BinaryDecoder) throws {
        let name = try decoder.text()
        guard let link = tables.model.links.firstIndex(where: { $0.name == name }) else {
            throw decoder.damage
        }
        var owner: Int64 = 0
        for _ in 0..<(try decoder.count()) {
            owner = owner &+ (try decoder.signed())
            var other: Int64 = 0
            for _ in 0..<(try decoder.count()) {
                other = other &+ (try decoder.signed())
                tables.writePair(owner: owner, other: other, link: link, isThere: true)
            }
        }
    }
}
