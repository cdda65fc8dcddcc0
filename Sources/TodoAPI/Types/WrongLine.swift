/// An invalid line of the configuration, in the API.
package struct WrongLine: NamedBody, Hashable {
    package static let varlinkType = "WrongLine"

    package var path = ""
    /// The number of the line, or `nil` if the whole file cannot be read.
    package var line: Int64?
    package var reason = ""

    package init() {}

    package init(path: String, line: Int64?, reason: String) {
        self.path = path
        self.line = line
        self.reason = reason
    }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("path", &path)
        try fields.field("line", &line)
        try fields.field("reason", &reason)
    }
}
