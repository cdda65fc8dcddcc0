internal import Alerts
internal import Dispatch
internal import ObjectStore
internal import Reminders
internal import TodoAPI
internal import VarlinkServer

/// One encoded reply of several.
struct ReplyChunk: Sendable {
    let message: [UInt8]
    let isLast: Bool
}

/// Reads from the store, and makes the replies to one call, chunk by chunk.
protocol ReplyChunkSource: AnyObject {
    /// Returns the next chunk. Called on one queue, and not after the last chunk.
    func next() -> Result<ReplyChunk, any Error>
    /// Ends a `next` that takes too long. Called on any queue.
    func interrupt()
}

/// A source that is read on a queue of its own.
///
/// `@unchecked Sendable`: `next` of the source is called on this queue only, and `interrupt` may be called on any queue.
private struct ReplyChunkReader: @unchecked Sendable {
    private let source: any ReplyChunkSource
    private let queue = DispatchQueue(label: "todod.reading")

    init(_ source: any ReplyChunkSource) { self.source = source }

    /// Passes the next chunk to `body`, on the queue of the source.
    func next(_ body: @escaping @Sendable (Result<ReplyChunk, any Error>) -> Void) {
        queue.async { body(source.next()) }
    }

    func interrupt() { source.interrupt() }
}

/// A long reply that a client reads in chunks.
///
/// The chunks are read and encoded on a queue of their own, a few before the client needs them. All of them show one
/// state of the store, while others write to it. A client that reads slowly does not delay any other work.
final class ReplyChunkStream: ReplySource {
    /// The limit of bytes that wait for the client: about four chunks, or a single one with long notes.
    private static let bufferedBytes = 256 << 10

    private let queue: DispatchQueue
    private let open: () throws -> any ReplyChunkSource
    private let resume: () -> Void
    private let message: (any Error) -> [UInt8]
    private var reader: ReplyChunkReader?
    private var ready: [ReplyChunk] = []
    private var readyBytes = 0
    private var isReading = false
    private var isAtEnd = false

    /// Creates a stream that opens the store when the client needs the first chunk.
    ///
    /// - Parameter open: called when everything that was saved before the call is on disk. The chunks show the state
    ///   of the store at this time.
    init(
        for answer: Answer<some Method>, on queue: DispatchQueue,
        _ open: @escaping () throws -> any ReplyChunkSource
    ) {
        self.queue = queue
        self.open = open
        resume = answer.resume
        message = answer.message(for:)
    }

    deinit {
        reader?.interrupt()
    }

    func next() -> ReplyStep {
        if !ready.isEmpty {
            let chunk = ready.removeFirst()
            readyBytes -= chunk.message.count
            readOn()
            return chunk.isLast ? .last(chunk.message) : .reply(chunk.message)
        }
        guard reader == nil else { return .later }
        do {
            reader = ReplyChunkReader(try open())
            readOn()
            return .later
        } catch {
            return .last(message(error))
        }
    }

    func timeout() -> [UInt8] {
        reader?.interrupt()
        return message(
            APIError.tooSlow(reason: "the client did not read the reply within \(ListItems.secondsLimit) s"))
    }

    /// Reads the next chunk, unless enough of them wait for the client.
    private func readOn() {
        guard let reader, !isReading, !isAtEnd, readyBytes < Self.bufferedBytes else { return }
        isReading = true
        let stream = QueueConfined(self, to: queue)
        reader.next { chunk in stream.async { $0.take(chunk) } }
    }

    private func take(_ result: Result<ReplyChunk, any Error>) {
        isReading = false
        let chunk =
            switch result {
            case .success(let chunk): chunk
            case .failure(let error): ReplyChunk(message: message(error), isLast: true)
            }
        isAtEnd = chunk.isLast
        ready.append(chunk)
        readyBytes += chunk.message.count
        readOn()
        resume()
    }
}

extension Answer {
    /// Sends a long reply, which is made on a queue of its own.
    func stream(in service: ServiceContext, _ open: @escaping () throws -> any ReplyChunkSource) {
        stream(ReplyChunkStream(for: self, on: service.queue, open), within: ListItems.secondsLimit)
    }

    /// Sends the items of a query.
    ///
    /// - Parameter forecast: the forecast for delayed alerts. It is evaluated only if the query requests it.
    func stream(
        _ query: ItemQuery, in service: ServiceContext, _ forecast: @autoclosure () -> AlertForecast
    ) throws {
        let forecast = query.columns.showsHeldUntil ? forecast() : nil
        if let message = try query.fewItems(in: service, forecast) { return reply(message: message) }
        let itemsPerReply = wantsMore ? ListItems.itemsPerReply : nil
        stream(in: service) {
            let columns = try query.columns.fitting(service.store)
            let rows = try service.store.context.stream(query.request, of: columns.columns)
            let parts = try ItemPartRows(columns, in: service.store.context, beside: rows)
            return ItemChunks(
                rows, columns, query, parts: parts, forecast: forecast, zone: service.times.zone,
                itemsPerReply: itemsPerReply)
        }
    }
}
