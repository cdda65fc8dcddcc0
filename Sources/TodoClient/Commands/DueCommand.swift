internal import TodoAPI

/// `todoctl due`, `todoctl due 7d`
enum DueCommand: Command {
    static let verb = "due"
    static let synopsis = "due [SPAN]"
    static let summary = "List what is overdue or falls due soon: within 24h, or the time span given"
    static let details = "Example: todoctl due 7d"

    static func run(_ arguments: Arguments, _ session: Session) throws(ClientError) {
        var arguments = arguments
        let words = try arguments.rest()
        var parameters = DueItems.Parameters()
        if !words.isEmpty { parameters.within = words.joined(separator: " ") }
        var list = ItemList()
        try session.daemon().stream(DueItems.self, parameters) { list.items += $0.items }
        if session.printJSON(list) { return }
        if list.items.isEmpty {
            return Output.print("Nothing falls due within \(parameters.within ?? DueItems.customarySpan).")
        }
        Output.print(ItemTable(items: list.items, session: session).text(for: Output.terminal))
    }
}
