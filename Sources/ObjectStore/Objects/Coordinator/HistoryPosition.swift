/// A position in the history of a store that a program reads while it runs.
struct HistoryPosition: Equatable {
    /// The number of the last transaction that was read.
    private(set) var number: Int64 = 0
    /// The store's `lossCount` when the number was read.
    private(set) var lossCount = 0

    init() {}

    /// Creates a position at the end of the history.
    init(endOf recorder: any HistoryRecording) throws {
        lossCount = recorder.lossCount
        number = try recorder.lastHistoryToken().number
    }

    fileprivate func advanced(to number: Int64) -> HistoryPosition {
        var later = self
        later.number = number
        return later
    }
}

extension HistoryRecording {
    /// Returns the transactions of other programs after a position, or `nil` if some of them, or some before the position, are
    /// not in the history any more.
    func savesOfOthers(
        after position: HistoryPosition
    ) throws -> (transactions: [HistoryTransaction], last: HistoryPosition)? {
        let found = try savesOfOthers(after: position.number)
        // The call may have connected to another server.
        guard let found, lossCount == position.lossCount else { return nil }
        return (found.transactions, position.advanced(to: found.last))
    }
}
