/// A writer of JSON text that needs no intermediate tree of values.
///
/// The caller writes names and values in order, and the writer inserts the commas. Strings are escaped only
/// where JSON requires it.
package struct JSONWriter: ~Copyable {
    private var buffer: ByteBuffer
    /// The maximum number of digits in an Int64.
    private static let mostDigits = 19
    /// Whether a comma must precede the next value or name.
    private var needsComma = false

    /// Creates a writer with an empty buffer.
    ///
    /// - Parameter capacity: the expected number of bytes.
    package init(capacity: Int = 0) {
        buffer = ByteBuffer(capacity: capacity)
    }

    /// The bytes written so far.
    package var bytes: [UInt8] { buffer.bytes }

    /// The number of bytes written so far.
    package var count: Int { buffer.count }

    // MARK: - Structure

    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        group(open: UInt8(ascii: "{"), close: UInt8(ascii: "}"), body: body)
    }

    package mutating func array(_ body: (inout JSONWriter) -> Void) {
        group(open: UInt8(ascii: "["), close: UInt8(ascii: "]"), body: body)
    }

    private mutating func group(open: UInt8, close: UInt8, body: (inout JSONWriter) -> Void) {
        separate()
        buffer.append(open)
        needsComma = false
        body(&self)
        buffer.append(close)
        needsComma = true
    }

    /// Writes the name of a member. The next value written is the member's value.
    package mutating func name(_ name: String) {
        separate()
        appendQuoted(name)
        buffer.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes one of the prepared member names.
    package mutating func name(_ position: Int, of names: JSONNames) {
        let name = names.names[position]
        let comma = needsComma ? 1 : 0
        buffer.append(atMost: JSONNames.mostBytes + 1) { room in
            room[0] = UInt8(ascii: ",")
            // Always stores 32 bytes. The next write overwrites the bytes after the end of the name.
            UnsafeMutableRawBufferPointer(room)
                .storeBytes(of: name.bytes, toByteOffset: comma, as: SIMD32<UInt8>.self)
            return comma + name.count
        }
        needsComma = false
    }

    // MARK: - Values

    package mutating func null() { raw("null") }

    package mutating func value(_ flag: Bool) { raw(flag ? "true" : "false") }

    package mutating func value(_ integer: Int64) {
        separate()
        buffer.append(atMost: Self.mostDigits + 1) { room in
            // Writes the digits from last to first at the end of the space, then moves them to its start.
            var position = room.count
            var rest = integer.magnitude
            repeat {
                let (tens, digit) = rest.quotientAndRemainder(dividingBy: 10)
                position -= 1
                room[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
                rest = tens
            } while rest > 0
            if integer < 0 {
                position -= 1
                room[position] = UInt8(ascii: "-")
            }
            for (target, source) in (position..<room.count).enumerated() { room[target] = room[source] }
            return room.count - position
        }
        needsComma = true
    }

    /// Writes a number. JSON has no infinity and no NaN, so both become null.
    package mutating func value(_ number: Double) {
        if number.isFinite { raw("\(number)") } else { null() }
    }

    package mutating func value(_ text: String) {
        separate()
        appendQuoted(text)
        needsComma = true
    }

    /// Writes text from a buffer of bytes. Invalid UTF-8 is replaced.
    package mutating func value(text: UnsafeBufferPointer<UInt8>) {
        guard text.isPlainASCII else { return value(String(decoding: text, as: UTF8.self)) }
        separate()
        appendQuoted(plain: text)
        needsComma = true
    }

    /// Writes a string of at most `limit` bytes, which `body` puts into the buffer. They must be ASCII that
    /// needs no escape. `body` returns their number, or `nil` to write null.
    package mutating func value(
        ofAtMost limit: Int, _ body: (UnsafeMutableBufferPointer<UInt8>) -> Int?
    ) {
        separate()
        var isNull = false
        buffer.append(atMost: limit + 2) { room in
            guard let count = body(.init(rebasing: room[1...])) else {
                isNull = true
                return 0
            }
            room[0] = UInt8(ascii: "\"")
            room[count + 1] = UInt8(ascii: "\"")
            return count + 2
        }
        if isNull { null() }
        needsComma = true
    }

    /// Writes a value that is JSON text already, from a buffer of its bytes.
    package mutating func value(json: UnsafeBufferPointer<UInt8>) {
        separate()
        buffer.append(json)
        needsComma = true
    }

    package mutating func value(_ json: JSON) {
        switch json {
        case .null: null()
        case .boolean(let flag): value(flag)
        case .integer(let integer): value(integer)
        case .number(let number): value(number)
        case .string(let text): value(text)
        case .array(let elements): array { for element in elements { $0.value(element) } }
        case .object(let object): self.object { $0.members(of: object) }
        }
    }

    package mutating func members(of object: JSONObject) {
        for member in object.members {
            name(member.name)
            value(member.value)
        }
    }

    private mutating func raw(_ text: StaticString) {
        separate()
        buffer.append(text)
        needsComma = true
    }

    private mutating func raw(_ text: String) {
        separate()
        var text = text
        text.withUTF8 { buffer.append($0) }
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { buffer.append(UInt8(ascii: ",")) }
        needsComma = false
    }

    private mutating func appendQuoted(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            if utf8.needsEscapes { appendQuoted(escaping: utf8) } else { appendQuoted(plain: utf8) }
        }
    }

    private mutating func appendQuoted(plain utf8: UnsafeBufferPointer<UInt8>) {
        buffer.append(atMost: utf8.count + 2) { room in
            room[0] = UInt8(ascii: "\"")
            _ = UnsafeMutableBufferPointer(rebasing: room[1...]).update(fromContentsOf: utf8)
            room[utf8.count + 1] = UInt8(ascii: "\"")
            return utf8.count + 2
        }
    }

    private mutating func appendQuoted(escaping utf8: UnsafeBufferPointer<UInt8>) {
        buffer.append(UInt8(ascii: "\""))
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                buffer.append(UInt8(ascii: "\\"))
                buffer.append(byte)
            case 0..<0x20: appendEscape(byte)
            default: buffer.append(byte)
            }
        }
        buffer.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscape(_ byte: UInt8) {
        switch byte {
        case 0x08: buffer.append("\\b")
        case 0x09: buffer.append("\\t")
        case 0x0A: buffer.append("\\n")
        case 0x0C: buffer.append("\\f")
        case 0x0D: buffer.append("\\r")
        default:
            let digits: [UInt8] = Array("0123456789abcdef".utf8)
            buffer.append("\\u00")
            buffer.append(digits[Int(byte >> 4)])
            buffer.append(digits[Int(byte & 15)])
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether JSON requires a backslash before one of these bytes.
    fileprivate var needsEscapes: Bool { contains { (word: UInt64) in word.hasByteToEscape } }

    /// Whether these bytes are ASCII that needs no escape.
    fileprivate var isPlainASCII: Bool {
        !contains { (word: UInt64) in word.hasByteToEscape || word & UInt64.highBits != 0 }
    }

    /// Checks eight bytes at a time. A text of fewer than eight bytes is padded with spaces.
    private func contains(_ isFound: (UInt64) -> Bool) -> Bool {
        let raw = UnsafeRawBufferPointer(self)
        var position = 0
        while position + 8 <= raw.count {
            if isFound(raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)) { return true }
            position += 8
        }
        // The last eight bytes may overlap with bytes already checked.
        if raw.count >= 8 {
            return position < raw.count
                && isFound(raw.loadUnaligned(fromByteOffset: raw.count - 8, as: UInt64.self))
        }
        var rest = UInt64.spaces
        for byte in self { rest = rest << 8 | UInt64(byte) }
        return isFound(rest)
    }
}

