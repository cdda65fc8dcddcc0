internal import CivilTime
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
        let items = try session.items(of: ListItems.self, try candidates(session), try session.daemon())
        let sorted = Self.sorted(items, now: session.now, zone: session.zone)
        try listing.print(
            Array(sorted.prefix(Int(number) ?? 1)), session, none: "Nothing to do.")
    }

    /// Returns the parameters of the list of items that can be done now.
    private func candidates(_ session: Session) throws(ClientError) -> ListItems.Parameters {
        var parameters = ListItems.Parameters()
        parameters.state = .open
        parameters.blocked = false
        parameters.fields = try listing.fields(session) + ["due"]
        return parameters
    }

    /// Returns the items in the order of their urgency.
    static func sorted(_ items: [Item], now: Timestamp, zone: TimeZoneRules) -> [Item] {
        let keyed = items.map { item in
            let due = item.due?.moment(in: zone).secondsSince1970 ?? .infinity
            let isOverdue = due < now.secondsSince1970
            // No priority is lower than any other.
            let priority = item.priority == 0 ? 10 : item.priority
            return (item: item, key: (isOverdue ? 0 : 1, priority, due, item.id))
        }
        return keyed.sorted { $0.key < $1.key }.map(\.item)
    }
}
