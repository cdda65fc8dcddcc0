internal import TodoAPI

/// A list of which deletions are held back, for the commands that decide about them.
struct HeldDeletions {
    private static let nameBytesLimit = 60

    private let list: SyncAccounts.List
    /// The name of the list or, if several lists have it, `ACCOUNT/NAME`.
    let title: String
    /// The reason, or `nil` if no deletions are held back.
    var reason: String? { list.summary.heldDeletions }
    /// The question whether the deletions are carried out. There may be none yet, for example after a change of the user.
    var question: String {
        switch list.summary.heldItems ?? 0 {
        case 0: "No item is gone so far. Delete items here again when they are deleted on the server?"
        case 1: "Delete this item here, too: \(Self.names(in: list.summary))?"
        case let count: "Delete these \(count) items here, too: \(Self.names(in: list.summary))?"
        }
    }

    /// Returns a line of the status with the names of the items, after a line break, or an empty text if there are none.
    static func line(for list: SyncListSummary) -> String {
        list.heldItems ?? 0 == 0 ? "" : "\n  Items:  \(names(in: list))"
    }

    /// Returns the names of the first items, and the number of the others.
    private static func names(in list: SyncListSummary) -> String {
        let names = (list.heldNames ?? []).map { "'\($0.oneLine(bytesLimit: nameBytesLimit))'" }
        let others = Int(list.heldItems ?? 0) - names.count
        return names.joined(separator: ", ") + (others > 0 ? " and \(others) more" : "")
    }

    init(of name: String, _ session: Session, _ daemon: Daemon) throws(ClientError) {
        let accounts = try SyncAccounts(session, daemon)
        list = try accounts.list(named: name)
        title = accounts.title(of: list)
    }

    /// Deletes the items, or sends them to the server again, and prints the reply.
    func decide(
        accepts: Bool, _ session: Session, _ daemon: Daemon, text: (UpdateSyncList.Reply) -> String
    ) throws(ClientError) {
        var parameters = UpdateSyncList.Parameters()
        parameters.list = list.summary.id
        parameters.acceptDeletions = accepts
        let reply = try daemon.call(UpdateSyncList.self, parameters)
        if try !session.printJSON(reply) { try Output.print(text(reply)) }
    }

    /// Prints that no deletions are held back.
    func printNone(_ session: Session) throws(ClientError) {
        var reply = UpdateSyncList.Reply()
        reply.list = list.summary
        if try session.printJSON(reply) { return }
        try Output.print("No deletions of '\(title.oneLine())' are held back.")
    }
}
