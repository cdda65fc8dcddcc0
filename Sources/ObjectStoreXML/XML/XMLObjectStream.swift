internal import ObjectStore

/// A stream of the objects of one entity as they are in an XML store.
///
/// Only one row and one reference of each to-many relationship are in memory, however many there are.
final class XMLObjectStream {
    /// An object with its beginning written but not its end.
    private struct Open {
        let id: Int64
        /// The position of the to-many relationship that is being written.
        var position = 0
        var members: XMLObjectWriter.Members?
    }

    private let writer: XMLObjectWriter
    private let rows: any StoreCursor
    private var references: [XMLReferences]
    /// All cursors of the stream.
    private let cursors: [any StoreCursor]
    private var open: Open?

    /// Begins a stream of the objects of an entity.
    ///
    /// - Parameter other: a cursor that reads the state to write, or `nil` for the state that is saved now.
    init(
        _ entity: Entity, of store: any PersistentStore, model: ManagedObjectModel,
        numbering: XMLNumbering, beside other: (any StoreCursor)?
    ) throws {
        writer = XMLObjectWriter(entity, model: model, numbering: numbering)
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

    /// The cursor that other streams of the same state are created beside.
    var cursor: any StoreCursor { rows }

    var interruptions: [@Sendable () -> Void] { cursors.map(\.interruption) }

    /// Writes a little more text. Returns false if there is no more.
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

    /// Writes one reference, the end of a relationship, or the end of the object. Returns false in the last case.
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
