/// Stores the password of an account, and begins to synchronize lists of it.
package enum AddAccount: Method {
    package static let interface = SyncInterface.name
    package static let name = "AddAccount"

    package struct Parameters: MessageBody {
        /// The name, or `nil` for the host.
        package var name: String?
        package var url: String = ""
        package var user: String?
        package var password: String?
        /// The place of the password, instead of the password itself.
        package var passwordSource: String?
        package var lists: [SyncListChoice] = []

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("name", &name)
            try fields.field("url", &url)
            try fields.field("user", &user)
            try fields.field("password", &password)
            try fields.field("passwordSource", &passwordSource)
            try fields.field("lists", &lists)
        }
    }

    package struct Reply: MessageBody {
        package var account: SyncAccountSummary = SyncAccountSummary()

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("account", &account)
        }
    }
}
