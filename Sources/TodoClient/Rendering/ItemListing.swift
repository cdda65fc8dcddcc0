internal import TodoAPI
internal import Varlink

/// How a list of items is printed: as a table, or each item by a template.
struct ItemListing {
    private var format: String?
    /// Headings are for tables; JSON and templates have the items in the same order without them.
    private(set) var grouping: ItemGrouping?

    mutating func codeGrouping(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.option(
            "-g, --group KEY", &grouping, "under headings: by category, by priority, or by the day when due")
    }

    mutating func code(_ arguments: inout Arguments) {
        arguments.option(
            "-F, --format TEMPLATE", &format, #"a line for each item, such as '{id}\t{name}\t{due}'"#)
    }

    /// Which fields of an item are wanted; nil for all.
    func fields(_ session: Session) -> [String]? {
        session.wantsJSON || format != nil ? nil : ItemTable.fields
    }

    /// `none` is said when there are no items; a template then prints nothing.
    func print(_ items: [Item], _ session: Session, none: String) throws(ClientError) {
        let template = try format.map { format throws(ClientError) in try ItemTemplate(format) }
        let groups =
            grouping?.groups(of: items, now: session.now, zone: session.zone) ?? [
                .init(title: nil, items: items)
            ]
        let items = groups.flatMap(\.items)
        if try session.printJSON(ItemList(items: items)) { return }
        if let template {
            for item in items { try Output.print(template.line(for: item, session.zone)) }
        } else if items.isEmpty {
            try Output.print(none)
        } else {
            try Output.print(ItemTable(groups: groups, grouping: grouping, session: session).text)
        }
    }
}
