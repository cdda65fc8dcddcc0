/// Exports all items and categories in a format for other programs.
package enum Export: Method {
    package static let name = "Export"

    /// The maximum number of items in a reply with `more`.
    package static let itemsPerReply = 100

    package enum Format: String, FieldChoice {
        /// All data, for `Import`.
        case json
        /// Tasks (VTODO) with alarms.
        case icalendar
        /// The XML document of a Core Data store.
        case coredata
        /// Lines of todo.txt, one for each item.
        case todotxt
        /// Tasks for `task import` of Taskwarrior.
        case taskwarrior
    }

    package struct Parameters: MessageBody {
        /// The format, or `nil` for JSON.
        package var format: Format?

        package init() {}

        package init(format: Format?) { self.format = format }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("format", &format)
        }
    }

    package struct Reply: MessageBody {
        package var text = ""

        package init() {}

        package init(text: String) { self.text = text }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("text", &text)
        }
    }
}
