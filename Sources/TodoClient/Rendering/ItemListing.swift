internal import TodoAPI
internal import Varlink

/// How a list of items is printed: as a table, or each item by a template.
struct ItemListing {
    private var format: String?

    mutating func code(_ arguments: inout Arguments) {
        arguments.option(
            "-F, --format TEMPLATE", &format, #"a line for each item, such as '{id}\t{name}\t{due}'"#)
    }

    /// `none` is said when there are no items; a template then prints nothing.
    func print(_ items: [Item], _ session: Session, none: String) throws(ClientError) {
        let template = try format.map { format throws(ClientError) in try ItemTemplate(format) }
        if session.printJSON(ItemList(items: items)) { return }
        if let template {
            for item in items { Output.print(template.line(for: item, session.zone)) }
        } else if items.isEmpty {
            Output.print(none)
        } else {
            Output.print(ItemTable(items: items, session: session).text)
        }
    }
}
