/// Goes through the fields of an object in order: reading them, writing them, or listing what they are.
///
/// A body names each of its fields once, in `code`, and that one list serves all three. So what is written can be
/// read, and a test can hold the list against the interface text.
package protocol FieldCoder {
    /// A field that must be there.
    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) throws(FieldError)
    /// A field that may be null or absent, which mean the same.
    mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value?) throws(FieldError)
    mutating func field<Value: FieldValue>(_ name: String, _ values: inout [Value]) throws(FieldError)
    mutating func field<Value: FieldValue>(_ name: String, _ values: inout [Value]?) throws(FieldError)
    /// What is wrong with a field that was read, by its path.
    func failure(_ name: String, _ reason: String) -> FieldError
}

extension FieldCoder {
    package func failure(_ name: String, _ reason: String) -> FieldError {
        FieldError(field: name, reason: reason)
    }
}

/// What the parameters of a call, a reply or an error hold.
package protocol MessageBody: Sendable {
    /// With fields that are blank, to be read into.
    init()

    mutating func code(_ fields: inout some FieldCoder) throws(FieldError)
}

/// Why the parameters of a message are not what its method takes.
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

/// Parameters of a method that takes none, and the reply of one that has nothing to tell.
package struct Empty: MessageBody {
    package init() {}
    package mutating func code(_ fields: inout some FieldCoder) {}
}
