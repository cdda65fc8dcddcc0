internal import ObjectStore
internal import Reminders

/// The additions to items that any item of a store uses.
struct UsedAdditions {
    private let counts: [(addition: ExchangeItem.Addition, rows: RowStream)]

    /// Begins to count from the same state of the store as the items.
    init(_ context: ManagedObjectContext, beside items: RowStream) throws {
        counts = [
            (.tags, try context.stream(Tag.all.limit(1), of: [.key("id")], beside: items)),
            (.links, try context.stream(Link.all.limit(1), of: [.key("id")], beside: items)),
            (
                .alerts,
                try context.stream(
                    Alarm.where { $0.anchor != .due }.limit(1), of: [.key("id")], beside: items)
            ),
            (.occurrences, try context.stream(Occurrence.all.limit(1), of: [.key("id")], beside: items)),
            (
                .excludedDates,
                try context.stream(
                    ToDo.where { $0.excludedDates.count > 0 }.limit(1), of: [.key("id")], beside: items)
            ),
            (
                .addedDates,
                try context.stream(
                    ToDo.where { $0.addedDates.count > 0 }.limit(1), of: [.key("id")], beside: items)
            ),
            (.history, try context.stream(Completion.all.limit(1), of: [.key("id")], beside: items)),
            (
                .parent,
                try context.stream(ToDo.where { $0.parent != nil }.limit(1), of: [.key("id")], beside: items)
            ),
            (
                .blockedBy,
                try context.stream(
                    ToDo.where { $0.blockers.count > 0 }.limit(1), of: [.key("id")], beside: items)
            ),
            (
                .url,
                try context.stream(ToDo.where { $0.url != nil }.limit(1), of: [.key("id")], beside: items)
            ),
            (
                .estimate,
                try context.stream(
                    ToDo.where { $0.estimate != nil }.limit(1), of: [.key("id")], beside: items)
            ),
            (
                .percent,
                try context.stream(
                    ToDo.where { $0.percentComplete > 0 }.limit(1), of: [.key("id")], beside: items)
            ),
            (
                .start,
                try context.stream(
                    ToDo.where { $0.startDate != nil }.limit(1), of: [.key("id")], beside: items)
            ),
            (
                .remainder,
                try context.stream(
                    ToDo.where { $0.remainder != nil }.limit(1), of: [.key("id")], beside: items)
            ),
        ]
    }

    /// Reads the additions. Must be called once.
    func read() throws -> Set<ExchangeItem.Addition> {
        Set(try counts.filter { try $0.rows.next() != nil }.map(\.addition))
    }
}