extension UInt64 {
    fileprivate static let lowBits: UInt64 = 0x0101_0101_0101_0101
    fileprivate static let highBits = lowBits << 7
    fileprivate static let spaces = lowBits * 0x20

    /// Whether one of the eight bytes is a quotation mark, a backslash or less than a space.
    fileprivate var hasByteToEscape: Bool {
        let isBelowSpace = (self &- Self.spaces) & ~self
        return (isBelowSpace | hasByte(UInt8(ascii: "\"")) | hasByte(UInt8(ascii: "\\"))) & Self.highBits != 0
    }

    /// Returns a word in which a high bit is set if one of the bytes is `byte`.
    private func hasByte(_ byte: UInt8) -> UInt64 {
        let difference = self ^ (Self.lowBits &* UInt64(byte))
        return (difference &- Self.lowBits) & ~difference
    }
}

/// Member names in encoded form, for objects that are written often.
package struct JSONNames: Sendable {
    /// The maximum size of an encoded name, including its quotation marks and colon.
    package static let mostBytes = 32

    fileprivate let names: [(bytes: SIMD32<UInt8>, count: Int)]

    package init(_ names: [String]) {
        self.names = names.map { name in
            var writer = JSONWriter()
            writer.name(name)
            let text = writer.bytes
            precondition(text.count <= Self.mostBytes, "'\(name)' is too long to be prepared")
            var bytes = SIMD32<UInt8>()
            for (position, byte) in text.enumerated() { bytes[position] = byte }
            return (bytes, text.count)
        }
    }
}

extension JSON {
    /// The value as JSON text.
    package var text: String {
        var writer = JSONWriter()
        writer.value(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
