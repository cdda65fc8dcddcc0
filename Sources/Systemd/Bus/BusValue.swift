/// A value as D-Bus carries it, with its type.
///
/// What comes from another program is read into this first and matched against what was expected after that, so that
/// an answer of the wrong type is a pattern that does not match and nothing worse.
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
    /// What D-Bus cannot carry in a text, such as a NUL, is sent as U+FFFD.
    case string(String)
    case objectPath(String)
    case signature(String)
    /// An open file, sent as a duplicate; the sender keeps its own. One that comes is ours only while it is read.
    case descriptor(Int32)
    /// Elements, all of the type that the signature says.
    case array(of: String, [BusValue])
    case structure([BusValue])
    case variant(BusValue)
    /// One entry of a dictionary, which is an array of them: `a{sv}`.
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

    /// `a{sv}`.
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

    /// The texts of an array of texts; nil for anything else.
    package var asStrings: [String]? {
        guard case .array(of: "s", let elements) = self else { return nil }
        return elements.compactMap(\.asString)
    }

    /// What a variant holds; nil for anything else.
    package var unwrapped: BusValue? {
        if case .variant(let value) = self { value } else { nil }
    }
}
