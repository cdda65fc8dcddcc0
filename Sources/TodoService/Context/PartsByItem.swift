internal import CivilTime
internal import ObjectStore
internal import Reminders

/// The parts of items, such as their alarms, which are read in the order of the IDs of the items.
struct PartsByItem<Part> {
    private let rows: RowStream
    /// Creates a part from a row, of which the first column is the ID of the item.
    private let part: (FetchedRow) -> Part?
    /// The first part of an item that is still to be read.
    private var ahead: FetchedRow?

    init(_ rows: RowStream, _ part: @escaping (FetchedRow) -> Part?) throws {
        self.rows = rows
        self.part = part
        ahead = try rows.next()
    }

    /// A function that ends the read.
    var interruption: @Sendable () -> Void { rows.interruption }

    /// Returns the parts of the item with this ID. Must be called in the order of the IDs.
    mutating func next(of item: AttributeValue) throws -> [Part] {
        guard case .integer(let id) = item else { return [] }
        var parts: [Part] = []
        while let row = ahead {
            if case .integer(let owner) = row[0] {
                if owner > id { break }
                if owner == id, let part = part(row) { parts.append(part) }
            }
            ahead = try rows.next()
        }
        return parts
    }
}

extension PartsByItem<CompletionValue> {
    /// Begins to read the completions from the same state of the store as the items.
    static func completions(
        _ context: ManagedObjectContext, _ request: FetchRequest<Completion> = Completion.all,
        beside items: RowStream
    ) throws -> Self {
        let rows = try context.stream(
            request.ordered(by: \.toDo).ordered(by: \.date),
            of: [.key(\Completion.toDo)] + CompletionValue.columns, beside: items)
        return try Self(rows) { CompletionValue($0, at: 1) }
    }
}

extension PartsByItem<OccurrenceValue> {
    /// Begins to read the changed occurrences from the same state of the store as the items.
    static func occurrences(_ context: ManagedObjectContext, beside items: RowStream) throws -> Self {
        let rows = try context.stream(
            Occurrence.all.ordered(by: \.toDo).ordered(by: \.id),
            of: [.key(\Occurrence.toDo)] + OccurrenceValue.columns, beside: items)
        return try Self(rows) { OccurrenceValue($0, at: 1) }
    }
}

extension PartsByItem<LinkValue> {
    /// Begins to read the links from the same state of the store as the items.
    static func links(_ context: ManagedObjectContext, beside items: RowStream) throws -> Self {
        let rows = try context.stream(
            Link.all.ordered(by: \.toDo).ordered(by: \.place, nilIsLast: true).ordered(by: \.id),
            of: [.key(\Link.toDo)] + LinkValue.columns,
            beside: items)
        return try Self(rows) { LinkValue($0, at: 1) }
    }
}
