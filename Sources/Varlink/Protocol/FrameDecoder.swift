/// The reason why a byte stream cannot be read further.
package enum FrameError: Error, Hashable, CustomStringConvertible {
    case tooLarge(limit: Int)
    case notAnObject

    package var description: String {
        switch self {
        case .tooLarge(let limit): "a message is longer than \(limit) bytes"
        case .notAnObject: "a message is not a JSON object"
        }
    }
}

/// A decoder that splits a byte stream into messages, such as `{"method":"…"}`. Each ends with a NUL, or with
/// a newline for use in a shell.
///
/// The first terminator determines the terminator of the whole stream. A newline ends a message only after a
/// complete top-level object, so a message may contain newlines. In a stream with NULs, newlines have no
/// special meaning.
package struct FrameDecoder {
    /// The maximum size of a message. It is larger than any item, and small enough that the maximum number of
    /// connections does not exhaust memory.
    package static let messageBytesLimit = 1 << 20

    package enum Terminator: UInt8, Sendable {
        case nul = 0
        case newline = 0x0A
    }

    /// The terminator of the stream, or `nil` before the end of the first message.
    package private(set) var terminator: Terminator?

    /// The maximum capacity that an empty buffer keeps.
    private static let keptBytes = 128 << 10

    let limit: Int
    private var buffer: [UInt8] = []
    /// The offset at which the current message begins.
    private var start = 0
    /// The offset up to which the current message has been examined.
    private var scanned = 0
    private var structure = Structure()

    package init(messageBytesLimit: Int = Self.messageBytesLimit) {
        limit = messageBytesLimit
    }

    package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            forgetStart()
        }
        buffer.append(contentsOf: bytes)
    }

    /// The number of bytes that are not yet part of a returned message.
    var heldCount: Int { buffer.count - start }

    /// Returns the next complete message without its terminator, or `nil` if more bytes are needed.
    package mutating func next() throws(FrameError) -> ArraySlice<UInt8>? {
        if terminator == .nul { return try nextBeforeNUL() }
        while scanned < buffer.count {
            let byte = buffer[scanned]
            scanned += 1
            if byte == Terminator.nul.rawValue, terminator == nil {
                terminator = .nul
                return takeMessage(endingBefore: scanned - 1)
            }
            if byte == Terminator.newline.rawValue, structure.isComplete {
                terminator = .newline
                return takeMessage(endingBefore: scanned - 1)
            }
            guard structure.accepts(byte) else { throw .notAnObject }
            if structure.isEmpty { start = scanned }
            if scanned - start > limit { throw .tooLarge(limit: limit) }
        }
        return nil
    }

    /// Returns the next message of a stream with NULs. The contents of the message need no check here.
    private mutating func nextBeforeNUL() throws(FrameError) -> ArraySlice<UInt8>? {
        let end = buffer[scanned...].firstIndex(of: Terminator.nul.rawValue)
        guard (end ?? buffer.count) - start <= limit else { throw .tooLarge(limit: limit) }
        scanned = end.map { $0 + 1 } ?? buffer.count
        return end.map { takeMessage(endingBefore: $0) }
    }

    private mutating func takeMessage(endingBefore end: Int) -> ArraySlice<UInt8> {
        let message = buffer[start..<end]
        start = scanned
        structure = Structure()
        if start == buffer.count, buffer.capacity > Self.keptBytes {
            buffer = []
            forgetStart()
        }
        return message
    }

    private mutating func forgetStart() {
        scanned -= start
        start = 0
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// The progress through a top-level object. It follows only braces, brackets and quotes.
    private struct Structure {
        private var depth = 0
        private var isInString = false
        private var isEscaped = false
        private(set) var isComplete = false
        private(set) var isEmpty = true

        /// Returns false if the byte cannot belong to a single top-level object.
        mutating func accepts(_ byte: UInt8) -> Bool {
            if isEscaped {
                isEscaped = false
            } else if isInString {
                if byte == UInt8(ascii: "\\") { isEscaped = true }
                if byte == UInt8(ascii: "\"") { isInString = false }
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                if isComplete || (isEmpty && byte == UInt8(ascii: "[")) { return false }
                depth += 1
                isEmpty = false
            } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                depth -= 1
                if depth < 0 { return false }
                isComplete = depth == 0
            } else if byte == UInt8(ascii: "\""), depth > 0 {
                isInString = true
            } else if depth == 0, !FrameDecoder.isSpace(byte) {
                return false
            }
            return true
        }
    }
}
