internal import CivilTime
internal import Dispatch
internal import ObjectStore
internal import Reminders
internal import TodoAPI
internal import Varlink
internal import VarlinkServer

/// The items of a query on their way to a client.
///
/// They are read, and written as JSON, on a queue of their own, one piece ahead of what the client has taken: all of
/// one state of the store, while others write to it. A client that reads slowly holds up nobody.
final class ItemStream: ReplySource {
    private let wantsMore: Bool
    private let resume: () -> Void
    private let message: (any Error) -> [UInt8]
    private let query: ItemQuery
    private let workspace: Workspace
    private let reading = DispatchQueue(label: "todod.list")
    private var pieces: ItemPieces?
    private var ready: ReplyStep?

    init(_ query: ItemQuery, for answer: Answer<some Method>, _ workspace: Workspace) {
        self.query = query
        wantsMore = answer.wantsMore
        resume = answer.resume
        message = answer.message(for:)
        self.workspace = workspace
    }

    deinit {
        pieces?.interrupt()
    }

    func next() -> ReplyStep {
        guard let step = ready else {
            if pieces == nil { return begin() }
            return .later
        }
        ready = nil
        if case .reply = step { read() }
        return step
    }

    func timeout() -> [UInt8] {
        pieces?.interrupt()
        return message(
            APIError.tooSlow(
                reason: "the list was not read and taken within \(ListItems.secondsLimit) s"))
    }

    /// The state of the store is that of this moment.
    private func begin() -> ReplyStep {
        do {
            let rows = try workspace.context.stream(query.request, of: query.columns.columns)
            pieces = ItemPieces(
                rows, query.columns, zone: workspace.zone,
                itemsPerReply: wantsMore ? ListItems.itemsPerReply : nil)
            read()
            return .later
        } catch {
            return .last(message(error))
        }
    }

    private func read() {
        guard let pieces else { return }
        let stream = QueueConfined(self, to: workspace.queue)
        reading.async {
            let piece = pieces.next()
            stream.async { $0.take(piece) }
        }
    }

    private func take(_ piece: Result<ItemPieces.Piece, any Error>) {
        switch piece {
        case .success(let piece): ready = piece.isLast ? .last(piece.message) : .reply(piece.message)
        case .failure(let error): ready = .last(message(error))
        }
        resume()
    }
}

/// Replies made of rows, piece by piece.
///
/// `@unchecked Sendable`: `next` is called by one queue only, and `interrupt` may come from any.
private final class ItemPieces: @unchecked Sendable {
    struct Piece: Sendable {
        let message: [UInt8]
        let isLast: Bool
    }

    private let rows: RowStream
    private let columns: ItemColumns
    private let zone: TimeZoneRules
    /// Nil for all in one.
    private let itemsPerReply: Int?
    /// The first row of the next piece: without it nobody knows whether a piece is the last.
    private var ahead: FetchedRow?
    private var hasBegun = false

    init(_ rows: RowStream, _ columns: ItemColumns, zone: TimeZoneRules, itemsPerReply: Int?) {
        self.rows = rows
        self.columns = columns
        self.zone = zone
        self.itemsPerReply = itemsPerReply
    }

    func interrupt() { rows.interrupt() }

    func next() -> Result<Piece, any Error> {
        var failure: (any Error)?
        let message = MethodReply.streamBytes { fields in
            fields.name("items")
            fields.array { array in
                do {
                    try write(to: &array)
                } catch {
                    failure = error
                }
            }
            return ahead != nil
        }
        return failure.map { .failure($0) } ?? .success(Piece(message: message, isLast: ahead == nil))
    }

    private func write(to array: inout JSONWriter) throws {
        if !hasBegun { ahead = try rows.next() }
        hasBegun = true
        var count = 0
        while let row = ahead, count < itemsPerReply ?? .max {
            columns.item(row).write(to: &array, zone: zone)
            count += 1
            if itemsPerReply == nil, array.bytes.count > ListItems.replyBytesLimit {
                throw APIError.expectedMore
            }
            ahead = try rows.next()
        }
    }
}
