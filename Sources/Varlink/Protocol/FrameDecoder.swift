/// Why a byte stream cannot be read on.
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

/// Cuts a byte stream into messages: `{"method":"…"}` and then a NUL, or a newline for shells.
///
/// The first terminator seen decides for the whole stream. A newline ends a message only after a complete
/// top-level object, so that a pretty-printed message may hold newlines; in a stream of NULs they mean nothing.
package struct FrameDecoder {
    /// Larger than any item may be, small enough that a full house of connections does not exhaust the machine.
    package static let messageBytesLimit = 1 << 20

    package enum Terminator: UInt8, Sendable {
        case nul = 0
        case newline = 0x0A
    }

    /// Nil until the first message has ended.
    package private(set) var terminator: Terminator?

    /// A buffer that was larger is given back when it is empty.
    private static let keptBytes = 128 << 10

    let limit: Int
    private var buffer: [UInt8] = []
    /// Where the message that is being read begins, and how far it was looked at.
    private var start = 0
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

    /// How many bytes are held that were not taken as messages yet.
    var heldCount: Int { buffer.count - start }

    /// The next whole message without its terminator, nil when more bytes are needed.
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

    /// Once it is known that messages end in NULs, nothing else in them matters here.
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

    /// How far a top-level object has come, as its braces and quotes tell; no more of JSON than that.
    private struct Structure {
        private var depth = 0
        private var isInString = false
        private var isEscaped = false
        private(set) var isComplete = false
        private(set) var isEmpty = true

        /// False when what comes cannot belong to one top-level object.
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
