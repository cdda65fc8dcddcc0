internal import ObjectStore
internal import ObjectStoreXML
internal import Reminders
internal import TodoAPI
internal import Varlink

/// The XML document of a Core Data store with the same objects, in chunks.
final class CoreDataChunks: ReplyChunkSource {
    private let document: XMLDocumentStream
    /// Whether the caller accepts several replies. Each of them then has one chunk of the document.
    private let allowsManyReplies: Bool

    init(_ service: ServiceContext, allowsManyReplies: Bool) throws {
        let coordinator = service.store.context.coordinator
        guard let store = coordinator.store else { throw StoreError(.noStore, "there is no store") }
        // The undo history belongs to this store alone.
        document = try XMLDocumentStream(of: store, model: coordinator.model, without: ["Change"])
        self.allowsManyReplies = allowsManyReplies
    }

    func interrupt() { document.interruption() }

    func next() -> Result<ReplyChunk, any Error> {
        Result {
            var text = ""
            while let chunk = try document.next() {
                text += chunk
                if allowsManyReplies { break }
                if text.utf8.count > ListItems.replyBytesLimit { throw APIError.expectedMore }
            }
            let isLast = document.isAtEnd
            let message = MethodReply.bytes(continues: !isLast) { fields in
                FieldWriter.write(Export.Reply(text: text), to: &fields)
            }
            return ReplyChunk(message: message, isLast: isLast)
        }
    }
}
