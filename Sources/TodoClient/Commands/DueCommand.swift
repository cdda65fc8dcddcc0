internal import TodoAPI

/// `todoctl due`, `todoctl due 7d`
struct DueCommand: Command {
    static let verb = "due"
    static let summary = "List what is overdue or falls due soon"
    static let details = "SPAN is a length of time such as 7d; without it, 24h."
    static let examples = ["todoctl due 7d"]

    private var span: [String] = []

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.words("[SPAN]", &span)
    }

    func run(_ session: Session) throws(ClientError) {
        var parameters = DueItems.Parameters()
        if !span.isEmpty { parameters.within = span.joined(separator: " ") }
        var list = ItemList()
        try session.daemon().stream(DueItems.self, parameters) { list.items += $0.items }
        if session.printJSON(list) { return }
        if list.items.isEmpty {
            return Output.print("Nothing falls due within \(parameters.within ?? DueItems.customarySpan).")
        }
        Output.print(ItemTable(items: list.items, session: session).text)
    }
}
