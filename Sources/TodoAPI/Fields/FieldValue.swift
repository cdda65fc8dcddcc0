package import CivilTime
package import Varlink

/// What can stand in a field: its Varlink type, and its form in JSON.
package protocol FieldValue {
    /// `string`, `int`, `bool`, or the name of a type of the interface.
    static var varlinkType: String { get }
    /// What a message about a wrong value says was expected: `a string`.
    static var expected: String { get }

    /// Nil when the value is of another kind; throws when it is of the right kind and something inside is wrong.
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

    /// A moment that RFC 3339 cannot write is null; the daemon lets none in.
    package func write(to writer: inout JSONWriter, zone: TimeZoneRules) {
        writer.value(ofAtMost: RFC3339.mostBytes) { RFC3339.write(self, in: zone, to: $0) }
    }
}

/// A field that takes one of a few words, in Varlink `(open, completed, all)`.
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

/// A body that the interface gives a name, because it stands in fields of others.
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
