/// Ends the synchronization of an account or a list, and removes the password that was stored for the account.
package enum RemoveAccount: Method {
    package static let interface = SyncInterface.name
    package static let name = "RemoveAccount"

    package struct Parameters: MessageBody {
        package var name: String = ""
        package var list: String?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("name", &name)
            try fields.field("list", &list)
        }
    }

    package typealias Reply = Empty
}
