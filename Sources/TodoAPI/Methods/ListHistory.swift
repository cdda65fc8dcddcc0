/// Lists completions of items and of occurrences, the newest first.
package enum ListHistory: Method {
    package static let name = "ListHistory"
    /// The maximum number of `ids`.
    package static let idsLimit = 1_000
    /// The maximum number of entries or counts in a reply with `more`.
    package static let entriesPerReply = 500

    package struct Parameters: MessageBody {
        package var ids: [Int64]?
        package var category: String?
        /// The first time to include, as typed text. A day without a time means its beginning.
        package var since: String?
        /// The last time to include. A day without a time means the whole day.
        package var until: String?
        /// The IANA name of the time zone in which times were typed.
        package var timeZone: String?
        /// The maximum number of entries.
        package var limit: Int64?
        /// Whether to return the counts and streaks of repeating items.
        package var counts: Bool?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("ids", &ids)
            try fields.field("category", &category)
            try fields.field("since", &since)
            try fields.field("until", &until)
            try fields.field("timeZone", &timeZone)
            try fields.field("limit", &limit)
            try fields.field("counts", &counts)
        }
    }

    package struct Reply: MessageBody {
        package var entries: [HistoryEntry] = []
        package var counts: [HistoryCounts]?
        /// A note about the readings of ambiguous times, as in `AddItem`.
        package var note: String?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("entries", &entries)
            try fields.field("counts", &counts)
            try fields.field("note", &note)
        }
    }
}
