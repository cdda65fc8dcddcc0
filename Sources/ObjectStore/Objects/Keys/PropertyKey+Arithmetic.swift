public import CivilTime

/// A type of numbers that predicates calculate with: an integer, a `Double`, or an optional of these.
///
/// A calculation with nil is nil. So is a division by 0.
public protocol ArithmeticNumber: AttributeNumber {}

extension Int: ArithmeticNumber {}
extension Int16: ArithmeticNumber {}
extension Int32: ArithmeticNumber {}
extension Int64: ArithmeticNumber {}
extension Double: ArithmeticNumber {}
extension Optional: ArithmeticNumber where Wrapped: ArithmeticNumber {}

/// `Timestamp` or an optional `Timestamp`.
public protocol PredicateDate: AttributeValueConvertible {}

extension Timestamp: PredicateDate {}
extension Timestamp?: PredicateDate {}

extension PropertyKey where Value: ArithmeticNumber {
    /// The sum of the property and a value.
    public static func + (key: Self, value: Value.NonOptional) -> Self {
        key.calculated(.add, .value(value.attributeValue))
    }

    /// The sum of a value and the property.
    public static func + (value: Value.NonOptional, key: Self) -> Self {
        Self(.arithmetic(.add, .value(value.attributeValue), key.operand), quantifier: key.quantifier)
    }

    /// The sum of two properties.
    public static func + (left: Self, right: Self) -> Self {
        left.calculated(.add, right)
    }

    /// The sum of two properties if only one of them is optional.
    public static func + <Other: ArithmeticNumber>(
        left: Self, right: PropertyKey<Other>
    ) -> PropertyKey<Value.NonOptional?> where Other.NonOptional == Value.NonOptional {
        left.calculated(.add, right)
    }

    /// The difference between the property and a value.
    public static func - (key: Self, value: Value.NonOptional) -> Self {
        key.calculated(.subtract, .value(value.attributeValue))
    }

    /// The difference between a value and the property.
    public static func - (value: Value.NonOptional, key: Self) -> Self {
        Self(.arithmetic(.subtract, .value(value.attributeValue), key.operand), quantifier: key.quantifier)
    }

    /// The difference between two properties.
    public static func - (left: Self, right: Self) -> Self {
        left.calculated(.subtract, right)
    }

    /// The difference between two properties if only one of them is optional.
    public static func - <Other: ArithmeticNumber>(
        left: Self, right: PropertyKey<Other>
    ) -> PropertyKey<Value.NonOptional?> where Other.NonOptional == Value.NonOptional {
        left.calculated(.subtract, right)
    }

    /// The product of the property and a value.
    public static func * (key: Self, value: Value.NonOptional) -> Self {
        key.calculated(.multiply, .value(value.attributeValue))
    }

    /// The product of a value and the property.
    public static func * (value: Value.NonOptional, key: Self) -> Self {
        Self(.arithmetic(.multiply, .value(value.attributeValue), key.operand), quantifier: key.quantifier)
    }

    /// The product of two properties.
    public static func * (left: Self, right: Self) -> Self {
        left.calculated(.multiply, right)
    }

    /// The product of two properties if only one of them is optional.
    public static func * <Other: ArithmeticNumber>(
        left: Self, right: PropertyKey<Other>
    ) -> PropertyKey<Value.NonOptional?> where Other.NonOptional == Value.NonOptional {
        left.calculated(.multiply, right)
    }

    /// The quotient of the property and a value.
    public static func / (key: Self, value: Value.NonOptional) -> Self {
        key.calculated(.divide, .value(value.attributeValue))
    }

    /// The quotient of a value and the property.
    public static func / (value: Value.NonOptional, key: Self) -> Self {
        Self(.arithmetic(.divide, .value(value.attributeValue), key.operand), quantifier: key.quantifier)
    }

    /// The quotient of two properties.
    public static func / (left: Self, right: Self) -> Self {
        left.calculated(.divide, right)
    }

    /// The quotient of two properties if only one of them is optional.
    public static func / <Other: ArithmeticNumber>(
        left: Self, right: PropertyKey<Other>
    ) -> PropertyKey<Value.NonOptional?> where Other.NonOptional == Value.NonOptional {
        left.calculated(.divide, right)
    }

    /// The property with the other sign.
    public static prefix func - (key: Self) -> Self {
        Self(.negation(key.operand), quantifier: key.quantifier)
    }
}

extension PropertyKey where Value: PredicateDate {
    /// The date a number of seconds later.
    public static func + (key: Self, seconds: Double) -> Self {
        key.calculated(.add, .value(.double(seconds)))
    }

    /// The date a number of seconds earlier.
    public static func - (key: Self, seconds: Double) -> Self {
        key.calculated(.subtract, .value(.double(seconds)))
    }

    /// The date a number of seconds later, where the number is a property.
    public static func + <Seconds: ArithmeticNumber>(
        left: Self, right: PropertyKey<Seconds>
    ) -> PropertyKey<Value.NonOptional?> {
        left.calculated(.add, right)
    }

    /// The date a number of seconds earlier, where the number is a property.
    public static func - <Seconds: ArithmeticNumber>(
        left: Self, right: PropertyKey<Seconds>
    ) -> PropertyKey<Value.NonOptional?> {
        left.calculated(.subtract, right)
    }

    /// The number of seconds from the date on the right to that on the left.
    public static func - <Other: PredicateDate>(
        left: Self, right: PropertyKey<Other>
    ) -> PropertyKey<Double?> {
        left.calculated(.subtract, right)
    }

    /// The number of seconds from a date to that of the property.
    public static func - (key: Self, date: Timestamp) -> PropertyKey<Double?> {
        key.calculated(.subtract, .value(.date(date)))
    }

    /// The number of seconds from the date of the property to another.
    public static func - (date: Timestamp, key: Self) -> PropertyKey<Double?> {
        PropertyKey<Double?>(
            .arithmetic(.subtract, .value(.date(date)), key.operand), quantifier: key.quantifier)
    }
}

extension PropertyKey {
    private func calculated<Result>(
        _ sign: FetchPredicate.ArithmeticOperator, _ right: FetchPredicate.Expression
    ) -> PropertyKey<Result> {
        PropertyKey<Result>(.arithmetic(sign, operand, right), quantifier: quantifier)
    }

    private func calculated<Other, Result>(
        _ sign: FetchPredicate.ArithmeticOperator, _ right: PropertyKey<Other>
    ) -> PropertyKey<Result> {
        let (quantifiers, other) = quantifier.joined(right.quantifier, of: right.operand)
        return PropertyKey<Result>(.arithmetic(sign, operand, other), quantifier: quantifiers)
    }
}
