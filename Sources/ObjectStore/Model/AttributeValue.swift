public import CivilTime

/// The value of one attribute of one object, or a constant of a predicate: what every store can keep.
///
/// The library speaks its own small types here, so that a program which links it need not link
/// Foundation. `nil` of an optional attribute is `.null`.
public enum AttributeValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    /// A decimal number as its text, compared for equality only.
    case decimal(String)
    case string(String)
    case date(Timestamp)
    case binary([UInt8])
    case uuid(UUIDValue)
    case uri(String)
}
