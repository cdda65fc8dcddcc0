internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI
internal import Varlink

/// The items of a list, made from rows.
final class ItemChunks: ReplyChunkSource {
    private let rows: RowStream
    private let columns: ItemColumns
    private let query: ItemQuery
    private let parts: ItemPartRows
    /// The forecast for delayed alerts, or `nil` if it is not requested.
    private let forecast: AlertForecast?
    private var clock: RFC3339.Clock
    /// The number of items in a reply, or `nil` for a single reply.
    private let itemsPerReply: Int?
    /// The first row of the next chunk. It is read early, because it decides whether a chunk is the last one.
    private var ahead: (any StoreRow)?
    private var hasBegun = false
    /// The size of the last chunk, which is an estimate for the next one.
    private var chunkBytes = 0

    init(
        _ rows: RowStream, _ columns: ItemColumns, _ query: ItemQuery, parts: ItemPartRows,
        forecast: AlertForecast?,
        zone: TimeZoneRules, itemsPerReply: Int?
    ) {
        self.rows = rows
        self.columns = columns
        self.query = query
        self.parts = parts
        self.forecast = forecast
        clock = RFC3339.Clock(zone)
        self.itemsPerReply = itemsPerReply
    }

    func interrupt() { rows.interruption() }

    func next() -> Result<ReplyChunk, any Error> {
        var failure: (any Error)?
        let isFirst = !hasBegun
        let message = MethodReply.streamBytes(expectedBytes: chunkBytes + chunkBytes / 8) { fields in
            fields.name("items")
            fields.array { array in
                do {
                    try write(to: &array)
                } catch {
                    failure = error
                }
            }
            if isFirst { query.writeNote(to: &fields) }
            return ahead != nil
        }
        chunkBytes = message.count
        return failure.map { .failure($0) } ?? .success(ReplyChunk(message: message, isLast: ahead == nil))
    }

    private func isFull(bytes: Int, count: Int) -> Bool {
        guard let itemsPerReply else { return false }
        return count == itemsPerReply || bytes > ItemList.chunkBytes
    }

    private func write(to array: inout JSONWriter) throws {
        var next = hasBegun ? ahead : try rows.nextInPlace()
        hasBegun = true
        var count = 0
        while let row = next, !isFull(bytes: array.count, count: count) {
            columns.write(
                row, to: &array, clock: &clock, parts: try parts.parts(of: row, columns),
                heldUntil: forecast.flatMap { columns.delayEnd(of: row, $0) })
            count += 1
            if itemsPerReply == nil, array.count > ListItems.replyBytesLimit {
                throw APIError.expectedMore
            }
            next = try rows.nextInPlace()
        }
        ahead = next
    }
}
