internal import Dispatch
internal import ObjectStore
internal import Reminders
internal import TodoAPI
internal import VarlinkServer

/// One reply of many, written already.
struct Piece: Sendable {
    let message: [UInt8]
    let isLast: Bool
}

/// Makes the replies to one call from what it reads, piece by piece.
protocol PieceMaker: Sendable {
    /// The next piece; called by one queue, and not after the last.
    func next() -> Result<Piece, any Error>
    /// Ends a `next` that takes too long; called from any queue.
    func interrupt()
}

/// A long answer on its way to a client.
///
/// It is read, and written as JSON, on a queue of its own, a little ahead of what the client has taken: all of one
/// state of the store, while others write to it. A client that reads slowly holds up nobody.
final class PieceStream: ReplySource {
    /// When so much waits for the client, no more is made: about four pieces, or a single one of long notes.
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

    /// `open` is called when what was saved before the call is on disk; the state of the store is that of this moment.
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
            APIError.tooSlow(reason: "the answer was not read and taken within \(ListItems.secondsLimit) s"))
    }

    /// Reads the next piece, unless enough of them wait for the client.
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
    /// Sends a long answer, made beside the queue that does everything else.
    func stream(in workspace: Workspace, _ open: @escaping () throws -> any PieceMaker) {
        stream(PieceStream(for: self, on: workspace.queue, open), within: ListItems.secondsLimit)
    }

    /// Sends the items of a query.
    ///
    /// - Parameter outlook: says until when alerts are held back; it is asked only if that is wanted.
    func stream(
        _ query: ItemQuery, in workspace: Workspace, _ outlook: @autoclosure () -> AlertOutlook
    ) throws {
        if let message = try query.fewItems(in: workspace) { return reply(message: message) }
        let itemsPerReply = wantsMore ? ListItems.itemsPerReply : nil
        let outlook = query.columns.showsHeldUntil ? outlook() : nil
        stream(in: workspace) {
            let columns = query.columns
            let rows = try workspace.context.stream(query.request, of: columns.columns)
            let leads =
                columns.showsLeads ? try ItemLeads(in: workspace.context, beside: rows) : nil
            return ItemPieces(
                rows, query, leads: leads, outlook: outlook, zone: workspace.zone,
                itemsPerReply: itemsPerReply)
        }
    }
}
