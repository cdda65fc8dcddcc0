/// The objects of one entity as an XML store has them, read from a store and written bit by bit.
///
/// One row is in memory, and one reference of each to-many relationship, however many there are.
final class XMLObjectStream {
    /// An object of which the beginning is written.
    private struct Open {
        let id: Int64
        /// The to-many relationship that is being written.
        var position = 0
        var members: XMLObjectWriter.Members?
    }

    private let writer: XMLObjectWriter
    private let rows: any StoreCursor
    private var references: [XMLReferences]
    /// All that are read: these never change, so they may be interrupted from any queue.
    private let cursors: [any StoreCursor]
    private var open: Open?

    /// - Parameter other: has the state of the store that is written; nil for the one that is saved now.
    init(
        _ entity: Entity, of store: any PersistentStore, _ model: ManagedObjectModel,
        _ numbering: XMLNumbering, beside other: (any StoreCursor)?
    ) throws {
        writer = XMLObjectWriter(entity, model, numbering)
        let query = StoreQuery(
            request: StoreRequest(entity: entity, order: [FetchOrder("id")]), columns: entity.objectColumns)
        let rows = try other.map { try store.cursor(query, beside: $0) } ?? store.cursor(query)
        self.rows = rows
        let references = try entity.toMany.map { relationship in
            try XMLReferences(relationship, of: entity, in: store, model, beside: rows)
        }
        self.references = references
        cursors = [rows] + references.map(\.pairs)
    }

    /// What other streams read of the same state are read beside.
    var cursor: any StoreCursor { rows }

    func interrupt() {
        for cursor in cursors { cursor.interrupt() }
    }

    /// Adds a little more; false when there is no more.
    func write(to text: inout String) throws -> Bool {
        if var object = open {
            open = try writeMembers(of: &object, to: &text) ? object : nil
            return true
        }
        guard let row = try rows.nextInPlace() else { return false }
        guard let id = row.integer(at: 0) else { return true }
        writer.begin(id, to: &text) { row.value(at: $0 + 1) }
        open = Open(id: id)
        return true
    }

    /// Adds one reference, or what stands between two relationships; false when it was the object's end.
    private func writeMembers(of object: inout Open, to text: inout String) throws -> Bool {
        guard object.position < references.count else {
            writer.end(&text)
            return false
        }
        var members = object.members ?? writer.beginMembers(of: object.position, to: &text)
        if let id = try references[object.position].next(of: object.id) {
            writer.add(id, to: &members, &text)
            object.members = members
        } else {
            writer.end(members, &text)
            object.members = nil
            object.position += 1
        }
        return true
    }
}
