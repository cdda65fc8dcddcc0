internal import CivilTime
internal import TodoAPI

/// The entries of a history, and then the counts of repeating items.
final class HistoryChunks: ReplyChunkSource {
    /// The approximate size of an entry or of counts in a reply, without their texts.
    private static let bytesPerEntry = 256

    private let note: String?
    private let zone: TimeZoneRules
    /// Whether the reply can have several chunks.
    private let hasMore: Bool
    private let interruptions: [@Sendable () -> Void]
    private var entries: HistoryRows
    /// The counts, or `nil` if they are not requested.
    private var counts: HistoryCountRows?
    /// The first entry and the first counts of the next chunk. They decide whether a chunk is the last one.
    private var nextEntry: HistoryEntry?
    private var nextCounts: HistoryCounts?
    private var hasBegun = false

    init(_ query: HistoryQuery, _ service: ServiceContext, hasMore: Bool) throws {
        note = query.note
        zone = service.times.zone
        self.hasMore = hasMore
        entries = try HistoryRows(query, in: service.store.context)
        counts =
            query.wantsCounts ? try HistoryCountRows(query, service, beside: entries.stream) : nil
        interruptions = entries.interruptions + (counts?.interruptions ?? [])
    }

    func interrupt() {
        for interruption in interruptions { interruption() }
    }

    func next() -> Result<ReplyChunk, any Error> {
        Result {
            var reply = ListHistory.Reply()
            if !hasBegun {
                hasBegun = true
                reply.note = note
                nextEntry = try entries.next()
                nextCounts = try counts?.next()
            }
            var size = Size()
            while let entry = nextEntry, try hasRoom(size) {
                reply.entries.append(entry)
                size.add(entry.uid, entry.name, entry.category)
                nextEntry = try entries.next()
            }
            if nextEntry == nil, counts != nil {
                var list: [HistoryCounts] = []
                while let counts = nextCounts, try hasRoom(size) {
                    list.append(counts)
                    size.add(counts.uid, counts.name, counts.category)
                    nextCounts = try self.counts?.next()
                }
                reply.counts = list
            }
            let isLast = nextEntry == nil && nextCounts == nil
            let message = Answer<ListHistory>.message(reply, continues: !isLast, zone: zone)
            return ReplyChunk(message: message, isLast: isLast)
        }
    }

    /// The number of entries of a chunk, and their approximate size.
    private struct Size {
        var count = 0
        var bytes = 0

        mutating func add(_ texts: String?...) {
            count += 1
            bytes += texts.reduce(bytesPerEntry) { $0 + ($1?.utf8.count ?? 0) }
        }
    }

    /// Whether a chunk has room for another entry.
    ///
    /// - Throws: `ExpectedMore` if the whole reply would be too long for one chunk.
    private func hasRoom(_ size: Size) throws -> Bool {
        if hasMore { return size.count < ListHistory.entriesPerReply && size.bytes < ItemList.chunkBytes }
        guard size.bytes < ListItems.replyBytesLimit else { throw APIError.expectedMore }
        return true
    }
}
