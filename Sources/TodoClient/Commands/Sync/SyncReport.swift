internal import TodoAPI

/// The accounts, and the present work of `todod-sync` for them, as `sync status` prints them as JSON.
struct SyncReport: MessageBody {
    var accounts: [SyncAccountSummary] = []
    /// The work for each account, or `nil` if `todod-sync` does not answer.
    var states: [SyncAccountState]?

    init() {}

    init(_ session: Session, _ daemon: Daemon) throws(ClientError) {
        accounts = try daemon.call(ListSyncAccounts.self, .init()).accounts
        do throws(ClientError) {
            states = try session.syncProgram(.init()).call(GetSyncState.self, .init()).accounts
        } catch {
            guard case .noDaemon = error else { throw error }
        }
    }

    mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("accounts", &accounts)
        try fields.field("states", &states)
    }

    /// A text such as `2 lists; something needs attention, see: todoctl sync status`, or `nil` if there are no lists.
    var shortText: String? {
        let lists = accounts.flatMap(\.lists)
        if lists.isEmpty { return nil }
        let number = lists.count == 1 ? "1 list" : "\(lists.count) lists"
        let remark: String? =
            if states == nil {
                "todod-sync does not answer"
            } else if needsAttention {
                "something needs attention"
            } else if lists.contains(where: { $0.conflicts > 0 }) {
                "some changes have lost against others"
            } else if states?.contains(where: { $0.state == .offline }) == true {
                "a server cannot be reached"
            } else {
                nil
            }
        return number + (remark.map { "; \($0), see: todoctl sync status" } ?? "")
    }

    /// Whether a person has to do something: `todod-sync` does not run, deletions are held back, changes cannot be sent, or a list
    /// or an account has a problem.
    var needsAttention: Bool {
        !accounts.isEmpty && states == nil
            || accounts.flatMap(\.lists).contains {
                $0.heldDeletions != nil || $0.problem != nil || $0.readOnly == true && $0.unsent > 0
            }
            || (states ?? []).contains { $0.state == .failed }
    }
}
