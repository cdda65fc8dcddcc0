/// The search for the lists of an account (RFC 6764, section 6).
struct DiscoverySearch {
    /// DAViCal fails if it is asked for the token of a resource that is no list.
    private static let properties =
        ["D:current-user-principal", "C:calendar-home-set"]
        + RemoteListReader.properties.filter { $0 != "D:sync-token" }

    /// The number of servers of the DNS that are asked.
    private static let serversLimit = 4

    private let connection: DAVConnection
    private let names: NameServer
    private let typed: TypedAddress

    init(_ typed: TypedAddress, http: HTTPClient, credentials: Credentials?, names: NameServer) {
        (self.typed, self.names) = (typed, names)
        var trusted = TrustedServers(typed.urls[0])
        trusted.addDomain(typed.domain ?? typed.urls[0].host)
        connection = DAVConnection(http: http, credentials: credentials, trusted: trusted)
    }

    func run() throws(CalDAVError) -> Discovery {
        var failures: [CalDAVError] = []
        for url in try servicesInDNS() + typed.urls {
            do {
                return try discovery(from: url)
            } catch {
                if !Self.mayBeElsewhere(error) { throw error }
                failures.append(error)
            }
        }
        throw Self.mostUseful(failures) ?? .notCalDAV(typed.urls[0], reason: "nothing was found there")
    }

    /// Returns the URLs that the DNS gives for the domain.
    ///
    /// - Throws: `redirectedElsewhere` if it names a server of another domain, because an answer of the DNS can be forged.
    private func servicesInDNS() throws(CalDAVError) -> [DAVURL] {
        guard let domain = typed.domain else { return [] }
        let servers = names.servers(of: domain)
        guard !servers.isEmpty else { return [] }
        let path = names.path(of: domain)
        let urls = servers.prefix(Self.serversLimit).compactMap {
            DAVURL("https://\($0.host):\($0.port)\(path ?? "/.well-known/caldav")")
        }
        let trusted = urls.filter(connection.trusted.include)
        if trusted.isEmpty, let other = urls.first {
            throw .redirectedElsewhere(typed.urls[0], target: other)
        }
        return trusted
    }

    private func discovery(from start: DAVURL) throws(CalDAVError) -> Discovery {
        let (row, url) = try row(start)
        let typedList = row.isCalendar ? RemoteListReader.list(row) : nil
        var principal = row.urls("D:current-user-principal").first
        var homes = row.urls("C:calendar-home-set")
        if homes.isEmpty, let principal {
            try connection.requireTrust(in: principal, namedBy: url)
            homes = try self.row(principal).row.urls("C:calendar-home-set")
        } else if !homes.isEmpty, principal == nil {
            principal = row.href
        }
        // A home can be typed where the server names none.
        let isGuess = homes.isEmpty && typedList == nil
        if isGuess { homes = [url] }
        for home in homes { try connection.requireTrust(in: home, namedBy: url) }
        var lists = try RemoteListReader.lists(in: homes, connection)
        if lists.isEmpty, isGuess { throw .notCalDAV(url, reason: "it names no place for lists") }
        if let typedList, !lists.contains(where: { $0.url.isSameResource(as: typedList.url) }) {
            lists.append(typedList)
        }
        return Discovery(
            principal: principal, homes: homes, lists: lists,
            typedList: typedList.map { list in
                lists.first { $0.url.isSameResource(as: list.url) }?.url ?? list.url
            })
    }

    private func row(_ url: DAVURL) throws(CalDAVError) -> (row: MultistatusRow, url: DAVURL) {
        let (rows, answering) = try connection.propfind(url, depth: 0, Self.properties)
        guard let row = rows.first else { throw .notCalDAV(answering, reason: "its answer is empty") }
        if let status = row.status, status >= 300 { throw Refusal(row, status: status, of: answering).error }
        if row.property("D:current-user-principal")?.child("D:unauthenticated") != nil {
            throw .unauthorized(answering)
        }
        return (row, answering)
    }

    /// Whether the account may be at another URL.
    private static func mayBeElsewhere(_ error: CalDAVError) -> Bool {
        switch error {
        case .unauthorized, .certificate, .redirectedElsewhere, .throttled: false
        default: true
        }
    }

    /// Returns the failure that helps the user most: one that says more than that there is nothing at the URL.
    private static func mostUseful(_ failures: [CalDAVError]) -> CalDAVError? {
        let specific = failures.first { failure in
            switch failure {
            case .notFound, .notCalDAV, .refused, .forbidden: false
            default: true
            }
        }
        if let specific { return specific }
        guard let first = failures.first else { return nil }
        if case .notFound(let url) = first {
            return failures.first { if case .notCalDAV = $0 { true } else { false } }
                ?? .notCalDAV(url, reason: "there is nothing at this URL")
        }
        return first
    }
}
