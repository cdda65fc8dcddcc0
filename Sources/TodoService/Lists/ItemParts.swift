internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// The values of an item in a reply that are not in its row.
struct ItemParts {
    static let none = ItemParts()

    var alarms: [AlarmTime] = []
    var links: [ItemLink] = []
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
