public import CivilTime

/// The value of one attribute of one object, or a constant in a predicate.
///
/// Every store can save all of these values. The library has its own types for dates, UUIDs and URIs, so a program
/// that links it does not need Foundation. The `nil` of an optional attribute is `.null`.
public enum AttributeValue: Hashable, Sendable {
    /// No value.
    case null
    /// True or false.
    case boolean(Bool)
    /// An integer of any width.
    case integer(Int64)
    /// A floating-point number.
    case double(Double)
    /// A decimal number as text, in the form of `DecimalValue.text`. `==` compares the texts. In a predicate and in
    /// ``ManagedObject/setValue(_:of:)``, every spelling of a number is valid.
    case decimal(String)
    /// A text.
    case string(String)
    /// A point in time.
    case date(Timestamp)
    /// Bytes.
    case binary([UInt8])
    /// A universally unique identifier.
    case uuid(UUIDValue)
    /// The text of a URI.
    case uri(String)
}
