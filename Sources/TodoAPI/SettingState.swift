/// A setting of the configuration, its value and where that comes from, as the API shows it.
package struct SettingState: NamedBody, Hashable {
    package static let varlinkType = "Setting"

    package enum Source: String, FieldChoice {
        case builtIn, file, dropIn, commandLine, lastStart
    }

    package var section = ""
    package var name = ""
    /// Empty when the setting is off.
    package var value = ""
    package var source = Source.builtIn
    /// The file, and the line in it.
    package var path: String?
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
