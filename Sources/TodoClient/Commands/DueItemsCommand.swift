internal import Phrases
internal import TodoAPI

/// The `due` command, for example `todoctl due`, `todoctl due 7d` or `todoctl due friday`.
struct DueItemsCommand: Command {
    static let verb = "due"
    static let summary = "List items that are overdue or due soon"
    static let details = """
        WHEN is a time span (7d, 2h), or the last day or time to include (today, friday, tomorrow 12:00). The default \
        is 24h.
        """
    static let examples = ["todoctl due 7d", "todoctl due tomorrow"]

    private var when = TypedTime()
    private var listing = ItemListing()

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.time("[WHEN]", &when)
        listing.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        var parameters = DueItems.Parameters()
        parameters.timeZone = session.zoneName
        let text = when.text(after: "within", "in", "until", "by", "before", "on")
        let isMarked = text != when.text(after: "until", "by", "before", "on")
        let isLength = isMarked ? (try? DurationPhrase.reading(text)) != nil : DatePhrase.isLength(text)
        var none = "Nothing is overdue or due within \(DueItems.defaultSpan)."
        if when.isEmpty {
            parameters.within = DueItems.defaultSpan
        } else if isLength || text.allSatisfy(\.isNumber) && DatePhrase.clock(ofDigits: text) == nil {
            parameters.within = text
            none = "Nothing is overdue or due within \(text.oneLine())."
        } else {
            parameters.until = text
            let end = text.lowercased().hasPrefix("at ") ? String(text.dropFirst(3)) : text
            none = "Nothing is overdue or due until \(end.oneLine())."
        }
        parameters.fields = try listing.fields(session)
        let items = try session.items(of: DueItems.self, parameters, try session.daemon())
        try listing.print(items, session, none: none)
    }
}
