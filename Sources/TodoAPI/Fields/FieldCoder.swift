/// A visitor of the fields of an object, in order, that reads, writes or lists them.
///
/// A body lists its fields once, in `code`, and all three operations use that list. Everything that is
/// written can therefore be read, and a test can compare the list with the interface text.
package protocol FieldCoder {
    /// Visits a required field.
    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) throws(FieldError)
    /// Visits an optional field. Null and absent mean the same.
    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value?) throws(FieldError)
    mutating func field<Value: FieldValue>(_ name: String, _ values: inout [Value]) throws(FieldError)
    mutating func field<Value: FieldValue>(_ name: String, _ values: inout [Value]?) throws(FieldError)
    /// Returns an error for a field that was read, with the path of the field.
    func failure(of name: String, reason: String) -> FieldError
}

extension FieldCoder {
    package func failure(of name: String, reason: String) -> FieldError {
        FieldError(field: name, reason: reason)
    }
}

/// The parameters of a call, a reply or an error.
package protocol MessageBody: Sendable {
    /// Creates a body with empty fields, to be read into.
    init()

    mutating func code(_ fields: inout some FieldCoder) throws(FieldError)
}

/// An error in the parameters of a message.
package struct FieldError: Error, Hashable, CustomStringConvertible {
    /// The path of the field, such as `name` or `ids[2]`.
    package let field: String
    package let reason: String

    package init(field: String, reason: String) {
        self.field = field
        self.reason = reason
    }

    package var description: String { "\(field): \(reason)" }
}

/// The parameters of a method without parameters, or the reply of a method without a result.
package struct Empty: MessageBody {
    package init() {}
    package mutating func code(_ fields: inout some FieldCoder) {}
}
