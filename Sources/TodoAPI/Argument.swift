/// A value for a `%@` of a predicate format: one of its fields; none of them is nil.
package struct Argument: NamedBody, Hashable {
    package static let varlinkType = "Argument"

    package var text: String?
    package var integer: Int64?
    package var number: Double?
    package var flag: Bool?
    /// A time as AddItem takes it.
    package var moment: String?
    /// Lists, for `IN`.
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
