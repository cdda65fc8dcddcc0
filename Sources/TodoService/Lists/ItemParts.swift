internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// The values of an item in a reply that are not in its row.
struct ItemParts {
    static let none = ItemParts()

    var leads: [Int64] = []
    var links: [ItemLink] = []
}

/// The lead times and links of the items of a list, if they are requested.
struct ItemPartRows {
    private let leads: LeadTimes?
    private let links: LinkRows?

    /// Begins to read them from the same state of the store as `items`.
    init(_ columns: ItemColumns, in context: ManagedObjectContext, beside items: RowStream) throws {
        leads = columns.showsLeads ? try LeadTimes(in: context, beside: items) : nil
        links = columns.showsLinks ? try LinkRows(in: context, beside: items) : nil
    }

    /// Returns the parts of the item of a row.
    func parts(of row: any StoreRow, _ columns: ItemColumns) throws -> ItemParts {
        var parts = ItemParts()
        guard let id = row.integer(at: 0) else { return parts }
        if let leads, columns.hasLeads(row) { parts.leads = try leads.leads(of: id) }
        if let links, columns.hasLinks(row) { parts.links = try links.links(of: id) }
        return parts
    }
}
