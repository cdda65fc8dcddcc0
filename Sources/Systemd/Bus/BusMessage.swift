internal import CSystemd

/// A message of sd-bus, written and read as `BusValue`s. Use it only on the queue of its bus.
struct BusMessage {
    /// The nesting limit of D-Bus itself.
    private static let depthLimit = 64

    let pointer: OpaquePointer

    // MARK: - Writing

    /// Appends the values. Returns false if sd-bus rejects one of them.
    func append(_ values: [BusValue]) -> Bool {
        values.allSatisfy(append)
    }

    private func append(_ value: BusValue) -> Bool {
        switch value {
        case .byte(let number): basic(value, number)
        case .boolean(let flag): basic(value, Int32(flag ? 1 : 0))
        case .int16(let number): basic(value, number)
        case .uint16(let number): basic(value, number)
        case .int32(let number): basic(value, number)
        case .uint32(let number): basic(value, number)
        case .int64(let number): basic(value, number)
        case .uint64(let number): basic(value, number)
        case .double(let number): basic(value, number)
        case .descriptor(let number): basic(value, number)
        case .string(let text): string(type: "s", Self.carried(text))
        case .objectPath(let text): string(type: "o", text)
        case .signature(let text): string(type: "g", text)
        case .array(let element, let elements): container(type: "a", contents: element, values: elements)
        case .structure(let members):
            container(type: "r", contents: members.map(\.signature).joined(), values: members)
        case .variant(let content): container(type: "v", contents: content.signature, values: [content])
        case .entry(let key, let content):
            container(type: "e", contents: key.signature + content.signature, values: [key, content])
        }
    }

    private func basic<Number: BitwiseCopyable>(_ value: BusValue, _ number: Number) -> Bool {
        withUnsafePointer(to: number) {
            sd_bus_message_append_basic(pointer, Self.code(value.signature), $0) >= 0
        }
    }

    private func string(type: String, _ text: String) -> Bool {
        text.withCString { sd_bus_message_append_basic(pointer, Self.code(type), $0) >= 0 }
    }

    private func container(type: String, contents: String, values: [BusValue]) -> Bool {
        sd_bus_message_open_container(pointer, Self.code(type), contents) >= 0
            && append(values) && sd_bus_message_close_container(pointer) >= 0
    }

    /// Returns the text with U+FFFD in place of the code points that sd-bus rejects: NUL and Unicode
    /// noncharacters.
    private static func carried(_ text: String) -> String {
        let isRefused = { (scalar: Unicode.Scalar) in
            scalar.value == 0 || (0xFDD0...0xFDEF).contains(scalar.value) || scalar.value & 0xFFFE == 0xFFFE
        }
        guard text.unicodeScalars.contains(where: isRefused) else { return text }
        var carried = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { carried.append(isRefused(scalar) ? "\u{FFFD}" : scalar) }
        return String(carried)
    }

    private static func code(_ type: String) -> CChar {
        CChar(bitPattern: type.utf8.first ?? 0)
    }

    // MARK: - Reading

    /// Returns all values of the message, or `nil` if it is malformed.
    func values() -> [BusValue]? {
        sd_bus_message_rewind(pointer, 1) >= 0 ? values(depth: 0) : nil
    }

    /// Returns the values up to the end of the message or of the open container.
    private func values(depth: Int) -> [BusValue]? {
        guard depth < Self.depthLimit else { return nil }
        var values: [BusValue] = []
        while true {
            var type: CChar = 0
            var contents: UnsafePointer<CChar>?
            let result = sd_bus_message_peek_type(pointer, &type, &contents)
            if result == 0 { return values }
            guard result > 0 else { return nil }
            let signature = contents.map { String(cString: $0) } ?? ""
            guard let value = value(type: type, contents: signature, depth: depth) else { return nil }
            values.append(value)
        }
    }

    private func value(type: CChar, contents: String, depth: Int) -> BusValue? {
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "y"): number(type, UInt8(0)).map { .byte($0) }
        case UInt8(ascii: "b"): number(type, Int32(0)).map { .boolean($0 != 0) }
        case UInt8(ascii: "n"): number(type, Int16(0)).map { .int16($0) }
        case UInt8(ascii: "q"): number(type, UInt16(0)).map { .uint16($0) }
        case UInt8(ascii: "i"): number(type, Int32(0)).map { .int32($0) }
        case UInt8(ascii: "u"): number(type, UInt32(0)).map { .uint32($0) }
        case UInt8(ascii: "x"): number(type, Int64(0)).map { .int64($0) }
        case UInt8(ascii: "t"): number(type, UInt64(0)).map { .uint64($0) }
        case UInt8(ascii: "d"): number(type, Double(0)).map { .double($0) }
        case UInt8(ascii: "h"): number(type, Int32(0)).map { .descriptor($0) }
        case UInt8(ascii: "s"): text(type).map { .string($0) }
        case UInt8(ascii: "o"): text(type).map { .objectPath($0) }
        case UInt8(ascii: "g"): text(type).map { .signature($0) }
        case UInt8(ascii: "a"):
            contained(type: type, contents: contents, depth: depth).map { .array(of: contents, $0) }
        case UInt8(ascii: "r"): contained(type: type, contents: contents, depth: depth).map { .structure($0) }
        case UInt8(ascii: "v"):
            contained(type: type, contents: contents, depth: depth).flatMap {
                $0.count == 1 ? .variant($0[0]) : nil
            }
        case UInt8(ascii: "e"):
            contained(type: type, contents: contents, depth: depth).flatMap {
                $0.count == 2 ? .entry($0[0], $0[1]) : nil
            }
        default: nil
        }
    }

    private func number<Number: BitwiseCopyable>(_ type: CChar, _ zero: Number) -> Number? {
        var number = zero
        return sd_bus_message_read_basic(pointer, type, &number) > 0 ? number : nil
    }

    private func text(_ type: CChar) -> String? {
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(pointer, type, &text) > 0, let text else { return nil }
        return String(cString: text)
    }

    private func contained(type: CChar, contents: String, depth: Int) -> [BusValue]? {
        guard sd_bus_message_enter_container(pointer, type, contents) > 0,
            let values = values(depth: depth + 1), sd_bus_message_exit_container(pointer) >= 0
        else { return nil }
        return values
    }
}
