internal import TodoAPI

/// The `next` command, which shows the most urgent item, or several.
struct NextCommand: Command {
    static let verb = "next"
    static let summary = "Show the next item to do, or the next NUMBER items"
    static let details = """
        Items that are overdue come first, then those with a higher priority, then those that are due earlier. Items with a \
        start in the future, and items that wait for others, are omitted.
        """
    static let examples = ["todoctl next", "todoctl next 5"]

    private var number = ""
    private var listing = ItemListing()

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.word("[NUMBER]", &number)
        listing.code(&arguments)
        guard number.isEmpty || Int(number).map({ $0 > 0 }) ?? false else {
            throw arguments.usage("NUMBER is at least 1, not '\(number.oneLine(bytesLimit: 80))'")
        }
    }

    func run(_ session: Session) throws(ClientError) {
        let daemon = try session.daemon()
        let number = Int(number) ?? 1
        let parameters = try candidates(session)
        var items: [Item] = []
        for condition in Self.conditions where items.count < number {
            var group = parameters
            group.where = condition
            group.limit = Int64(number - items.count)
            items += try session.items(of: ListItems.self, group, daemon)
        }
        try listing.print(items, session, none: "Nothing to do.")
    }

    /// The predicates of the groups of items, the most urgent group first.
    private static let conditions = ["due < $now", "due == nil OR due >= $now"]

    /// Returns the parameters of the list of items that can be done now, the most urgent first.
    private func candidates(_ session: Session) throws(ClientError) -> ListItems.Parameters {
        var parameters = ListItems.Parameters()
        parameters.state = .open
        parameters.blocked = false
        // No priority is lower than any other.
        parameters.order = ["priority", "due"]
        parameters.fields = try listing.fields(session)
        return parameters
    }
}
