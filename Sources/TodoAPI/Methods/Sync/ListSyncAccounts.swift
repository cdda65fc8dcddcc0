/// Lists the accounts and their lists.
package enum ListSyncAccounts: Method {
    package static let name = "ListSyncAccounts"

    package typealias Parameters = Empty

    package struct Reply: MessageBody {
        package var accounts: [SyncAccountSummary] = []

        package init() {}

        package init(accounts: [SyncAccountSummary]) {
            self.accounts = accounts
        }

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("accounts", &accounts)
        }
    }
}
