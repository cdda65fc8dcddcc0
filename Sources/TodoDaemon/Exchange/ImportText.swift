internal import TodoAPI

/// The text of an import, of which one piece after another comes on a connection.
///
/// It goes when the connection does, and what it held counts no more.
final class ImportText {
    /// What all texts together hold.
    final class Held {
        fileprivate var bytes = 0
    }

    private(set) var text = ""
    private let held: Held

    init(_ held: Held) { self.held = held }

    deinit { held.bytes -= text.utf8.count }

    /// Adds a piece, unless the text would become too long, or all texts together would.
    func append(_ piece: String) throws(APIError) {
        let count = piece.utf8.count
        guard text.utf8.count + count <= Import.textBytesLimit else {
            throw .invalidValue(
                field: "text", reason: "all of it is longer than \(Import.textBytesLimit) bytes")
        }
        guard held.bytes + count <= Import.heldBytesLimit else {
            throw .invalidValue(
                field: "text",
                reason:
                    "imports on other connections have sent \(held.bytes) bytes; try again when they have ended"
            )
        }
        text += piece
        held.bytes += count
    }
}
