extension CalDAVError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .offline(let url, let reason):
            "cannot connect to \(url.root): \(reason)"
        case .answerLost(let url, let reason):
            "the connection to \(url) ended without a complete answer: \(reason)"
        case .certificate(let url, let reason):
            "cannot connect to \(url.root): \(reason)"
        case .unauthorized(let url):
            "\(url) refused the user name or the password; "
                + "correct them, or make an app password if the provider requires one"
        case .forbidden(let url, let precondition): Self.forbidden(url, precondition)
        case .notFound(let url):
            "there is nothing at \(url); check the URL, or whether the list was deleted on the server"
        case .preconditionFailed(let url):
            "\(url) was changed on the server at the same time; it has to be read again"
        case .refused(let url, let status, let element, let text):
            Self.refused(url, status: status, element: element, text: text)
        case .uidConflict(let url, let existing):
            "\(url) was refused because another item has the same UID\(existing.map { ": \($0)" } ?? "")"
        case .throttled(let url, let seconds):
            "\(url) accepts no more requests for now\(Self.wait(seconds))"
        case .server(let url, let status, let seconds):
            "the server at \(url) failed with status \(status)\(Self.wait(seconds))"
        case .itemTooLarge(let url):
            "\(url) was refused because the item is too large; shorten its notes or remove attachments"
        case .answerTooLarge(let url, let limit):
            "the answer of \(url) has more than \(limit)"
        case .malformed(let url, let reason):
            "the answer of \(url) does not follow the CalDAV protocol: \(reason)"
        case .redirectedElsewhere(let url, let target):
            "\(url) names another server, \(target); if you trust it, use that URL for the account"
        case .notCalDAV(let url, let reason):
            "\(url) is not a CalDAV URL: \(reason); ask the provider for the CalDAV URL of the account"
        case .badAddress(let text):
            "'\(text)' is not an address of a CalDAV server; "
                + "use a URL such as https://example.org/dav/, a host or a mail address"
        case .noTaskLists(let url):
            "the account at \(url) has no list for tasks; create one on the server"
        case .notForTasks(let url):
            "the list at \(url) does not accept tasks; use the URL of the account or of a list for tasks"
        case .quotaExceeded(let url):
            "\(url) was not saved because your space on the server is used up; "
                + "delete something on the server"
        case .tokenExpired(let url):
            "\(url) no longer knows the state of the last synchronization; the whole list has to be compared"
        }
    }

    private static func forbidden(_ url: DAVURL, _ precondition: String?) -> String {
        if precondition == "need-privileges" {
            return "you may not change \(url); the list is read-only for this account"
        }
        return "the server does not allow this for \(url)\(precondition.map { " (\($0))" } ?? ""); "
            + "check the permissions of the account"
    }

    private static func refused(_ url: DAVURL, status: Int, element: String?, text: String?) -> String {
        let details = [element, text].compactMap { $0 }.joined(separator: ": ")
        return "\(url) was refused with status \(status)\(details.isEmpty ? "" : " (\(details))")"
    }

    private static func wait(_ seconds: Int?) -> String {
        seconds.map { "; the next attempt is in \($0) seconds at the earliest" } ?? "; try again later"
    }
}
