internal import TodoAPI

/// The `sync restore` command, for example `todoctl sync restore home`.
struct RestoreDeletionsCommand: Command {
    static let verb = "sync restore"
    static let summary = "Send items that are gone on the server again"
    static let details = """
        todod-sync holds deletions back if a server suddenly has far fewer tasks. LIST is the name of the list or, if \
        several accounts have such a list, ACCOUNT/NAME. To delete the items here, type 'todoctl sync accept'.
        """
    static let examples = ["todoctl sync restore home"]

    private var list: [String] = []

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.words("LIST", &list, kind: .syncList)
    }

    func run(_ session: Session) throws(ClientError) {
        let daemon = try session.daemon()
        let held = try HeldDeletions(of: list.joined(separator: " "), session, daemon)
        guard held.reason != nil else { return try held.printNone(session) }
        try held.decide(accepts: false, session, daemon) { _ in
            "todod-sync sends the items of '\(held.title.oneLine())' to the server again."
        }
    }
}
