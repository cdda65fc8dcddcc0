package import CivilTime

/// The present work of the program for an account.
package struct SyncAccountState: NamedBody, Hashable {
    package static let varlinkType = "AccountState"

    package enum State: String, FieldChoice {
        case idle, syncing
        /// The network or the server cannot be reached.
        case offline
        /// The server refuses the account, or a list of it failed.
        case failed
    }

    package var name: String = ""
    package var state: State = .idle
    package var problem: String?
    /// The end of the last pass without a failure, or `nil` if the program has run none yet.
    package var lastSync: Timestamp?
    package var nextSync: Timestamp?

    package init() {}

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("name", &name)
        try fields.field("state", &state)
        try fields.field("problem", &problem)
        try fields.field("lastSync", &lastSync)
        try fields.field("nextSync", &nextSync)
    }
}
