internal import TodoAPI

/// Very many items, changed by several calls.
///
/// One call would be longer than a message, change more than can be undone, or have a reply that is too long. What a lot
/// has changed stays when a later one fails.
struct ItemLots {
    /// So many can be undone together, and fit well into a message.
    static let itemsPerCall = 10_000

    let ids: [Int64]
    var itemsPerCall = Self.itemsPerCall

    /// Calls `change` with each lot, and returns how many there were; when one fails, its error says how far it has come.
    ///
    /// Those behind one that the daemon finds too long are half as large.
    func forEach(_ change: ([Int64]) throws(ClientError) -> Void) throws(ClientError) -> Int {
        var count = 0
        var start = 0
        var size = itemsPerCall
        while start < ids.count {
            let lot = Array(ids[start...].prefix(size))
            do throws(ClientError) {
                try change(lot)
                start += lot.count
                count += 1
            } catch .refused(_, .tooLarge?) where lot.count > 1 {
                size = (lot.count + 1) / 2
            } catch .refused(let message, let reason) where start > 0 {
                let done =
                    "The first \(start) of \(ids.count) items, up to number \(ids[start - 1]), were changed before that."
                throw .refused("\(message)\n\(done)", reason: reason)
            }
        }
        return count
    }
}
