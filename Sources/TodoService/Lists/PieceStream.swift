internal import Alerts
internal import Dispatch
internal import ObjectStore
internal import Reminders
internal import TodoAPI
internal import VarlinkServer

/// One encoded reply of several.
struct Piece: Sendable {
    let message: [UInt8]
    let isLast: Bool
}

/// Reads from the store, and makes the replies to one call, chunk by chunk.
protocol PieceMaker: Sendable {
    /// Returns the next chunk. Called on one queue, and not after the last chunk.
    func next() -> Result<Piece, any Error>
    /// Ends a `next` that takes too long. Called on any queue.
    func interrupt()
}

/// A long reply that a client reads in chunks.
///
/// The chunks are read and encoded on a queue of their own, a few before the client needs them. All of them show one
/// state of the store, while others write to it. A client that reads slowly does not delay any other work.
final class PieceStream: ReplySource {
    /// The limit of bytes that wait for the client: about four chunks, or a single one with long notes.
    private static let bytesAhead = 256 << 10

    private let queue: DispatchQueue
    private let reading = DispatchQueue(label: "todod.reading")
    private let open: () throws -> any PieceMaker
    private let resume: () -> Void
    private let message: (any Error) -> [UInt8]
    private var maker: (any PieceMaker)?
    private var ready: [Piece] = []
    private var readyBytes = 0
    private var isReading = false
    private var isAtEnd = false

    /// Creates a stream that opens the store when the client needs the first chunk.
    ///
    /// - Parameter open: called when everything that was saved before the call is on disk. The chunks show the state
    ///   of the store at this time.
    init(
        for answer: Answer<some Method>, on queue: DispatchQueue,
        _ open: @escaping () throws -> any PieceMaker
    ) {
        self.queue = queue
        self.open = open
        resume = answer.resume
        message = answer.message(for:)
    }

    deinit {
        maker?.interrupt()
    }

    func next() -> ReplyStep {
        if !ready.isEmpty {
            let piece = ready.removeFirst()
            readyBytes -= piece.message.count
            readOn()
            return piece.isLast ? .last(piece.message) : .reply(piece.message)
        }
        guard maker == nil else { return .later }
        do {
            maker = try open()
            readOn()
            return .later
        } catch {
            return .last(message(error))
        }
    }

    func timeout() -> [UInt8] {
        maker?.interrupt()
        return message(
            APIError.tooSlow(reason: "the client did not read the reply within \(ListItems.secondsLimit) s"))
    }

    /// Reads the next chunk, unless enough of them wait for the client.
    private func readOn() {
        guard let maker, !isReading, !isAtEnd, readyBytes < Self.bytesAhead else { return }
        isReading = true
        let stream = QueueConfined(self, to: queue)
        reading.async {
            let piece = maker.next()
            stream.async { $0.take(piece) }
        }
    }

    private func take(_ result: Result<Piece, any Error>) {
        isReading = false
        let piece =
            switch result {
            case .success(let piece): piece
            case .failure(let error): Piece(message: message(error), isLast: true)
            }
        isAtEnd = piece.isLast
        ready.append(piece)
        readyBytes += piece.message.count
        readOn()
        resume()
    }
}

extension Answer {
    /// Sends a long reply, which is made on a queue of its own.
    func stream(in service: ServiceContext, _ open: @escaping () throws -> any PieceMaker) {
        stream(PieceStream(for: self, on: service.queue, open), within: ListItems.secondsLimit)
    }

    /// Sends the items of a query.
    ///
    /// - Parameter outlook: the outlook for delayed alerts. It is evaluated only if the query requests it.
    func stream(
        _ query: ItemQuery, in service: ServiceContext, _ outlook: @autoclosure () -> AlertOutlook
    ) throws {
        if let message = try query.fewItems(in: service) { return reply(message: message) }
        let itemsPerReply = wantsMore ? ListItems.itemsPerReply : nil
        let outlook = query.columns.showsHeldUntil ? outlook() : nil
        stream(in: service) {
            let columns = query.columns
            let rows = try service.store.context.stream(query.request, of: columns.columns)
            let leads =
                columns.showsLeads ? try ItemLeads(in: service.store.context, beside: rows) : nil
            return ItemPieces(
                rows, query, leads: leads, outlook: outlook, zone: service.times.zone,
                itemsPerReply: itemsPerReply)
        }
    }
}
