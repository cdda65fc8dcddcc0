/// Ends the synchronization of an account, or of one of its lists. The items stay.
package enum DeleteSyncAccount: Method {
    package static let name = "DeleteSyncAccount"

    package struct Parameters: MessageBody {
        package var name: String = ""
        /// The name or the URL of a list, or `nil` for the account.
        package var list: String?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("name", &name)
            try fields.field("list", &list)
        }
    }

    package typealias Reply = Empty
}
