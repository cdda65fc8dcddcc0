import Foundation
import ObjectStore

extension StoreKind {
    /// A kind of store as another package adds it.
    static let lines = StoreKind("lines", format: { LineFormat() })
}

/// A format of text lines, with nothing but the public API. `Tests/Consumer` compiles this file, too.
///
///     store E621E1F8-C36C-495A-93FC-0C247A3E6E5F 8c1b… 1
///     entry color blue
///     largest Book 2
///     columns Book title pages publisher
///     row Book 1 sEmma i474 n
///     pair Book authors 1 1
///     end
final class LineFormat: StoreFormat {
    private let end = "end"

    // MARK: - Writing

    func write(_ contents: StoreContents, to file: FileReplacement) throws {
        let metadata = contents.metadata
        try file.append(
            line(
                "store", metadata.identifier.description, [metadata.versionHash] + metadata.versionIdentifiers
            ))
        for (key, value) in metadata.entries { try file.append(line("entry", key, [value])) }
        for entity in contents.model.entities {
            try file.append(line("largest", entity.name, ["\(contents.largestID(of: entity))"]))
            try file.append(line("columns", entity.name, entity.columns.map(\.name)))
            try contents.forEachRow(of: entity) { id, row in
                try file.append(
                    line("row", entity.name, ["\(id)"] + (0..<row.count).map { text(of: row[$0]) }))
            }
        }
        for entity in contents.model.entities {
            for relationship in entity.toMany {
                guard let link = relationship.link, link.isOwner else { continue }
                try contents.forEachRow(of: entity) { id, _ in
                    for other in contents.linkedIDs(link, of: id) {
                        try file.append(line("pair", entity.name, [relationship.name, "\(id)", "\(other)"]))
                    }
                }
            }
        }
        try file.append(end)
    }

    private func line(_ kind: String, _ name: String, _ words: [String]) -> String {
        ([kind] + ([name] + words).map(escaped)).joined(separator: " ") + "\n"
    }

    private func text(of value: AttributeValue) -> String {
        switch value {
        case .null: "n"
        case .boolean(let flag): flag ? "b1" : "b0"
        case .integer(let number): "i\(number)"
        case .double(let number): "f\(number.bitPattern)"
        case .date(let moment): "t\(moment.secondsSince1970.bitPattern)"
        case .decimal(let text): "d" + text
        case .string(let text): "s" + text
        case .uri(let text): "r" + text
        case .uuid(let identifier): "u\(identifier)"
        case .binary(let bytes): "x" + Data(bytes).base64EncodedString()
        }
    }

    private func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    // MARK: - Reading

    func metadata(of path: String, among models: [ManagedObjectModel]) throws -> StoreMetadata {
        try metadata(lines(of: path), path)
    }

    func examine(_ path: String) throws {
        let lines = try lines(of: path)
        _ = try metadata(lines, path)
        guard lines.last == [end] else { throw damage(path) }
    }

    func read(_ path: String, model: ManagedObjectModel) throws -> StoreContents {
        try examine(path)
        let lines = try lines(of: path)
        let metadata = try metadata(lines, path)
        try metadata.require(model, path: path)
        let contents = StoreContents(metadata: metadata, model: model)
        var columns: [String: [Int]] = [:]
        for line in lines.dropFirst().dropLast() where line[0] != "entry" {
            guard line.count > 1, let entity = model.entity(named: line[1]) else { throw damage(path) }
            let words = Array(line.dropFirst(2))
            switch line[0] {
            case "largest": contents.reserveIDs(of: entity, upTo: words.first.flatMap { Int64($0) } ?? 0)
            case "columns": columns[entity.name] = words.compactMap(entity.column(named:))
            case "row":
                guard let id = words.first.flatMap({ Int64($0) }), let columns = columns[entity.name],
                    columns.count == words.count - 1
                else { throw damage(path) }
                var values = [AttributeValue](repeating: .null, count: entity.columns.count)
                for (column, word) in zip(columns, words.dropFirst()) {
                    guard let value = value(of: word) else { throw damage(path) }
                    values[column] = value
                }
                guard contents.insert(id, values, of: entity) else { throw damage(path) }
            case "pair":
                guard words.count == 3, let link = entity.relationship(named: words[0])?.link,
                    let id = Int64(words[1]), let other = Int64(words[2])
                else { throw damage(path) }
                contents.relate(id, to: other, by: link)
            default: throw damage(path)
            }
        }
        guard contents.danglingReference() == nil else { throw damage(path) }
        return contents
    }

    private func metadata(_ lines: [[String]], _ path: String) throws -> StoreMetadata {
        guard let first = lines.first, first.count > 2, first[0] == "store",
            let identifier = UUIDValue(first[1])
        else { throw StoreError(.notADatabase, "the file has no lines of a store", path: path) }
        let entries = lines.filter { $0[0] == "entry" && $0.count == 3 }.map { ($0[1], $0[2]) }
        return StoreMetadata(
            identifier: identifier, versionHash: first[2], versionIdentifiers: Array(first.dropFirst(3)),
            entries: Dictionary(uniqueKeysWithValues: entries))
    }

    private func lines(of path: String) throws -> [[String]] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return text.split(separator: "\n").map { line in
            line.split(separator: " ", omittingEmptySubsequences: false).map {
                $0.removingPercentEncoding ?? ""
            }
        }
    }

    private func value(of word: String) -> AttributeValue? {
        let text = String(word.dropFirst())
        return switch word.first {
        case "n": .null
        case "b": .boolean(text == "1")
        case "i": Int64(text).map { .integer($0) }
        case "f": UInt64(text).map { .double(Double(bitPattern: $0)) }
        case "t": UInt64(text).map { .date(Timestamp(secondsSince1970: Double(bitPattern: $0))) }
        case "d": .decimal(text)
        case "s": .string(text)
        case "r": .uri(text)
        case "u": UUIDValue(text).map { .uuid($0) }
        case "x": Data(base64Encoded: text).map { .binary(Array($0)) }
        default: nil
        }
    }

    private func damage(_ path: String) -> StoreError {
        StoreError(.damaged, "a line of the file is missing or wrong", path: path)
    }
}
