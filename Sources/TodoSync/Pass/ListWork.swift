internal import CalDAV
internal import TodoAPI

/// The state of a list during a pass.
final class ListWork {
    let id: Int64
    let name: String
    let urls: ListURLs
    /// The state of the list in the store at the beginning.
    let summary: SyncListSummary
    /// Whether an item can have the etag of another text, and conditions do not protect all versions.
    var reusesVersions: Bool { urls.list.isOfSOGo }
    /// The token and the ctag that the store has.
    var token: String?
    var ctag: String?
    /// The number of items with changes that the server does not have.
    var unsent: Int64
    var isReadOnly: Bool
    var holdsDeletions: Bool

    var received = 0
    var sent = 0
    /// The reasons why the list or items of it could not be synchronized.
    private(set) var problems: [String] = []
    /// Whether the list could not be read or sent. It takes no further part in the pass.
    var hasFailed = false
    /// Whether something was sent, or was different from what was expected, so that the list is read again.
    var needsRound = false

    /// Whether an item that was to be changed is gone on the server. It may be in another list.
    var hasGoneItem = false

    /// The URLs of the changes at which the server has failed once.
    var failedURLs: Set<String> = []
    /// Whether changes that the server has refused are sent again.
    var retriesRefused = false

    /// Whether todod has texts that are later than the token. The server need not mention such an item if it is deleted, as Xandikos
    /// does not.
    var isAheadOfToken = false
    /// The changes of the server that are applied after the changed texts of all lists.
    var rest = Rest()
    /// The changes that were sent or tried, by their URLs and states.
    var attempted: Set<[String]> = []
    /// The deletions that are sent after the changed texts of all lists.
    var deletes: [SyncUpload] = []
    /// Whether todod lists more changes when these deletions are recorded.
    var hasMoreUploads = false
    /// The URLs of the items that this pass has deleted on the server.
    var deletedURLs: Set<String> = []
    /// The texts that the server refused because another item has their UID.
    var uidConflicts: [(upload: SyncUpload, existing: DAVURL?)] = []
    /// The URLs of texts for which such a refusal has led to a comparison already.
    var comparedConflicts: Set<String> = []

    /// The deletions and the position after the changes of a list.
    struct Rest {
        /// Whether the list was read and has to be recorded.
        var isPresent = false
        /// The URLs that the server has reported as deleted.
        var deleted: Set<String> = []
        /// The URLs that a complete listing does not have.
        var missing: [String] = []
        var hasDeletions: Bool { !deleted.isEmpty || !missing.isEmpty }
        var token: String?
        var ctag: String?
        /// Whether all etags were compared.
        var isComparison = false
    }

    /// Begins the work on a list. Returns `nil` if its URL cannot be read.
    init?(_ summary: SyncListSummary) {
        guard let urls = ListURLs(summary.url) else { return nil }
        self.urls = urls
        self.summary = summary
        id = summary.id
        name = summary.name
        token = summary.token
        ctag = summary.ctag
        unsent = summary.unsent
        isReadOnly = summary.readOnly ?? false
        holdsDeletions = summary.heldDeletions != nil
    }

    /// Adds a problem, unless it is known already.
    func add(problem: String) {
        if !problems.contains(problem) { problems.append(problem) }
    }

    /// The problems in one text, or `nil` if there are none.
    var problem: String? {
        guard let first = problems.first else { return nil }
        return problems.count > 1 ? "\(first); and \(problems.count - 1) more" : first
    }
}
