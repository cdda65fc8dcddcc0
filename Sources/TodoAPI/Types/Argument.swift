/// A value for a `%@` in a predicate format. It is in one of the fields, or null if all fields are `nil`.
package struct Argument: NamedBody, Hashable {
    package static let varlinkType = "Argument"

    package var text: String?
    package var integer: Int64?
    package var number: Double?
    package var flag: Bool?
    /// A time in the formats of `AddItem`.
    package var moment: String?
    /// The elements of a list, for `IN`.
    package var texts: [String]?
    package var integers: [Int64]?

    package init() {}

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("text", &text)
        try fields.field("integer", &integer)
        try fields.field("number", &number)
        try fields.field("flag", &flag)
        try fields.field("moment", &moment)
        try fields.field("texts", &texts)
        try fields.field("integers", &integers)
    }
}
