package import CivilTime
package import Varlink

/// Writes the fields of an object as JSON; optional fields that are nil are left out.
package struct FieldWriter: FieldCoder {
    private var writer: JSONWriter
    /// The zone in which moments are written.
    private let zone: TimeZoneRules

    /// Writes the fields of `body` into the object that `writer` has open.
    package static func write(
        _ body: some MessageBody, to writer: inout JSONWriter, zone: TimeZoneRules = .utc
    ) {
        // The writer is moved in and out, so that its bytes are never copied.
        var fields = FieldWriter(writer: writer, zone: zone)
        writer = JSONWriter()
        var body = body
        do {
            try body.code(&fields)
        } catch {
            preconditionFailure("writing a field cannot fail")
        }
        writer = fields.writer
    }

    package mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        writer.name(name)
        value.write(to: &writer, zone: zone)
    }

    package mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value?) {
        guard let value else { return }
        writer.name(name)
        value.write(to: &writer, zone: zone)
    }

    package mutating func field<Value: FieldValue>(_ name: String, _ values: inout [Value]) {
        writer.name(name)
        writer.array { array in for value in values { value.write(to: &array, zone: zone) } }
    }

    package mutating func field<Value: FieldValue>(_ name: String, _ values: inout [Value]?) {
        guard var present = values else { return }
        field(name, &present)
    }
}
