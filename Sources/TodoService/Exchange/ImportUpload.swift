internal import TodoAPI

/// The text of an import, which arrives in chunks on a connection.
///
/// It is discarded with the connection, and then no longer counts toward the limit for all texts.
final class ImportUpload {
    /// The size of all texts together.
    final class Held {
        fileprivate var bytes = 0
    }

    private var text = ""
    private(set) var byteCount = 0
    private let held: Held

    init(_ held: Held) { self.held = held }

    deinit { held.bytes -= byteCount }

    /// Adds a chunk. Throws if this text, or all texts together, would exceed the limit.
    func append(_ chunk: String) throws(APIError) {
        // Other systems mark a file as UTF-8 with its first character.
        let hasMark = byteCount == 0 && chunk.unicodeScalars.first == "\u{FEFF}"
        let chunk = hasMark ? Substring(chunk.unicodeScalars.dropFirst()) : chunk[...]
        let count = chunk.utf8.count
        guard byteCount + count <= Import.textBytesLimit else {
            throw .invalidValue(
                field: "text", reason: "it is longer than \(Import.textBytesLimit) bytes in total")
        }
        guard held.bytes + count <= Import.heldBytesLimit else {
            throw .invalidValue(
                field: "text",
                reason:
                    "imports on other connections have sent \(held.bytes) bytes; try again when they have ended"
            )
        }
        text += chunk
        byteCount += count
        held.bytes += count
    }

    /// Returns the whole text, and removes it here. It counts toward the limit as long as this object exists.
    func take() -> String {
        defer { text = "" }
        return text
    }
}
