internal import TodoAPI

/// The items of a command, divided into batches if there are very many.
///
/// A single call could exceed the message limit, the undo limit or the reply limit. If a batch fails, the changes of
/// earlier batches remain.
struct ItemBatches {
    /// The undo limit. As many item numbers also fit into a message.
    static let itemsPerCall = 10_000

    let ids: [Int64]
    var itemsPerCall = Self.itemsPerCall

    /// Calls `change` with each batch, and returns the number of batches.
    ///
    /// If the daemon reports that a batch is too large, the remaining items are divided into batches of half that size.
    ///
    /// - Throws: the error of the first batch that fails. If the daemon refuses it after earlier batches were changed,
    ///   the message says how many items they had.
    func forEach(_ change: ([Int64]) throws(ClientError) -> Void) throws(ClientError) -> Int {
        var count = 0
        var start = 0
        var size = itemsPerCall
        while start < ids.count {
            let batch = Array(ids[start...].prefix(size))
            do throws(ClientError) {
                try change(batch)
                start += batch.count
                count += 1
            } catch .refused(_, .tooLarge?) where batch.count > 1 {
                size = (batch.count + 1) / 2
            } catch .refused(let message, let reason) where start > 0 {
                let done =
                    "The first \(start) of \(ids.count) items, up to number \(ids[start - 1]), were changed before that."
                throw .refused("\(message)\n\(done)", reason: reason)
            }
        }
        return count
    }
}
