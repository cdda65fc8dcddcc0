/// The rule by which deletions of a server are carried out at once or wait for the user.
enum SyncDeletions {
    /// The number of deletions that are never held back.
    private static let alwaysAllowed = 3
    /// The number of missing tasks from which on they are held back, if they are more than a tenth. Fewer are held back if
    /// they are more than a third.
    private static let missingLimit = 10

    /// Returns the reason why deletions are held back, or `nil` if they are not.
    ///
    /// - Parameters:
    ///   - known: the number of tasks that the list had.
    ///   - deleted: the number of deletions that the server has reported.
    ///   - missing: the number of tasks that the server does not list any more.
    static func reason(known: Int, deleted: Int, missing: Int) -> String? {
        let gone = deleted + missing
        guard gone > alwaysAllowed else { return nil }
        if gone >= known { return "the server has none of the \(known) tasks any more" }
        if missing >= missingLimit && missing * 10 > known || missing > alwaysAllowed && missing * 3 > known {
            return
                "the server does not list \(missing) of \(known) tasks any more, and has reported no deletion"
        }
        return nil
    }
}
