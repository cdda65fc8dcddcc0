internal import TodoAPI

/// The text of an import, of which one piece after another comes on a connection.
///
/// It goes when the connection does, and what it held counts no more.
final class ImportText {
    /// What all texts together hold.
    final class Held {
        fileprivate var bytes = 0
    }

    private var text = ""
    private(set) var byteCount = 0
    private let held: Held

    init(_ held: Held) { self.held = held }

    deinit { held.bytes -= byteCount }

    /// Adds a piece, unless the text would become too long, or all texts together would.
    func append(_ piece: String) throws(APIError) {
        // Other systems mark the text of a file as UTF-8 by its first character.
        let hasMark = byteCount == 0 && piece.unicodeScalars.first == "\u{FEFF}"
        let piece = hasMark ? Substring(piece.unicodeScalars.dropFirst()) : piece[...]
        let count = piece.utf8.count
        guard byteCount + count <= Import.textBytesLimit else {
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
        byteCount += count
        held.bytes += count
    }

    /// All of it, which then is not here any more; as long as this lives it counts.
    func take() -> String {
        defer { text = "" }
        return text
    }
}
