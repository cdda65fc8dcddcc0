public import ObjectStore

/// A stream that writes the objects of any store as the document of an XML store, in chunks.
///
/// The document shows the state that was saved when the stream was created, even if the store is saved later.
/// Only a small part of it is in memory at a time. Create the stream on the store's queue. After that, another
/// queue may use it instead. It is not shared: one queue uses it at a time.
///
///     let document = try XMLDocumentStream(of: store, model: coordinator.model)
///     while let chunk = try document.next() { try send(chunk) }
public final class XMLDocumentStream {
    /// The approximate size of a chunk, in bytes.
    private static let chunkBytes = 64 << 10

    private let streams: [XMLObjectStream]
    /// The text that was written but not returned yet.
    private var text: String
    private var position = 0
    /// Whether the last chunk has been returned.
    public private(set) var isAtEnd = false

    /// Begins a stream of the state that is saved now.
    ///
    /// - Parameters:
    ///   - store: an open store of any kind.
    ///   - model: the model of the store.
    ///   - entities: the names of the entities to leave out.
    /// - Throws: a `StoreError` if another entity has a relationship to one that is left out.
    public init(
        of store: any PersistentStore, model: ManagedObjectModel, without entities: Set<String> = []
    ) throws {
        let left = model.entities.filter { !entities.contains($0.name) }
        for relationship in left.flatMap(\.relationships) {
            let name = model.destination(of: relationship).name
            guard !entities.contains(name) else {
                throw StoreError(.other, "\(name) cannot be omitted: \(relationship.name) refers to it")
            }
        }
        let numbering = XMLNumbering(model)
        var streams: [XMLObjectStream] = []
        for entity in left {
            streams.append(
                try XMLObjectStream(
                    entity, of: store, model: model, numbering: numbering, beside: streams.first?.cursor))
        }
        self.streams = streams
        // This is read after the state of the objects is fixed. An ID here may be larger than theirs, but not smaller.
        let header = XMLHeader(
            metadata: store.metadata, model: model,
            largestIDs: try model.entities.map { try store.largestID(of: $0) })
        text = header.text(numbering)
    }

    /// Returns the next chunk of the document, or `nil` after the last one.
    public func next() throws -> String? {
        guard !isAtEnd else { return nil }
        while position < streams.count, text.utf8.count < Self.chunkBytes {
            if try !streams[position].write(to: &text) { position += 1 }
        }
        if position == streams.count {
            text += XMLHeader.end
            isAtEnd = true
        }
        defer { text = "" }
        return text
    }

    /// A function that interrupts a call of `next`, which then throws. Any queue can call the function.
    public var interruption: @Sendable () -> Void {
        let all = streams.flatMap(\.interruptions)
        return { for interrupt in all { interrupt() } }
    }
}
