internal import TodoAPI

/// The accounts, and the present work of `todod-sync` for them, as `sync status` prints them as JSON.
struct SyncReport: MessageBody {
    var accounts: [SyncAccountSummary] = []
    /// The work for each account, or `nil` if `todod-sync` does not answer.
    var states: [SyncAccountState]?

    init() {}

    mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("accounts", &accounts)
        try fields.field("states", &states)
    }

    /// Whether a person has to do something: deletions are held back, or a list or an account has a problem.
    var needsAttention: Bool {
        accounts.flatMap(\.lists).contains { $0.heldDeletions != nil || $0.problem != nil }
            || (states ?? []).contains { $0.state == .failed }
    }
}
