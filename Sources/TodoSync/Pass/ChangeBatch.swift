internal import TodoAPI

/// Texts of a list that are passed to todod in calls of limited size.
struct ChangeBatch {
    /// The limit of text in a call. A message of todod has at most 1 MiB, and JSON escapes each line end.
    static let bytesLimit = 400 << 10
    /// The limit of URLs in a call.
    static let urlsLimit = 2_000

    private(set) var texts: [SyncText] = []
    private var byteCount = 0

    /// Adds a text. If it does not fit, `send` is called with the texts before it.
    mutating func add(_ text: SyncText, send: ([SyncText]) throws -> Void) rethrows {
        let count = SyncText.messageByteCount(of: text.text) + text.url.utf8.count
        if byteCount + count > Self.bytesLimit { try flush(send: send) }
        texts.append(text)
        byteCount += count
    }

    /// Sends the remaining texts.
    mutating func flush(send: ([SyncText]) throws -> Void) rethrows {
        if texts.isEmpty { return }
        try send(texts)
        texts = []
        byteCount = 0
    }

    /// Returns URLs in batches for one call each.
    static func batches(of urls: [String]) -> [[String]] {
        var batches: [[String]] = []
        var byteCount = bytesLimit
        for url in urls {
            if byteCount + url.utf8.count > bytesLimit || batches.last?.count == urlsLimit {
                batches.append([])
                byteCount = 0
            }
            batches[batches.count - 1].append(url)
            byteCount += url.utf8.count
        }
        return batches
    }
}
