/// Adds an account and the lists that it synchronizes. Lists of a known account are added to it.
package enum AddSyncAccount: Method {
    package static let name = "AddSyncAccount"

    package struct Parameters: MessageBody {
        package var name: String = ""
        package var url: String = ""
        package var user: String?
        package var principal: String?
        package var passwordSource: String = ""
        package var lists: [SyncListChoice] = []

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("name", &name)
            try fields.field("url", &url)
            try fields.field("user", &user)
            try fields.field("principal", &principal)
            try fields.field("passwordSource", &passwordSource)
            try fields.field("lists", &lists)
        }
    }

    package struct Reply: MessageBody {
        package var account: SyncAccountSummary = SyncAccountSummary()

        package init() {}

        package init(account: SyncAccountSummary) {
            self.account = account
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("account", &account)
        }
    }
}
