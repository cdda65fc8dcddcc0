/// An account with which lists are synchronized.
package struct SyncAccountSummary: NamedBody, Hashable {
    package static let varlinkType = "SyncAccount"

    package var id: Int64 = 0
    package var name: String = ""
    /// The address that the user typed or that was found for it.
    package var url: String = ""
    package var user: String?
    /// The address of the person on the server.
    package var principal: String?
    /// The place of the password, such as `keyring`, `file:PATH`, `command:TEXT` or `credential:NAME`.
    package var passwordSource: String = ""
    package var lists: [SyncListSummary] = []

    package init() {}

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("id", &id)
        try fields.field("name", &name)
        try fields.field("url", &url)
        try fields.field("user", &user)
        try fields.field("principal", &principal)
        try fields.field("passwordSource", &passwordSource)
        try fields.field("lists", &lists)
    }
}
