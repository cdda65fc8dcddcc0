internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI
internal import Varlink

/// The items of a list, made of rows.
///
/// `@unchecked Sendable`: `next` is called by one queue only, and `interrupt` may come from any.
final class ItemPieces: PieceMaker, @unchecked Sendable {
    private let rows: RowStream
    private let query: ItemQuery
    /// Nil if the lead times of the items are not wanted.
    private let leads: ItemLeads?
    /// Nil if it is not wanted until when alerts are held back.
    private let outlook: AlertOutlook?
    private var clock: RFC3339.Clock
    /// Nil for all in one.
    private let itemsPerReply: Int?
    /// The first row of the next piece: without it nobody knows whether a piece is the last.
    private var ahead: (any StoreRow)?
    private var hasBegun = false
    /// How long the last piece was: the next will be about as long.
    private var pieceBytes = 0

    init(
        _ rows: RowStream, _ query: ItemQuery, leads: ItemLeads?, outlook: AlertOutlook?,
        zone: TimeZoneRules, itemsPerReply: Int?
    ) {
        self.rows = rows
        self.query = query
        self.leads = leads
        self.outlook = outlook
        clock = RFC3339.Clock(zone)
        self.itemsPerReply = itemsPerReply
    }

    func interrupt() { rows.interrupt() }

    func next() -> Result<Piece, any Error> {
        var failure: (any Error)?
        let isFirst = !hasBegun
        let message = MethodReply.streamBytes(expectedBytes: pieceBytes + pieceBytes / 8) { fields in
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
        pieceBytes = message.count
        return failure.map { .failure($0) } ?? .success(Piece(message: message, isLast: ahead == nil))
    }

    private func isFull(_ bytes: Int, _ count: Int) -> Bool {
        guard let itemsPerReply else { return false }
        return count == itemsPerReply || bytes > ItemList.pieceBytes
    }

    private func write(to array: inout JSONWriter) throws {
        let columns = query.columns
        var next = hasBegun ? ahead : try rows.nextInPlace()
        hasBegun = true
        var count = 0
        while let row = next, !isFull(array.count, count) {
            columns.write(
                row, to: &array, clock: &clock, leads: try columns.leads(of: row, leads),
                heldUntil: outlook.flatMap { columns.end(ofHolding: row, $0) })
            count += 1
            if itemsPerReply == nil, array.count > ListItems.replyBytesLimit {
                throw APIError.expectedMore
            }
            next = try rows.nextInPlace()
        }
        ahead = next
    }
}
