/// The document that an XML store of the same objects would be, of any store, made piece by piece.
///
/// It is of the state that was saved when the stream began, whatever is saved meanwhile, and little of it is in memory
/// at a time. Beginning a stream belongs to the queue of the store; after that it may be handed to another one.
///
///     let document = try XMLDocumentStream(of: store, model: coordinator.model)
///     while let piece = try document.next() { try send(piece) }
public final class XMLDocumentStream {
    /// About how long a piece is.
    private static let pieceBytes = 64 << 10

    private let streams: [XMLObjectStream]
    /// What was written and not yet taken.
    private var text: String
    private var position = 0
    /// Whether the last piece has been given.
    public private(set) var isAtEnd = false

    /// - Parameter entities: the names of those whose objects are left out. That is an error when others refer to them.
    public init(
        of store: any PersistentStore, model: ManagedObjectModel, without entities: Set<String> = []
    ) throws {
        let left = model.entities.filter { !entities.contains($0.name) }
        for relationship in left.flatMap(\.relationships) {
            let name = model.destination(of: relationship).name
            guard !entities.contains(name) else {
                throw StoreError(.other, "\(name) cannot be left out: \(relationship.name) refers to it")
            }
        }
        let numbering = XMLNumbering(model)
        var streams: [XMLObjectStream] = []
        for entity in left {
            streams.append(
                try XMLObjectStream(entity, of: store, model, numbering, beside: streams.first?.cursor))
        }
        self.streams = streams
        // After the state of the objects is fixed: an id may be larger than all of theirs, and not smaller.
        let header = XMLHeader(
            metadata: store.metadata, model: model,
            largestIDs: try model.entities.map { try store.largestID(of: $0) })
        text = header.text(numbering)
    }

    /// The next piece of the text; nil after the last one.
    public func next() throws -> String? {
        guard !isAtEnd else { return nil }
        while position < streams.count, text.utf8.count < Self.pieceBytes {
            if try !streams[position].write(to: &text) { position += 1 }
        }
        if position == streams.count {
            text += XMLHeader.end
            isAtEnd = true
        }
        defer { text = "" }
        return text
    }

    /// Ends a `next` that takes too long, which throws then. It may be called from any queue.
    public func interrupt() {
        for stream in streams { stream.interrupt() }
    }
}
