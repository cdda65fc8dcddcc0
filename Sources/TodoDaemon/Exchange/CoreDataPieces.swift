internal import Glibc
internal import ObjectStore
internal import Reminders
internal import TodoAPI
internal import Varlink

/// The text of the XML document that a Core Data store of the same objects would be.
///
/// The document is written beside the store, from a copy of it, by the queue that asks for the first piece: so the daemon
/// does everything else meanwhile, but the objects are in memory while they are written.
///
/// `@unchecked Sendable`: `next` is called by one queue only, and `interrupt` changes nothing.
final class CoreDataPieces: PieceMaker, @unchecked Sendable {
    /// How much of the text a reply holds.
    private static let pieceBytes = 256 << 10

    private let store: StoreConfiguration
    private let directory: WorkDirectory
    /// Whether the caller takes several replies.
    private let isCut: Bool
    /// The document, from where it was read to; nil before it was written.
    private var document: UnsafeMutablePointer<FILE>?
    /// The beginning of a character whose end is in the next piece.
    private var rest: [UInt8] = []

    init(_ workspace: Workspace, isCut: Bool) throws {
        store = workspace.store
        self.isCut = isCut
        directory = try WorkDirectory(beside: workspace.store)
    }

    deinit {
        if let document { fclose(document) }
    }

    /// What takes time is one copy, which ends by itself.
    func interrupt() {}

    func next() -> Result<Piece, any Error> {
        Result {
            let document = try self.document ?? write()
            self.document = document
            var bytes = rest
            let limit = isCut ? Self.pieceBytes : ListItems.replyBytesLimit
            let wanted = limit + 1
            var chunk = [UInt8](repeating: 0, count: wanted)
            let count = fread(&chunk, 1, wanted, document)
            guard ferror(document) == 0 else { throw SystemError("read \(directory.file(Self.name))") }
            bytes += chunk[..<count]
            let isLast = count < wanted
            if !isLast, !isCut { throw APIError.expectedMore }
            rest = isLast ? [] : Self.unfinishedCharacter(bytes)
            bytes.removeLast(rest.count)
            let text = String(decoding: bytes, as: UTF8.self)
            let message = MethodReply.bytes(continues: !isLast) { fields in
                FieldWriter.write(Export.Reply(text: text), to: &fields)
            }
            return Piece(message: message, isLast: isLast)
        }
    }

    private static let name = "export.xml"

    /// Writes the document, and opens it.
    private func write() throws -> UnsafeMutablePointer<FILE> {
        let copy = StoreConfiguration(store.kind, path: directory.file("copy"))
        try StoreBackup.copy(store, to: directory.file("copy"))
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        defer { coordinator.close() }
        try coordinator.addStore(copy)
        // What was done and undone is nobody else's business.
        try ManagedObjectContext(coordinator: coordinator).deleteAll(FetchRequest<Change>())
        guard let store = coordinator.store else { throw StoreError(.noStore, "there is no store") }
        try coordinator.migrate(store: store, to: .xml(path: directory.file(Self.name)))
        guard let document = fopen(directory.file(Self.name), "re") else {
            throw SystemError("read \(directory.file(Self.name))")
        }
        return document
    }

    /// The bytes at the end that are not all of a character.
    private static func unfinishedCharacter(_ bytes: [UInt8]) -> [UInt8] {
        let tail = bytes.suffix(3)
        guard let start = tail.lastIndex(where: { $0 & 0xC0 == 0xC0 }) else { return [] }
        let length = bytes[start] >= 0xF0 ? 4 : bytes[start] >= 0xE0 ? 3 : 2
        return bytes.count - start < length ? Array(bytes[start...]) : []
    }
}
