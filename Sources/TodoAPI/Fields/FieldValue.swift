package import CivilTime
package import Varlink

/// A type of field, with its Varlink type and its JSON form.
package protocol FieldValue {
    /// `string`, `int`, `bool`, or the name of a type of the interface.
    static var varlinkType: String { get }
    /// The expected kind of value, for error messages, such as `a string`.
    static var expected: String { get }

    /// Reads a value. Returns `nil` if it is of another kind. Throws if it is of the right kind but its
    /// contents are invalid.
    static func read(_ json: JSON, _ context: FieldReader.Context) throws(FieldError) -> Self?
    func write(to writer: inout JSONWriter, zone: TimeZoneRules)
}

extension String: FieldValue {
    package static var varlinkType: String { "string" }
    package static var expected: String { "a string" }

    package static func read(_ json: JSON, _ context: FieldReader.Context) -> String? {
        if case .string(let text) = json { text } else { nil }
    }

    package func write(to writer: inout JSONWriter, zone: TimeZoneRules) { writer.value(self) }
}

extension Int64: FieldValue {
    package static var varlinkType: String { "int" }
    package static var expected: String { "an integer" }

    package static func read(_ json: JSON, _ context: FieldReader.Context) -> Int64? {
        if case .integer(let integer) = json { integer } else { nil }
    }

    package func write(to writer: inout JSONWriter, zone: TimeZoneRules) { writer.value(self) }
}

extension Double: FieldValue {
    package static var varlinkType: String { "float" }
    package static var expected: String { "a number" }

    package static func read(_ json: JSON, _ context: FieldReader.Context) -> Double? {
        switch json {
        case .number(let number): number
        case .integer(let integer): Double(integer)
        default: nil
        }
    }

    package func write(to writer: inout JSONWriter, zone: TimeZoneRules) { writer.value(self) }
}

extension Bool: FieldValue {
    package static var varlinkType: String { "bool" }
    package static var expected: String { "a boolean" }

    package static func read(_ json: JSON, _ context: FieldReader.Context) -> Bool? {
        if case .boolean(let flag) = json { flag } else { nil }
    }

    package func write(to writer: inout JSONWriter, zone: TimeZoneRules) { writer.value(self) }
}

extension Timestamp: FieldValue {
    package static var varlinkType: String { "string" }
    package static var expected: String { "a time such as 2026-11-21T09:00:00+01:00" }

    package static func read(_ json: JSON, _ context: FieldReader.Context) -> Timestamp? {
        if case .string(let text) = json { RFC3339.moment(text) } else { nil }
    }

    /// Writes a time. A time that RFC 3339 cannot express becomes null, but the daemon accepts no such times.
    package func write(to writer: inout JSONWriter, zone: TimeZoneRules) {
        writer.value(ofAtMost: RFC3339.mostBytes) { RFC3339.write(self, in: zone, to: $0) }
    }
}

extension CalendarTime: FieldValue {
    package static var varlinkType: String { "string" }
    package static var expected: String {
        "a time such as 2026-11-21T09:00:00+01:00, or a date such as 2026-11-21"
    }

    package static func read(_ json: JSON, _ context: FieldReader.Context) -> CalendarTime? {
        if case .string(let text) = json { CalendarTime(text) } else { nil }
    }

    package func write(to writer: inout JSONWriter, zone: TimeZoneRules) {
        switch self {
        case .moment(let moment): moment.write(to: &writer, zone: zone)
        case .local(let local): writer.value(local.text)
        }
    }
}

/// A field that accepts one of several words, in Varlink `(open, completed, all)`.
package protocol FieldChoice: FieldValue, RawRepresentable<String>, CaseIterable, Sendable {}

extension FieldChoice {
    private static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
    package static var varlinkType: String { "(\(words))" }
    package static var expected: String { "one of \(words)" }

    package static func read(_ json: JSON, _ context: FieldReader.Context) -> Self? {
        if case .string(let word) = json { Self(rawValue: word) } else { nil }
    }

    package func write(to writer: inout JSONWriter, zone: TimeZoneRules) { writer.value(rawValue) }
}

/// A body that is a named type of the interface, because it is used in the fields of other bodies.
package protocol NamedBody: MessageBody, FieldValue {}

extension NamedBody {
    package static var expected: String { "an object of type \(varlinkType)" }

    package static func read(_ json: JSON, _ context: FieldReader.Context) throws(FieldError) -> Self? {
        guard case .object(let object) = json else { return nil }
        return try FieldReader.read(Self.self, from: object, context)
    }

    package func write(to writer: inout JSONWriter, zone: TimeZoneRules) {
        writer.object { FieldWriter.write(self, to: &$0, zone: zone) }
    }
}
