internal import CivilTime
internal import TodoAPI

/// The `today` command, which shows the items of the present day.
struct TodayCommand: Command {
    static let verb = "today"
    static let summary = "List items that are overdue, due or starting today"
    static let details = "The items are by due time, under the headings Overdue, Today and Starts today."
    static let examples = ["todoctl today"]

    /// The predicate that selects the items that start today, later in the day, too.
    private static let startsToday = "start >= $today AND start < $tomorrow"

    private var listing = ItemListing()

    mutating func code(_ arguments: inout Arguments) throws(ClientError) { listing.code(&arguments) }

    func run(_ session: Session) throws(ClientError) {
        let daemon = try session.daemon()
        // An index finds the items of each call, but not those of a predicate with OR.
        var due = DueItems.Parameters()
        due.until = "today"
        due.fields = try listing.fields(session, isGrouped: true)
        due.timeZone = session.zoneName
        var starting = ListItems.Parameters()
        starting.where = Self.startsToday
        starting.fields = due.fields
        starting.timeZone = due.timeZone
        var items = try session.items(of: DueItems.self, due, daemon)
        let known = Set(items.map(\.id))
        items += try session.items(of: ListItems.self, starting, daemon).filter { !known.contains($0.id) }
        let groups = Self.groups(of: items, now: session.now, zone: session.zone)
        try listing.print(groups, session, none: "Nothing is overdue, due today, or starts today.")
    }

    /// Returns the items in groups, within which they keep their order.
    static func groups(of items: [Item], now: Timestamp, zone: TimeZoneRules) -> [ItemGrouping.Group] {
        let today = zone.civil(at: now)?.date
        var overdue: [Item] = []
        var due: [Item] = []
        var starting: [Item] = []
        for item in items {
            let moment = item.due?.moment(in: zone)
            if let moment, moment < now {
                overdue.append(item)
            } else if let moment, zone.civil(at: moment)?.date == today {
                due.append(item)
            } else {
                starting.append(item)
            }
        }
        return [("Overdue", overdue), ("Today", due), ("Starts today", starting)].filter { !$0.1.isEmpty }
            .map { ItemGrouping.Group(title: $0.0, items: $0.1) }
    }
}
