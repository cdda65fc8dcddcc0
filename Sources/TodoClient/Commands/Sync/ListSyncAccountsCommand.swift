internal import TodoAPI

/// The `sync status` command.
struct ListSyncAccountsCommand: Command {
    static let verb = "sync status"
    static let summary = "Show the synchronized lists and their problems"
    static let details = """
        UNSENT are changes that the server does not have yet. The exit status is 1 if something needs you: todod-sync does \
        not run, deletions are held back, changes of a read-only list cannot be sent, or an account or a list has a problem. It is 0 if the server cannot be reached, because todod-sync tries \
        again by itself. With --json, "states" has the work of todod-sync, and is missing if that does not answer.
        """
    static let examples = ["todoctl sync status", "todoctl sync status --json"]

    func run(_ session: Session) throws(ClientError) {
        let report = try SyncReport(session, session.daemon())
        if try !session.printJSON(report) {
            try Output.print(SyncStatusText(report: report, session: session).text)
        }
        if report.needsAttention { throw .needsAttention }
    }
}
