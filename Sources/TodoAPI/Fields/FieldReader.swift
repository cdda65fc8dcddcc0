package import Varlink

/// A coder that reads the fields of one object and detects unknown fields.
package struct FieldReader: FieldCoder {
    /// The treatment of fields that a body does not define. The daemon refuses them. A client ignores them,
    /// because they may come from a newer daemon.
    package enum UnknownFields: Sendable {
        case refused, ignored
    }

    /// The position of a value in a message, and how strictly it is read.
    package struct Context {
        fileprivate let path: String
        fileprivate let unknownFields: UnknownFields

        /// The context of a whole message.
        static func message(_ unknownFields: UnknownFields) -> Self {
            Self(path: "", unknownFields: unknownFields)
        }
    }

    private let object: JSONObject
    private let context: Context
    /// The number of members that were read.
    private var readCount = 0

    private init(_ object: JSONObject, _ context: Context) {
        self.object = object
        self.context = context
    }

    /// Reads a whole message body.
    package static func read<Body: MessageBody>(
        _ type: Body.Type, from object: JSONObject, unknownFields: UnknownFields = .refused
    ) throws(FieldError) -> Body {
        try read(type, from: object, .message(unknownFields))
    }

    /// Reads a body at `path` in a text, such as `items[3]`.
    package static func read<Body: MessageBody>(
        _ type: Body.Type, from object: JSONObject, at path: String
    ) throws(FieldError) -> Body {
        try read(type, from: object, Context(path: path, unknownFields: .refused))
    }

    static func read<Body: MessageBody>(
        _ type: Body.Type, from object: JSONObject, _ context: Context
    ) throws(FieldError) -> Body {
        try read(into: Body(), from: object, context)
    }

    /// Reads the fields of `blank`. Use this if the type of the body does not determine its fields.
    static func read<Body: MessageBody>(
        into blank: Body, from object: JSONObject, _ context: Context
    ) throws(FieldError) -> Body {
        var body = blank
        var reader = FieldReader(object, context)
        try body.code(&reader)
        if context.unknownFields == .refused, reader.readCount < object.members.count {
            throw try reader.unknownField(of: body)
        }
        return body
    }

    private func unknownField(of body: some MessageBody) throws(FieldError) -> FieldError {
        let known = try FieldLister.names(of: body)
        let unknown = object.members.first { !known.contains($0.name) }
        return failure(of: String(unknown?.name.prefix(64) ?? ""), reason: "no such field")
    }

    // MARK: - Fields

    package mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) throws(FieldError) {
        guard let found = take(name) else { throw missing(name, expected: Value.expected) }
        value = try convert(found, name)
    }

    package mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value?) throws(FieldError) {
        guard let found = take(name) else {
            value = nil
            return
        }
        value = try convert(found, name) as Value
    }

    package mutating func field<Value: FieldValue>(_ name: String, _ values: inout [Value]) throws(FieldError)
    {
        guard let found = take(name) else { throw missing(name, expected: "an array") }
        values = try convertAll(found, name)
    }

    package mutating func field<Value: FieldValue>(_ name: String, _ values: inout [Value]?)
        throws(FieldError)
    {
        guard let found = take(name) else {
            values = nil
            return
        }
        values = try convertAll(found, name)
    }

    /// Returns the value of a member, or `nil` if it is absent or null.
    private mutating func take(_ name: String) -> JSON? {
        guard let value = object[name] else { return nil }
        readCount += 1
        if case .null = value { return nil }
        return value
    }

    private func convertAll<Value: FieldValue>(_ json: JSON, _ name: String) throws(FieldError) -> [Value] {
        guard case .array(let elements) = json else {
            throw failure(of: name, reason: "expected an array, found \(json.kind)")
        }
        var values: [Value] = []
        values.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            values.append(try convert(element, "\(name)[\(index)]"))
        }
        return values
    }

    private func convert<Value: FieldValue>(_ json: JSON, _ name: String) throws(FieldError) -> Value {
        let inner = Context(path: path(name), unknownFields: context.unknownFields)
        guard let value = try Value.read(json, inner) else {
            throw failure(of: name, reason: "expected \(Value.expected), found \(json.kind)")
        }
        return value
    }

    // MARK: - Failures

    private func missing(_ name: String, expected: String) -> FieldError {
        failure(of: name, reason: "expected \(expected), found \(object[name] == nil ? "nothing" : "null")")
    }

    package func failure(of name: String, reason: String) -> FieldError {
        FieldError(field: path(name), reason: reason)
    }

    private func path(_ name: String) -> String {
        context.path.isEmpty ? name : "\(context.path).\(name)"
    }
}
