/// Lists the resources of a list that the store knows, in the order of their URLs.
package enum ListSyncEntries: Method {
    package static let name = "ListSyncEntries"

    package struct Parameters: MessageBody {
        package var list: Int64 = 0
        /// The URL after which the reply begins.
        package var after: String?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("list", &list)
            try fields.field("after", &after)
        }
    }

    package struct Reply: MessageBody {
        package var entries: [SyncEntrySummary] = []
        package var hasMore: Bool = false

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("entries", &entries)
            try fields.field("hasMore", &hasMore)
        }
    }
}
