internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// The values of an item in a reply that are not in its row.
struct ItemParts {
    static let none = ItemParts()

    var alarms: [AlarmTime] = []
    var links: [ItemLink] = []
}

/// Reads the parts of single items.
struct ItemPartFetches {
    private let context: ManagedObjectContext
    private let alarms: PreparedFetch
    private let links: PreparedFetch

    init(in context: ManagedObjectContext) throws {
        self.context = context
        alarms = try context.prepare(
            Alarm.where { $0.toDo.id == .variable("id") }, of: AlarmRows.columns)
        links = try context.prepare(
            Link.where { $0.toDo.id == .variable("id") }.ordered(by: \.place, nilIsLast: true).ordered(
                by: \.id), of: LinkValue.columns)
    }

    /// Returns the parts of the item of a row. Most items have none, which the row shows.
    func parts(of row: any StoreRow, _ columns: ItemColumns) throws -> ItemParts {
        var parts = ItemParts()
        guard let number = row.integer(at: 0) else { return parts }
        let id = ["id": AttributeValue.integer(number)]
        if columns.hasAlarms(row) {
            parts.alarms = try context.rows(alarms, with: id).compactMap { AlarmTime($0, at: 0) }.sorted()
        }
        if columns.hasLinks(row) {
            parts.links = try context.rows(links, with: id).compactMap { LinkValue($0, at: 0) }
                .map(ItemLink.init)
        }
        return parts
    }
}

/// The alarms and links of the items of a list, if they are requested.
struct ItemPartRows {
    private let alarms: AlarmRows?
    private let links: LinkRows?

    /// Begins to read them from the same state of the store as `items`.
    init(_ columns: ItemColumns, in context: ManagedObjectContext, beside items: RowStream) throws {
        alarms = columns.showsAlarms ? try AlarmRows(in: context, beside: items) : nil
        links = columns.showsLinks ? try LinkRows(in: context, beside: items) : nil
    }

    /// Returns the parts of the item of a row.
    func parts(of row: any StoreRow, _ columns: ItemColumns) throws -> ItemParts {
        var parts = ItemParts()
        guard let id = row.integer(at: 0) else { return parts }
        if let alarms, columns.hasAlarms(row) { parts.alarms = try alarms.times(of: id) }
        if let links, columns.hasLinks(row) { parts.links = try links.links(of: id) }
        return parts
    }
}
