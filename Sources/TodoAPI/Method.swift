package import CivilTime
package import Varlink

/// What can be written as the fields of an object.
package protocol FieldWritable {
    func write(to object: inout FieldWriter)
}

/// What the parameters of a call or a reply hold: read from fields, and written as fields.
package protocol MessageBody: FieldWritable {
    init(from fields: FieldReader) throws(FieldError)
}

/// A field that takes one of a few words, in Varlink `(open, completed, all)`.
package protocol FieldChoice: RawRepresentable<String>, CaseIterable, Sendable {}

/// A body that the interface gives a name, because it stands inside others.
package protocol NamedBody: MessageBody {
    static var typeName: String { get }
}

/// One method of the interface `dev.todod.Todo`: its name, what it takes and what it gives.
package protocol Method {
    associatedtype Parameters: MessageBody
    associatedtype Reply: MessageBody

    /// The name within the interface, such as `AddItem`.
    static var name: String { get }
}

extension Method {
    /// The name on the wire: `dev.todod.Todo.AddItem`.
    package static var qualifiedName: String { "\(TodoInterface.name).\(name)" }
}

/// Parameters of a method that takes none, and the reply of one that has nothing to tell.
package struct Empty: MessageBody {
    package init() {}
    package init(from fields: FieldReader) {}
    package func write(to object: inout FieldWriter) {}
}

/// Writes the fields of one object; optional fields that are nil are left out.
package struct FieldWriter {
    private var writer: JSONWriter
    /// The zone in which moments are written.
    private let zone: TimeZoneRules

    /// Writes the members of `body` into the object that `writer` has open.
    package static func write(
        _ body: some FieldWritable, to writer: inout JSONWriter, zone: TimeZoneRules = .utc
    ) {
        // The writer is moved in and out, so that the bytes are never copied.
        var fields = FieldWriter(writer: writer, zone: zone)
        writer = JSONWriter()
        body.write(to: &fields)
        writer = fields.writer
    }

    package mutating func string(_ name: String, _ value: String?) {
        guard let value else { return }
        writer.name(name)
        writer.value(value)
    }

    package mutating func integer(_ name: String, _ value: Int64?) {
        guard let value else { return }
        writer.name(name)
        writer.value(value)
    }

    package mutating func boolean(_ name: String, _ value: Bool?) {
        guard let value else { return }
        writer.name(name)
        writer.value(value)
    }

    package mutating func moment(_ name: String, _ value: Timestamp?) {
        string(name, value.flatMap { RFC3339.text($0, in: zone) })
    }

    package mutating func integers(_ name: String, _ values: [Int64]) {
        writer.name(name)
        writer.array { array in for value in values { array.value(value) } }
    }

    package mutating func strings(_ name: String, _ values: [String]) {
        writer.name(name)
        writer.array { array in for value in values { array.value(value) } }
    }

    package mutating func body(_ name: String, _ value: some NamedBody) {
        writer.name(name)
        writer.object { Self.write(value, to: &$0, zone: zone) }
    }

    package mutating func bodies(_ name: String, _ values: [some NamedBody]) {
        writer.name(name)
        writer.array { array in
            for value in values { array.object { Self.write(value, to: &$0, zone: zone) } }
        }
    }
}
