/// Lists items that fit a filter.
package enum ListItems: Method {
    package static let name = "ListItems"

    /// With `more`, a reply holds at most this many items. With more of them the client waits longer for each, and the two
    /// processors less for each other.
    package static let itemsPerReply = 125
    /// Without `more` a reply that would be longer is refused; most clients take no more than this.
    package static let replyBytesLimit = 16 << 20
    /// A list that the client has not taken by then ends with an error.
    package static let secondsLimit = 60
    /// Longer than any predicate that a person writes.
    package static let whereBytesLimit = 16 << 10
    package static let argumentsLimit = 1_000
    /// Words of a `text`: each of them is looked for in every item.
    package static let wordsLimit = 50
    package static let orderKeysLimit = 8

    package enum State: String, FieldChoice {
        case open, completed, all
    }

    package struct Parameters: MessageBody {
        /// Nil means the open ones, or all if `where` names `completed`.
        package var state: State?
        package var category: String?
        /// The items that have one of these priorities; 0 is none.
        package var priorities: [Int64]?
        /// Words that the name or the notes contain, all of them, whatever the case and the marks of the letters.
        package var text: String?
        /// A time as AddItem takes it; a day alone means its beginning.
        package var dueBefore: String?
        package var dueAfter: String?
        /// A time span such as `24h`: what falls due from now until then.
        package var within: String?
        /// The IANA name of the zone in which times were typed.
        package var timeZone: String?
        /// A predicate format, with the arguments for its `%@`.
        package var `where`: String?
        package var arguments: [Argument]?
        /// Fields of an item, `-` before one that descends.
        package var order: [String]?
        package var limit: Int64?
        package var offset: Int64?
        /// The fields that are wanted; nil means all but `leads`, `heldUntil`, `afterDone`, `occurrencesDone` and `timeZone`.
        package var fields: [String]?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("state", &state)
            try fields.field("category", &category)
            try fields.field("priorities", &priorities)
            try fields.field("text", &text)
            try fields.field("dueBefore", &dueBefore)
            try fields.field("dueAfter", &dueAfter)
            try fields.field("within", &within)
            try fields.field("timeZone", &timeZone)
            try fields.field("where", &`where`)
            try fields.field("arguments", &arguments)
            try fields.field("order", &order)
            try fields.field("limit", &limit)
            try fields.field("offset", &offset)
            try fields.field("fields", &self.fields)
        }
    }

    package struct Reply: MessageBody {
        package var items: [Item] = []
        /// The readings of the times in the filter that were chosen, as in `AddItem`; with `more` it is in the first reply.
        package var note: String?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("items", &items)
            try fields.field("note", &note)
        }
    }
}
