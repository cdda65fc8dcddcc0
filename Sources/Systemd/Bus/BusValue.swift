/// A D-Bus value with its type.
///
/// Messages from other programs are first read into this type and then matched against the expected pattern.
/// A reply of the wrong type is therefore only a pattern that does not match.
package indirect enum BusValue: Hashable, Sendable {
    case byte(UInt8)
    case boolean(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    /// Text. Code points that D-Bus does not allow, such as NUL, are sent as U+FFFD.
    case string(String)
    case objectPath(String)
    case signature(String)
    /// A file descriptor. A sent descriptor is duplicated, and the sender keeps the original. A received one
    /// is valid only while the message is read.
    case descriptor(Int32)
    /// Elements, which all have the type in the signature.
    case array(of: String, [BusValue])
    case structure([BusValue])
    case variant(BusValue)
    /// An entry of a dictionary. A dictionary is an array of entries: `a{sv}`.
    case entry(BusValue, BusValue)

    package var signature: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .descriptor: "h"
        case .array(let element, _): "a\(element)"
        case .structure(let members): "(\(members.map(\.signature).joined()))"
        case .variant: "v"
        case .entry(let key, let value): "{\(key.signature)\(value.signature)}"
        }
    }
}

extension BusValue {
    package static func strings(_ texts: [String]) -> BusValue {
        .array(of: "s", texts.map { .string($0) })
    }

    /// Returns a dictionary of the type `a{sv}`.
    package static func dictionary(_ entries: [(String, BusValue)]) -> BusValue {
        .array(of: "{sv}", entries.map { .entry(.string($0.0), .variant($0.1)) })
    }

    package var asString: String? {
        switch self {
        case .string(let text), .objectPath(let text): text
        default: nil
        }
    }

    package var asUInt32: UInt32? {
        if case .uint32(let number) = self { number } else { nil }
    }

    /// The texts in an array of texts, or `nil` for any other value.
    package var asStrings: [String]? {
        guard case .array(of: "s", let elements) = self else { return nil }
        return elements.compactMap(\.asString)
    }

    /// The value in a variant, or `nil` for any other value.
    package var unwrapped: BusValue? {
        if case .variant(let value) = self { value } else { nil }
    }
}
