internal import CivilTime
internal import ObjectStore
internal import TodoAPI

/// The changes that a watcher has received: those up to a transaction, and the first ones of the next window.
///
/// As text, it is the token of a reply: `E621E1F8-C36C-495A-93FC-0C247A3E6E5F/12/-6034` or, within a window that ends with
/// the transaction 15, `E621E1F8-C36C-495A-93FC-0C247A3E6E5F/12/-6034/15/771/100`.
struct WatchPosition {
    /// The transaction up to which the watcher has received all changes.
    private(set) var token: HistoryToken
    /// The changes that are being sent.
    private var window: ChangeWindow?
    /// The number of changes of the window that were sent.
    private var sent = 0

    /// Creates the position after a transaction.
    init(after token: HistoryToken) {
        self.token = token
    }

    /// Reads the position of a client's token.
    ///
    /// - Throws: `TokenTooOld`, `TokenNotFound` or `NoHistory` if the feed cannot continue there, or `InvalidValue` if
    ///   `text` is no token.
    init(_ text: String, in feed: any ChangeFeed) throws {
        try feed.requirePersistence()
        guard let (token, part) = Self.parse(text) else {
            throw Self.noToken
        }
        try feed.requireTransaction(of: token)
        self.token = token
        guard let part else { return }
        try feed.requireTransaction(of: part.end)
        window = try ChangeWindow(of: feed, after: token, through: part.end.number, isWhole: true)
        guard let window, part.sent < window.count else {
            throw Self.noToken
        }
        sent = part.sent
    }

    private static var noToken: APIError {
        .invalidValue(field: "since", reason: "it is not the token of a reply of Watch")
    }

    private static func parse(_ text: String) -> (HistoryToken, (end: HistoryToken, sent: Int)?)? {
        let fields = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let token = HistoryToken(fields.prefix(3).joined(separator: "/")) else { return nil }
        if fields.count == 3 { return (token, nil) }
        guard fields.count == 6, let number = Int64(fields[3]), let writer = Int64(fields[4]),
            let sent = Int(fields[5]), number > token.number, sent > 0
        else { return nil }
        return (token, (HistoryToken(store: token.store, number: number, writer: writer), sent))
    }

    /// The position as the token of a reply.
    var text: String {
        guard let window else { return token.description }
        return "\(token)/\(window.end.number)/\(window.end.writer)/\(sent)"
    }

    /// The next event, with the IDs that were not sent, or `nil` if the window has none.
    var event: (event: Watch.Event, ids: ArraySlice<Int64>)? { window?.event(at: sent) }

    /// The time of the last change of the window.
    var moment: Timestamp? { window?.moment }

    /// Begins with the changes of the next window.
    mutating func begin(_ next: ChangeWindow) {
        window = next
        sent = 0
        advance(by: 0)
    }

    /// Moves the position after changes that were sent.
    mutating func advance(by count: Int) {
        guard let window else { return }
        sent += count
        guard sent >= window.count else { return }
        token = window.end
        self.window = nil
        sent = 0
    }
}
