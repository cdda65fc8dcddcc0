internal import TodoAPI
internal import Varlink

/// The output of a list of items: a table, a line for each item, or their count.
struct ItemListing {
    /// The number of items in a table above which a terminal also shows the count.
    private static let uncountedLimit = 10

    private var format: String?
    private var wantsCount = false
    private var isUnpaged = false

    mutating func code(_ arguments: inout Arguments) {
        arguments.option(
            "-F, --format TEMPLATE", &format,
            help: #"print a line for each item, such as '{id}\t{name}\t{due}'; {due:local}, {due:relative}"#)
        arguments.flag("--count", &wantsCount, help: "print only the number of items")
        arguments.flag("--no-pager", &isUnpaged, help: "do not show a long list in a pager")
    }

    /// Returns the fields to request in addition to those that every item has.
    ///
    /// - Throws: a usage error if `--count` is used with `--format`, or if the template is not valid.
    func fields(_ session: Session, isGrouped: Bool = false) throws(ClientError) -> [String] {
        if format != nil, session.wantsJSON {
            throw .usage(
                "todoctl: --json and --format cannot be combined",
                hint: "--json prints every field of an item; --format prints a line of text for it.")
        }
        if wantsCount {
            if format != nil { throw .usage("--count and --format cannot be combined", verb: "") }
            return []
        }
        if session.wantsJSON { return ItemField.names }
        // Groups need the due time and the category.
        let grouped = isGrouped ? ["due", "category"] : []
        return try template().map { $0.fields + grouped } ?? ItemTable.fields(for: session.page)
    }

    private func template() throws(ClientError) -> ItemTemplate? {
        try format.map { format throws(ClientError) in try ItemTemplate(format) }
    }

    /// Prints the items.
    ///
    /// - Parameters:
    ///   - grouping: the grouping of a table. JSON and templates have the items in the same order, but without headings.
    ///   - none: the message if there are no items. A template prints nothing instead.
    ///   - remarks: remarks after the number of items, which make it visible.
    func print(
        _ items: [Item], grouping: ItemGrouping? = nil, _ session: Session, none: String,
        remarks: [String] = []
    ) throws(ClientError) {
        let groups =
            grouping?.groups(of: items, now: session.now, zone: session.zone) ?? [
                .init(title: nil, items: items)
            ]
        try print(groups, grouping: grouping, session, none: none, remarks: remarks)
    }

    /// Prints items that are in groups already.
    func print(
        _ groups: [ItemGrouping.Group], grouping: ItemGrouping? = nil, _ session: Session, none: String,
        remarks: [String] = []
    ) throws(ClientError) {
        if wantsCount {
            return try print(count: groups.reduce(0) { $0 + $1.items.count }, session)
        }
        let items = groups.flatMap(\.items)
        if try session.printJSON(ItemList(items: items)) { return }
        let page = session.page
        if let template = try template() {
            for item in items { try Output.print(template.line(for: item, session.zone, session.words)) }
        } else if items.isEmpty {
            try Output.print(none)
        } else {
            let table = ItemTable(groups: groups, grouping: grouping, session: session).text
            let isCounted = page.columns != nil && items.count > Self.uncountedLimit
            let count = "\(items.count) item\(items.count == 1 ? "" : "s")"
            let total =
                isCounted || !remarks.isEmpty ? "\n" + ([count] + remarks).joined(separator: "; ") : ""
            try Pager.print(table + total, page, isWanted: !isUnpaged)
        }
    }

    /// Whether a line after the items can have remarks, as on a terminal.
    func hasFooter(_ session: Session) -> Bool {
        !wantsCount && format == nil && !session.wantsJSON && session.page.columns != nil
    }

    private func print(count: Int, _ session: Session) throws(ClientError) {
        if try session.printJSON(ItemCount(count: Int64(count))) { return }
        try Output.print(String(count))
    }

    private struct ItemCount: MessageBody {
        var count: Int64 = 0

        mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("count", &count)
        }
    }
}
