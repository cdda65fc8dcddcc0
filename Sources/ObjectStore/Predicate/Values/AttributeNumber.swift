/// A type of numbers that have a sum and an average: an integer, a `Double`, a ``DecimalValue``, or an optional of these.
///
/// A type of the program whose stored value is a number can conform, too.
public protocol AttributeNumber: AttributeValueConvertible {}

extension Int: AttributeNumber {}
extension Int16: AttributeNumber {}
extension Int32: AttributeNumber {}
extension Int64: AttributeNumber {}
extension Double: AttributeNumber {}
extension DecimalValue: AttributeNumber {}
extension Optional: AttributeNumber where Wrapped: AttributeNumber {}
