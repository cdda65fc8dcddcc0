/// Imports data written by `Export` or another program. Imports everything or, after an error, nothing.
package enum Import: Method {
    package static let name = "Import"

    /// The maximum size of a text, however many calls it is split into.
    package static let textBytesLimit = 64 << 20
    /// The maximum size of the incomplete texts of all clients together.
    package static let heldBytesLimit = 128 << 20
    /// The size of one chunk of a text. It fits into a message even if many characters are escaped.
    package static let chunkBytes = 128 << 10

    /// The maximum number of remarks in a reply. One more remark gives the number of omitted ones.
    package static let remarksLimit = 100

    /// The number of processed items between two progress replies, which a call with `more` receives.
    package static let itemsPerReply = 500

    /// Whether a text begins as a project that Todoist has exported.
    package static func isTodoist(_ text: some StringProtocol) -> Bool {
        let beginning = text.prefix(100).lowercased().filter { $0 != "\"" && $0 != "\u{FEFF}" }
        return ["type,content", "type;content"].contains {
            beginning.drop(while: \.isWhitespace).hasPrefix($0)
        }
    }

    package enum Format: String, FieldChoice {
        case json, icalendar, taskwarrior, coredata, todotxt, todoist
    }

    package struct Parameters: MessageBody {
        package var text = ""
        /// The format, or `nil` to detect it from the text.
        package var format: Format?
        /// The category of new items that have none in the text.
        package var category: String?
        /// The name of a project of Todoist, which is not in its text. It is also the category, unless there is one.
        package var project: String?
        /// Whether to only return the result without changing anything.
        package var dryRun: Bool?
        /// Whether the next call on this connection continues the text.
        package var continues: Bool?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("text", &text)
            try fields.field("format", &format)
            try fields.field("category", &category)
            try fields.field("project", &project)
            try fields.field("dryRun", &dryRun)
            try fields.field("continues", &continues)
        }
    }

    package struct Reply: MessageBody, Hashable {
        package var added: Int64 = 0
        package var updated: Int64 = 0
        package var unchanged: Int64 = 0
        /// The number of items that were changed in the store later than in the text. They stay unchanged.
        package var older: Int64 = 0
        package var categoriesAdded: Int64 = 0
        package var categoriesUpdated: Int64 = 0
        /// The number of tags of the file that were added, or `nil` if there are none.
        package var tagsAdded: Int64?
        /// The number of tags of the file that were renamed, or `nil` if there are none.
        package var tagsUpdated: Int64?
        /// The omitted data, with reasons.
        package var remarks: [String] = []
        /// The total number of items, in a progress reply.
        package var items: Int64?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("added", &added)
            try fields.field("updated", &updated)
            try fields.field("unchanged", &unchanged)
            try fields.field("older", &older)
            try fields.field("categoriesAdded", &categoriesAdded)
            try fields.field("categoriesUpdated", &categoriesUpdated)
            try fields.field("tagsAdded", &tagsAdded)
            try fields.field("tagsUpdated", &tagsUpdated)
            try fields.field("remarks", &remarks)
            try fields.field("items", &items)
        }
    }
}
