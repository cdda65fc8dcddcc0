internal import TodoAPI

/// `todoctl due`, `todoctl due 7d`
struct DueCommand: Command {
    static let verb = "due"
    static let summary = "List what is overdue or falls due soon"
    static let details = "SPAN is a length of time such as 7d; without it, 24h."
    static let examples = ["todoctl due 7d"]

    private var span = TypedTime()
    private var listing = ItemListing()

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.time("[SPAN]", &span)
        listing.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        var parameters = DueItems.Parameters()
        if !span.isEmpty { parameters.within = span.text(after: "within", "in") }
        var list = ItemList()
        try session.daemon().stream(DueItems.self, parameters) { list.items += $0.items }
        let span = parameters.within ?? DueItems.customarySpan
        try listing.print(
            list.items, session, none: "Nothing is overdue, or falls due within \(span.oneLine()).")
    }
}
