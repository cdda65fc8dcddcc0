public import CivilTime

/// The value of one attribute of one object, or a constant in a predicate.
///
/// Every store can save all of these values. The library has its own types for dates, UUIDs and URIs, so a program
/// that links it does not need Foundation. The `nil` of an optional attribute is `.null`.
public enum AttributeValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    /// A decimal number as text, in the form of `DecimalValue.text`. `==` compares the texts.
    case decimal(String)
    case string(String)
    case date(Timestamp)
    case binary([UInt8])
    case uuid(UUIDValue)
    case uri(String)
}
