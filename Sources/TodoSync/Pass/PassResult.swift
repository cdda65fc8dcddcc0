/// The result of a pass over the lists of an account.
package struct PassResult: Sendable {
    /// The number of tasks read from the server.
    package var received = 0
    /// The number of changes that the server has accepted.
    package var sent = 0
    /// The reasons why lists or items could not be synchronized, for people.
    package var problems: [String] = []
    /// The reasons why both sides still differ, although no list has a problem.
    package var differences: [String] = []
    /// The reason why the account as a whole could not be synchronized, or `nil` if at least one list could.
    package var failure: PassFailure?

    package init() {}
}

/// The reason why an account could not be synchronized.
package struct PassFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// The server cannot be reached.
        case offline
        /// The server refuses the user name or the password.
        case unauthorized
        /// todod does not answer.
        case noDaemon
        /// Another attempt may succeed.
        case temporary
        /// The account was removed.
        case removed
    }

    package let kind: Kind
    package let description: String
    /// The time that the server wants to pass before the next request, or `nil`.
    package let retryAfterSeconds: Int?

    package init(_ kind: Kind, _ description: String, retryAfterSeconds: Int? = nil) {
        self.kind = kind
        self.description = description
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// The progress of a list during a pass.
package struct PassProgress: Sendable {
    package let account: String
    package let list: String
    package let received: Int
    package let sent: Int
}
