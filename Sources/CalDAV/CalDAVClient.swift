/// A client of one CalDAV account. Every call blocks until the server has answered.
///
/// The password is sent to the server whose URL is passed to a call. During discovery it is also sent to
/// encrypted servers of the same domain that the DNS or the first server names.
package struct CalDAVClient {
    let http: HTTPClient
    let credentials: Credentials?
    let names: NameServer

    package init(http: HTTPClient, credentials: Credentials?) {
        self.init(http: http, credentials: credentials, names: .system)
    }

    init(http: HTTPClient, credentials: Credentials?, names: NameServer) {
        (self.http, self.credentials, self.names) = (http, credentials, names)
    }

    /// Finds the lists of an account.
    ///
    /// - Parameter typed: a host, a mail address, or the URL of a server, a principal, a home or a list. Without a scheme, the
    ///   connection is encrypted, except to this machine.
    /// - Throws: `badAddress` if it is none of them, `notCalDAV` if there is no account, `redirectedElsewhere` if the account is on a
    ///   server that is not of the same domain.
    package func discover(_ typed: String) throws(CalDAVError) -> Discovery {
        guard let address = TypedAddress(typed) else { throw .badAddress(typed) }
        let search = DiscoverySearch(address, http: http, credentials: credentials, names: names)
        return try search.run()
    }

    /// Returns all lists in the homes of an account, including those that do not accept tasks.
    package func lists(in homes: [DAVURL]) throws(CalDAVError) -> [RemoteList] {
        guard let first = homes.first else { return [] }
        var connection = connection(to: first)
        for home in homes { connection.trusted.add(home) }
        return try RemoteListReader.lists(in: homes, connection)
    }

    /// Reads the state of a list in one small request.
    ///
    /// - Throws: `notFound` if there is no list at the URL.
    package func state(of list: DAVURL) throws(CalDAVError) -> ListState {
        let properties = [
            "D:displayname", "D:sync-token", "D:supported-report-set", "D:current-user-privilege-set",
            "D:current-user-principal", "S:getctag",
        ]
        let (rows, url) = try connection(to: list).propfind(list, depth: 0, properties)
        guard let row = rows.first else { throw .malformed(url, reason: "it has no row for the list") }
        if let status = row.status, status >= 300 { throw Refusal(row, status: status, of: list).error }
        let reports = row.property("D:supported-report-set")?.children("D:supported-report") ?? []
        // An old version of Xandikos leaves out the element between the two.
        let supportsSync = reports.contains {
            ($0.child("D:report") ?? $0).child("D:sync-collection") != nil
        }
        let token = row.text("D:sync-token")
        return ListState(
            ctag: row.text("S:getctag"), syncToken: token,
            tokenAfterListing: list.isOfSOGo ? token.flatMap(Self.tokenOfSOGo(before:)) : nil,
            supportsSyncCollection: supportsSync, isReadOnly: row.isReadOnly,
            principal: row.urls("D:current-user-principal").first, displayName: row.text("D:displayname"))
    }

    /// Returns the token of SOGo before another one. A token is a second, in which more changes can follow.
    private static func tokenOfSOGo(before token: String) -> String? { Int64(token).map { String($0 - 1) } }

    func connection(to url: DAVURL) -> DAVConnection {
        DAVConnection(http: http, credentials: credentials, trusted: TrustedServers(url))
    }
}
