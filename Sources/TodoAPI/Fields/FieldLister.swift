/// A coder that lists the fields of a body in the syntax of the interface text: `name: string`,
/// `due: ?string`, `ids: []int`.
package struct FieldLister: FieldCoder {
    private var fields: [(name: String, type: String)] = []

    package static func fields(of body: some MessageBody) throws(FieldError) -> [String] {
        try list(body).map { "\($0.name): \($0.type)" }
    }

    static func names(of body: some MessageBody) throws(FieldError) -> Set<String> {
        Set(try list(body).map(\.name))
    }

    private static func list(_ body: some MessageBody) throws(FieldError) -> [(name: String, type: String)] {
        var lister = FieldLister()
        var body = body
        try body.code(&lister)
        return lister.fields
    }

    package mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        fields.append((name, Value.varlinkType))
    }

    package mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value?) {
        fields.append((name, "?\(Value.varlinkType)"))
    }

    package mutating func field<Value: FieldValue>(_ name: String, _ values: inout [Value]) {
        fields.append((name, "[]\(Value.varlinkType)"))
    }

    package mutating func field<Value: FieldValue>(_ name: String, _ values: inout [Value]?) {
        fields.append((name, "?[]\(Value.varlinkType)"))
    }
}
