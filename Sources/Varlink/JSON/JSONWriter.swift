/// Appends JSON text to a buffer, with no value tree in between.
///
/// The caller writes names and values in order; the writer sets the commas. Strings are escaped as JSON demands
/// and otherwise left as they are.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    /// Whether the next value or name needs a comma before it.
    private var needsComma = false

    /// - Parameter capacity: how many bytes are expected.
    package init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    // MARK: - Structure

    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        group(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    package mutating func array(_ body: (inout JSONWriter) -> Void) {
        group(UInt8(ascii: "["), UInt8(ascii: "]"), body)
    }

    private mutating func group(_ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(open)
        needsComma = false
        body(&self)
        bytes.append(close)
        needsComma = true
    }

    /// Writes a member's name; its value is what is written next.
    package mutating func name(_ name: String) {
        separate()
        appendQuoted(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes one of the members' names that were made ready before.
    package mutating func name(_ position: Int, of names: JSONNames) {
        separate()
        names.bytes.withUnsafeBufferPointer { all in
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: all[names.ranges[position]]))
        }
        needsComma = false
    }

    // MARK: - Values

    package mutating func null() { raw("null") }

    package mutating func value(_ flag: Bool) { raw(flag ? "true" : "false") }

    package mutating func value(_ integer: Int64) { raw(String(integer)) }

    /// JSON has no infinities and no NaN; they are written as null.
    package mutating func value(_ number: Double) { raw(number.isFinite ? "\(number)" : "null") }

    package mutating func value(_ text: String) {
        separate()
        appendQuoted(text)
        needsComma = true
    }

    /// Writes a text of at most so many bytes, all of them plain ASCII that needs no escape, which `body` puts into the
    /// buffer; it returns how many there are. Nil becomes null.
    package mutating func value(
        ofAtMost count: Int, _ body: (UnsafeMutableBufferPointer<UInt8>) -> Int?
    ) {
        separate()
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { buffer in
            if let count = body(buffer) {
                bytes.append(UInt8(ascii: "\""))
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<count]))
                bytes.append(UInt8(ascii: "\""))
            } else {
                bytes.append(contentsOf: "null".utf8)
            }
        }
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

    private mutating func raw(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = false
    }

    private mutating func appendQuoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        let isPlain = text.withUTF8 { utf8 in
            if Self.needsEscapes(utf8) { return false }
            bytes.append(contentsOf: utf8)
            return true
        }
        if !isPlain { appendEscaped(text) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Looks at every byte, without leaving early: so many are looked at in one step.
    private static func needsEscapes(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        var found: UInt8 = 0
        for byte in utf8 {
            found |= byte < 0x20 ? 1 : 0
            found |= byte == UInt8(ascii: "\"") ? 1 : 0
            found |= byte == UInt8(ascii: "\\") ? 1 : 0
        }
        return found != 0
    }

    private mutating func appendEscaped(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20: appendEscape(byte)
            default: bytes.append(byte)
            }
        }
    }

    private mutating func appendEscape(_ byte: UInt8) {
        let short: StaticString? =
            switch byte {
            case 0x08: "\\b"
            case 0x09: "\\t"
            case 0x0A: "\\n"
            case 0x0C: "\\f"
            case 0x0D: "\\r"
            default: nil
            }
        if let short {
            bytes.append(
                contentsOf: UnsafeBufferPointer(start: short.utf8Start, count: short.utf8CodeUnitCount))
        } else {
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        }
    }
}

/// The names of members as they stand in the text, for objects that are written over and over.
package struct JSONNames: Sendable {
    fileprivate private(set) var bytes: [UInt8] = []
    fileprivate private(set) var ranges: [Range<Int>] = []

    package init(_ names: [String]) {
        for name in names {
            var writer = JSONWriter()
            writer.name(name)
            let start = bytes.count
            bytes += writer.bytes
            ranges.append(start..<bytes.count)
        }
    }
}

extension JSON {
    /// The JSON text of this value.
    package var text: String {
        var writer = JSONWriter()
        writer.value(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
