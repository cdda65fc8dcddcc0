/// Takes in what Export or another program has written: all of it or, when something is wrong, nothing.
package enum Import: Method {
    package static let name = "Import"

    /// A text longer than this is refused, in how many pieces it may come.
    package static let textBytesLimit = 64 << 20
    /// All clients together may have sent so much of texts whose end has not come.
    package static let heldBytesLimit = 128 << 20
    /// A piece that fits well into a message, whatever has to be escaped in it.
    package static let pieceBytes = 128 << 10

    /// A reply has so many remarks at most, and one that tells how many more there would be.
    package static let remarksLimit = 100

    /// With `more`, there is a reply for so many items that were looked at.
    package static let itemsPerReply = 500

    package enum Format: String, FieldChoice {
        case json, icalendar, taskwarrior, coredata
    }

    package struct Parameters: MessageBody {
        package var text = ""
        /// Nil means that the text tells.
        package var format: Format?
        /// Say what would happen, and change nothing.
        package var dryRun: Bool?
        /// More of the text follows in the next call on this connection.
        package var continues: Bool?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("text", &text)
            try fields.field("format", &format)
            try fields.field("dryRun", &dryRun)
            try fields.field("continues", &continues)
        }
    }

    package struct Reply: MessageBody, Hashable {
        package var added: Int64 = 0
        package var updated: Int64 = 0
        package var unchanged: Int64 = 0
        /// Items that were changed here after they were written there; they stay as they are.
        package var older: Int64 = 0
        package var categoriesAdded: Int64 = 0
        package var categoriesUpdated: Int64 = 0
        /// What was left out, and why.
        package var remarks: [String] = []
        /// In a reply that tells how far it has come: how many items there are.
        package var items: Int64?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("added", &added)
            try fields.field("updated", &updated)
            try fields.field("unchanged", &unchanged)
            try fields.field("older", &older)
            try fields.field("categoriesAdded", &categoriesAdded)
            try fields.field("categoriesUpdated", &categoriesUpdated)
            try fields.field("remarks", &remarks)
            try fields.field("items", &items)
        }
    }
}
