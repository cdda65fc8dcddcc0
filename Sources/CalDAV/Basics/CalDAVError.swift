/// A request that did not succeed: the reason, and the URL of the request.
///
/// The description says what happened, to which URL, and what the user can do.
package enum CalDAVError: Error, Equatable, Sendable {
    /// The server could not be reached. The request was not sent.
    case offline(DAVURL, reason: String)
    /// The connection ended, or the time was over, after the request was sent. The server may have carried it out.
    case answerLost(DAVURL, reason: String)
    /// The server's certificate is not valid, or the connection could not be encrypted.
    case certificate(DAVURL, reason: String)
    /// The server refused the user name and the password, or none was given.
    case unauthorized(DAVURL)
    /// The user may not do this. `precondition` is the element that the server gave, such as `need-privileges`.
    case forbidden(DAVURL, precondition: String?)
    /// There is nothing at the URL.
    case notFound(DAVURL)
    /// The item on the server is not the version of `If-Match`, or exists in spite of `If-None-Match`.
    case preconditionFailed(DAVURL)
    /// The server does not accept the request or the text. Another attempt would not help.
    ///
    /// `element` is the name of the precondition, such as `valid-calendar-data`, and `text` the server's explanation.
    case refused(DAVURL, status: Int, element: String?, text: String?)
    /// Another item has the same UID, at `existing` if the server says so.
    case uidConflict(DAVURL, existing: DAVURL?)
    /// The server wants fewer requests, and the next one after that many seconds.
    case throttled(DAVURL, seconds: Int?)
    /// The server failed or is not available. The same request may succeed later.
    case server(DAVURL, status: Int, retryAfter: Int?)
    /// The server does not accept an item of this size.
    case itemTooLarge(DAVURL)
    /// The answer exceeds the limit, in bytes or in rows.
    case answerTooLarge(DAVURL, limit: String)
    /// The answer does not follow the protocol.
    case malformed(DAVURL, reason: String)
    /// The server names another server, to which no password is sent unless the user gives its URL.
    case redirectedElsewhere(DAVURL, target: DAVURL)
    /// The URL does not belong to a CalDAV account.
    case notCalDAV(DAVURL, reason: String)
    /// The text is neither a URL, nor a host, nor a mail address.
    case badAddress(String)
    /// The account has no list that accepts tasks.
    case noTaskLists(DAVURL)
    /// The typed URL is that of a list that does not accept tasks.
    case notForTasks(DAVURL)
    /// The user's space on the server is used up.
    case quotaExceeded(DAVURL)
    /// The server does not know the sync token any more. All entries have to be compared.
    case tokenExpired(DAVURL)
}

extension CalDAVError {
    /// Whether the same request may succeed later without a change by the user.
    package var isTemporary: Bool {
        switch self {
        case .offline, .answerLost, .throttled, .server: true
        default: false
        }
    }

    /// The time that the server wants to pass before the next request, or `nil` if it named none.
    package var retryAfterSeconds: Int? {
        switch self {
        case .throttled(_, let seconds), .server(_, _, let seconds): seconds
        default: nil
        }
    }

    /// Whether the server may have carried out the request although it failed.
    package var mayHaveSucceeded: Bool {
        switch self {
        case .answerLost, .server, .malformed, .answerTooLarge: true
        default: false
        }
    }

    /// Whether other items of the list may be readable.
    package var isAboutOneItem: Bool {
        switch self {
        case .forbidden, .notFound, .refused, .malformed, .answerTooLarge, .preconditionFailed, .notCalDAV,
            .uidConflict, .itemTooLarge:
            true
        case .server(_, let status, _): status == 500 || status == 501
        default: false
        }
    }
}
