/// Lists the fields of a body as the interface text describes them: `name: string`, `due: ?string`, `ids: []int`.
package struct FieldLister: FieldCoder {
    private var fields: [String] = []

    package static func fields(of body: some MessageBody) throws(FieldError) -> [String] {
        var lister = FieldLister()
        var body = body
        try body.code(&lister)
        return lister.fields
    }

    package mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value) {
        fields.append("\(name): \(Value.varlinkType)")
    }

    package mutating func field<Value: FieldValue>(_ name: String, _ value: inout Value?) {
        fields.append("\(name): ?\(Value.varlinkType)")
    }

    package mutating func field<Value: FieldValue>(_ name: String, _ values: inout [Value]) {
        fields.append("\(name): []\(Value.varlinkType)")
    }

    package mutating func field<Value: FieldValue>(_ name: String, _ values: inout [Value]?) {
        fields.append("\(name): ?[]\(Value.varlinkType)")
    }
}
