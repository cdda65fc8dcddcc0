internal import CalDAV

/// Makes clients of servers.
package protocol ServerConnector: Sendable {
    /// Returns a client for one account. It is used on one queue at a time.
    ///
    /// - Parameter caFile: the file with the certificates of the trusted authorities, or `nil` for those of the system.
    func server(user: String?, password: String?, caFile: String?) -> any TaskServer
}

/// Makes clients that use CalDAV.
package struct CalDAVConnector: ServerConnector {
    private let userAgent: String

    package init(userAgent: String) { self.userAgent = userAgent }

    package func server(user: String?, password: String?, caFile: String?) -> any TaskServer {
        let credentials = user.map { Credentials(user: $0, password: password ?? "") }
        let client = HTTPClient(HTTPOptions(userAgent: userAgent, caFile: caFile))
        return CalDAVClient(http: client, credentials: credentials)
    }
}
