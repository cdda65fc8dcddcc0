/// Returns the present state of each account.
package enum GetSyncState: Method {
    package static let interface = SyncInterface.name
    package static let name = "GetSyncState"

    package typealias Parameters = Empty

    package struct Reply: MessageBody {
        package var accounts: [SyncAccountState] = []

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("accounts", &accounts)
        }
    }
}
