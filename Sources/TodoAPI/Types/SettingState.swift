/// A configuration setting with its value and source, in the API.
package struct SettingState: NamedBody, Hashable {
    package static let varlinkType = "Setting"

    package enum Source: String, FieldChoice {
        case builtIn, file, dropIn, commandLine, lastStart
    }

    package var section = ""
    package var name = ""
    /// The value, or an empty text if the setting is off.
    package var value = ""
    package var source = Source.builtIn
    /// The path of the file that contains the setting, or `nil` if the setting is not from a file.
    package var path: String?
    /// The line number in that file.
    package var line: Int64?

    package init() {}

    package init(
        section: String, name: String, value: String, source: Source, path: String? = nil, line: Int64? = nil
    ) {
        self.section = section
        self.name = name
        self.value = value
        self.source = source
        self.path = path
        self.line = line
    }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("section", &section)
        try fields.field("name", &name)
        try fields.field("value", &value)
        try fields.field("source", &source)
        try fields.field("path", &path)
        try fields.field("line", &line)
    }
}
