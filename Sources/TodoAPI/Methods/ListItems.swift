/// Lists the items that match a filter.
package enum ListItems: Method {
    package static let name = "ListItems"

    /// The maximum number of items in a reply with `more`. With larger replies, the client waits longer for
    /// each, and client and daemon work less in parallel.
    package static let itemsPerReply = 125
    /// The maximum size of a reply without `more`, which most clients accept. A larger reply is refused.
    package static let replyBytesLimit = 16 << 20
    /// The time after which a list ends with an error if the client has not read all of it.
    package static let secondsLimit = 60
    /// The maximum size of a predicate, which is longer than any typed by a person.
    package static let whereBytesLimit = 16 << 10
    package static let argumentsLimit = 1_000
    /// The maximum number of words in `text`. Each word is searched for in every item.
    package static let wordsLimit = 50
    package static let orderKeysLimit = 8

    package enum State: String, FieldChoice {
        /// Open items that have started, or that have no start.
        case open
        /// Open items with a start in the future.
        case waiting
        case completed, all
    }

    package struct Parameters: MessageBody, Equatable {
        /// The state of the items. If it is `nil`, open items are listed, those with a start in the future if `where`
        /// contains `start`, or all items if `where` contains `completed`.
        package var state: State?
        package var category: String?
        /// Names of tags, all of which the items must have.
        package var tags: [String]?
        /// The number of the item whose subtasks are listed, by default in their order.
        package var parent: Int64?
        /// Whether the items wait for an open item, or do not.
        package var blocked: Bool?
        /// The priorities of the items. 0 is none.
        package var priorities: [Int64]?
        /// Words that the name or the notes must all contain, ignoring case and diacritics.
        package var text: String?
        /// A time in the formats of `AddItem`. A day without a time means its beginning.
        package var dueBefore: String?
        package var dueAfter: String?
        /// A time span such as `24h`, for items that become due between now and then.
        package var within: String?
        /// The IANA name of the time zone in which times were typed.
        package var timeZone: String?
        /// A predicate format. `arguments` contains the values for its `%@`.
        package var `where`: String?
        package var arguments: [Argument]?
        /// Names of item fields. `-` before a name means descending order.
        package var order: [String]?
        package var limit: Int64?
        package var offset: Int64?
        /// The fields to include, or `nil` for `ItemField.listed`.
        package var fields: [String]?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try codeQuery(&fields)
            try fields.field("timeZone", &timeZone)
            try fields.field("arguments", &arguments)
            try fields.field("offset", &offset)
            try fields.field("fields", &self.fields)
        }

        /// Codes the fields that select and order items. A view keeps them.
        mutating func codeQuery(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("state", &state)
            try fields.field("category", &category)
            try fields.field("tags", &tags)
            try fields.field("parent", &parent)
            try fields.field("blocked", &blocked)
            try fields.field("priorities", &priorities)
            try fields.field("text", &text)
            try fields.field("dueBefore", &dueBefore)
            try fields.field("dueAfter", &dueAfter)
            try fields.field("within", &within)
            try fields.field("where", &`where`)
            try fields.field("order", &order)
            try fields.field("limit", &limit)
        }
    }

    package struct Reply: MessageBody {
        package var items: [Item] = []
        /// A note about the readings of ambiguous times in the filter, as in `AddItem`.
        ///
        /// With `more`, it is in the first reply.
        package var note: String?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("items", &items)
            try fields.field("note", &note)
        }
    }
}
