package import CivilTime
package import Varlink

/// A coder that writes the fields of an object as JSON. Optional fields that are `nil` are omitted.
package struct FieldWriter: FieldCoder {
    /// The writer, which is valid only during the static `write`.
    private let writer: UnsafeMutablePointer<JSONWriter>
    /// The time zone in which times are written.
    private let zone: TimeZoneRules

    /// Writes the fields of `body` into the currently open object of `writer`.
    package static func write(
        _ body: some MessageBody, to writer: inout JSONWriter, zone: TimeZoneRules = .utc
    ) {
        var body = body
        withUnsafeMutablePointer(to: &writer) { writer in
            var fields = FieldWriter(writer: writer, zone: zone)
            do {
                try body.code(&fields)
            } catch {
                preconditionFailure("writing a field cannot fail")
            }
        }
    }

    package mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        writer.pointee.name(name)
        value.write(to: &writer.pointee, zone: zone)
    }

    package mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value?) {
        guard let value else { return }
        writer.pointee.name(name)
        value.write(to: &writer.pointee, zone: zone)
    }

    package mutating func field<Value: FieldValue>(_ name: String, _ values: inout [Value]) {
        writer.pointee.name(name)
        writer.pointee.array { array in for value in values { value.write(to: &array, zone: zone) } }
    }

    package mutating func field<Value: FieldValue>(_ name: String, _ values: inout [Value]?) {
        guard var present = values else { return }
        field(name, &present)
    }
}
