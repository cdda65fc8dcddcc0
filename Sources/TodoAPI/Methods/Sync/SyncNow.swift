/// Synchronizes now, and replies when both sides agree. With `more`, it also reports progress.
package enum SyncNow: Method {
    package static let interface = SyncInterface.name
    package static let name = "SyncNow"

    package struct Parameters: MessageBody {
        /// The account, or `nil` for all.
        package var account: String?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("account", &account)
        }
    }

    package struct Reply: MessageBody {
        package var account: String?
        package var list: String?
        /// The number of tasks read from the server.
        package var received: Int64 = 0
        /// The number of changes that the server has accepted.
        package var sent: Int64 = 0
        package var problems: [String] = []

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("account", &account)
            try fields.field("list", &list)
            try fields.field("received", &received)
            try fields.field("sent", &sent)
            try fields.field("problems", &problems)
        }
    }
}
