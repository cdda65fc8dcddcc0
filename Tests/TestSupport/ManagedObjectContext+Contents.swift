package import ObjectStore

extension ManagedObjectContext {
    /// Every object in the store: a line for each one and for each of its many-to-many relationships.
    package func contents() throws -> [String] {
        guard let store = coordinator.store else { return [] }
        var lines: [String] = []
        for entity in model.entities {
            try store.fetch(StoreRequest(entity: entity, order: [FetchOrder("id")])) { id, values in
                let row = try values()
                let named = try entity.columns.enumerated().map { "\($1.name)=\(try Self.text(row[$0]))" }
                lines.append("\(entity.name) \(id): \(named.joined(separator: " "))")
                for link in entity.toMany.compactMap(\.link) where link.isOwner {
                    lines.append("\(link.table) \(id): \(try store.linkedIDs(link, of: id))")
                }
            }
        }
        return lines
    }

    package func largestIDs() throws -> [Int64] {
        guard let store = coordinator.store else { return [] }
        return try model.entities.map { try store.largestID(of: $0) }
    }

    private static func summary(of text: String) -> UInt64 {
        text.utf8.reduce(5381) { $0 &* 33 &+ UInt64($1) }
    }

    /// The value, exact to the last bit and scalar.
    private static func text(_ value: AttributeValue) throws -> String {
        switch value {
        case .string(let text), .uri(let text), .decimal(let text):
            "\(value.typeName) \(text.utf8.count < 100 ? text.utf8.map { UInt64($0) } : [summary(of: text)])"
        // SQLite does not keep the sign of a zero.
        case .double(let number): "double \((number + 0).bitPattern)"
        case .date(let moment): "date \((moment.secondsSince1970 + 0).bitPattern)"
        default: "\(value)"
        }
    }
}
