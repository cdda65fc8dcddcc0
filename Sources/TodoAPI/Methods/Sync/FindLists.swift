/// Finds the lists of tasks on a server.
package enum FindLists: Method {
    package static let interface = SyncInterface.name
    package static let name = "FindLists"

    package struct Parameters: MessageBody {
        /// A URL, a host, or the address of a person such as ann@example.org.
        package var url: String = ""
        package var user: String?
        package var password: String?
        /// The place of the password, instead of the password itself.
        package var passwordSource: String?
        /// The name of the account, under which a keyring has the password. The default is the host.
        package var name: String?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("url", &url)
            try fields.field("user", &user)
            try fields.field("password", &password)
            try fields.field("passwordSource", &passwordSource)
            try fields.field("name", &name)
        }
    }

    package struct Reply: MessageBody {
        package var url: String = ""
        package var principal: String = ""
        package var lists: [FoundSyncList] = []
        /// The lists that do not accept tasks, or `nil` if there are none.
        package var otherLists: [FoundSyncList]?

        package init() {}

        package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("url", &url)
            try fields.field("principal", &principal)
            try fields.field("lists", &lists)
            try fields.field("otherLists", &otherLists)
        }
    }
}
