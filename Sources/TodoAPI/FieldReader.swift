package import CivilTime
package import Varlink

/// Why the parameters of a message are not what its method takes.
package struct FieldError: Error, Hashable, CustomStringConvertible {
    /// The path of the field, such as `name` or `ids[2]`.
    package let field: String
    package let reason: String

    package var description: String { "\(field): \(reason)" }
}

/// Reads the fields of one object, each by its name and type, and knows in the end whether something was left over.
///
/// The same reading code also tells what it would read: `FieldReader.schema` runs it on nothing and notes every
/// field, which is how a test holds the interface text against the types.
package final class FieldReader {
    private let object: JSONObject
    private let path: String
    private let unknownFields: UnknownFields
    private var read: Set<String> = []
    private let recorder: SchemaRecorder?

    package convenience init(_ object: JSONObject, unknownFields: UnknownFields) {
        self.init(object, path: "", unknownFields)
    }

    private init(_ object: JSONObject, path: String, _ unknownFields: UnknownFields) {
        self.object = object
        self.path = path
        self.unknownFields = unknownFields
        recorder = nil
    }

    private init(recorder: SchemaRecorder) {
        object = JSONObject()
        path = ""
        unknownFields = .ignored
        self.recorder = recorder
    }

    /// The fields that `read` takes, in order, each with its Varlink type: `name: string`, `due: ?string`.
    package static func schema(_ read: (FieldReader) throws -> Void) rethrows -> [String] {
        let recorder = SchemaRecorder()
        try read(FieldReader(recorder: recorder))
        return recorder.fields
    }

    private final class SchemaRecorder {
        var fields: [String] = []
    }

    // MARK: - Required fields

    package func string(_ name: String) throws(FieldError) -> String {
        try required(name, "string", "") { $0.asString }
    }

    package func integer(_ name: String) throws(FieldError) -> Int64 {
        try required(name, "int", 0) { $0.asInteger }
    }

    package func boolean(_ name: String) throws(FieldError) -> Bool {
        try required(name, "bool", false) { $0.asBoolean }
    }

    /// A moment, written as RFC 3339.
    package func moment(_ name: String) throws(FieldError) -> Timestamp {
        try required(name, "string", Timestamp(secondsSince1970: 0)) { $0.asMoment }
    }

    package func integers(_ name: String) throws(FieldError) -> [Int64] {
        try array(name, "int") { element, _ in element.asInteger }
    }

    package func strings(_ name: String) throws(FieldError) -> [String] {
        try array(name, "string") { element, _ in element.asString }
    }

    package func body<Body: NamedBody>(_ name: String, _ type: Body.Type) throws(FieldError) -> Body {
        if let recorder {
            recorder.fields.append("\(name): \(Body.typeName)")
            return try Body(from: FieldReader(recorder: SchemaRecorder()))
        }
        guard case .object(let object)? = value(name) else {
            throw failure(name, "expected \(Body.typeName), an object, \(found(name))")
        }
        return try Self.read(Body.self, from: object, path: field(name), unknownFields)
    }

    package func bodies<Body: NamedBody>(_ name: String, of type: Body.Type) throws(FieldError) -> [Body] {
        let path = field(name)
        return try array(name, Body.typeName) { element, index throws(FieldError) in
            guard case .object(let object) = element else { return nil }
            return try Self.read(Body.self, from: object, path: "\(path)[\(index)]", unknownFields)
        }
    }

    // MARK: - Optional fields

    package func optionalString(_ name: String) throws(FieldError) -> String? {
        try optional(name, "string") { $0.asString }
    }

    package func optionalInteger(_ name: String) throws(FieldError) -> Int64? {
        try optional(name, "int") { $0.asInteger }
    }

    package func optionalBoolean(_ name: String) throws(FieldError) -> Bool? {
        try optional(name, "bool") { $0.asBoolean }
    }

    package func optionalMoment(_ name: String) throws(FieldError) -> Timestamp? {
        try optional(name, "string") { $0.asMoment }
    }

    package func optionalChoice<Choice: FieldChoice>(
        _ name: String, _ type: Choice.Type
    ) throws(FieldError) -> Choice? {
        let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        return try optional(name, "(\(words))") { $0.asString.flatMap(Choice.init(rawValue:)) }
    }

    // MARK: - The end

    /// What becomes of fields that a body does not read: the daemon refuses them, a client passes over what a newer
    /// daemon may say.
    package enum UnknownFields {
        case refused, ignored
    }

    /// Reads a whole message body.
    package static func read<Body: MessageBody>(
        _ type: Body.Type, from object: JSONObject, unknownFields: UnknownFields = .refused
    ) throws(FieldError) -> Body {
        try read(type, from: object, path: "", unknownFields)
    }

    private static func read<Body: MessageBody>(
        _ type: Body.Type, from object: JSONObject, path: String, _ unknownFields: UnknownFields
    ) throws(FieldError) -> Body {
        let reader = FieldReader(object, path: path, unknownFields)
        let body = try Body(from: reader)
        if unknownFields == .refused,
            let unknown = object.members.first(where: { !reader.read.contains($0.name) })
        {
            throw reader.failure(String(unknown.name.prefix(64)), "no such field")
        }
        return body
    }

    // MARK: - Reading one field

    private func required<Value>(
        _ name: String, _ type: String, _ placeholder: Value, _ convert: (JSON) -> Value?
    ) throws(FieldError) -> Value {
        if let recorder {
            recorder.fields.append("\(name): \(type)")
            return placeholder
        }
        guard let value = value(name).flatMap(convert) else {
            throw failure(name, "expected \(Self.article(type)), \(found(name))")
        }
        return value
    }

    private func optional<Value>(
        _ name: String, _ type: String, _ convert: (JSON) -> Value?
    ) throws(FieldError) -> Value? {
        if let recorder {
            recorder.fields.append("\(name): ?\(type)")
            return nil
        }
        guard let value = value(name) else { return nil }
        guard let converted = convert(value) else {
            throw failure(name, "expected \(Self.article(type)), \(found(name))")
        }
        return converted
    }

    private func array<Element>(
        _ name: String, _ type: String, _ convert: (JSON, Int) throws(FieldError) -> Element?
    ) throws(FieldError) -> [Element] {
        if let recorder {
            recorder.fields.append("\(name): []\(type)")
            return []
        }
        guard case .array(let elements)? = value(name) else {
            throw failure(name, "expected an array, \(found(name))")
        }
        var converted: [Element] = []
        converted.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            guard let value = try convert(element, index) else {
                throw failure("\(name)[\(index)]", "expected \(Self.article(type)), found \(element.kind)")
            }
            converted.append(value)
        }
        return converted
    }

    /// Null and absent mean the same in Varlink.
    private func value(_ name: String) -> JSON? {
        read.insert(name)
        guard let value = object[name], value != .null else { return nil }
        return value
    }

    private func found(_ name: String) -> String {
        object[name].map { "found \($0.kind)" } ?? "found nothing"
    }

    private func field(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    private func failure(_ name: String, _ reason: String) -> FieldError {
        FieldError(field: field(name), reason: reason)
    }

    private static func article(_ type: String) -> String {
        switch type {
        case "int": "an integer"
        case "bool": "a boolean"
        case "string": "a string"
        case let words where words.hasPrefix("("): "one of \(words.dropFirst().dropLast())"
        default: "a \(type)"
        }
    }
}

extension JSON {
    fileprivate var asString: String? {
        if case .string(let text) = self { text } else { nil }
    }

    fileprivate var asInteger: Int64? {
        if case .integer(let integer) = self { integer } else { nil }
    }

    fileprivate var asBoolean: Bool? {
        if case .boolean(let flag) = self { flag } else { nil }
    }

    fileprivate var asMoment: Timestamp? {
        if case .string(let text) = self { RFC3339.moment(text) } else { nil }
    }
}
