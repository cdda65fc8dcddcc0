internal import TodoAPI

/// Very many items, changed by several calls.
///
/// One call would be longer than a message, and change more than can be undone. What a lot has changed stays when a later
/// one fails.
struct ItemLots {
    /// So many can be undone together, and fit well into a message.
    static let itemsPerCall = 10_000

    let ids: [Int64]
    var itemsPerCall = Self.itemsPerCall

    var count: Int { (ids.count + itemsPerCall - 1) / itemsPerCall }

    /// Calls `change` with each lot; when one fails, its error says how far it has come.
    func forEach(_ change: ([Int64]) throws(ClientError) -> Void) throws(ClientError) {
        for start in stride(from: 0, to: ids.count, by: itemsPerCall) {
            let lot = Array(ids[start..<min(start + itemsPerCall, ids.count)])
            do throws(ClientError) {
                try change(lot)
            } catch .refused(let message, let reason) where start > 0 {
                let done =
                    "The first \(start) of \(ids.count) items, up to number \(ids[start - 1]), were changed before that."
                throw .refused("\(message)\n\(done)", reason: reason)
            }
        }
    }
}
