import TestServers
import Testing

@testable import CalDAV

/// A client under test, a list that belongs to one test, and texts of tasks.
struct Subject {
    let client: CalDAVClient
    let home: DAVURL

    init(
        _ url: String, path: String = "", password: String = TestServer.password, options: HTTPOptions? = nil
    )
        throws
    {
        client = Self.client(password: password, options: options)
        home = try #require(DAVURL(url + path))
    }

    /// A client of a server that all tests share.
    init(_ kind: ServerKind) throws {
        try self.init(TestServer.shared(kind).homeURL)
    }

    static func client(
        password: String = TestServer.password, options: HTTPOptions? = nil, names: NameServer = .none
    ) -> CalDAVClient {
        CalDAVClient(
            http: HTTPClient(options ?? HTTPOptions(userAgent: "todod/test")),
            credentials: Credentials(user: TestServer.user, password: password), names: names)
    }

    func makeList(_ name: String = "Tasks") throws -> DAVURL {
        try client.makeList(named: name, in: home)
    }

    static func task(_ uid: String, _ summary: String = "Buy milk") -> String {
        """
        BEGIN:VCALENDAR\r
        VERSION:2.0\r
        PRODID:-//todod//test//EN\r
        BEGIN:VTODO\r
        UID:\(uid)\r
        DTSTAMP:20260101T000000Z\r
        SUMMARY:\(summary)\r
        END:VTODO\r
        END:VCALENDAR\r

        """
    }
}

extension NameServer {
    /// A name server that knows nothing.
    static let none = NameServer { _, _ in nil }
}

/// Returns the error that a call throws, or `nil` if it succeeds.
func failure(_ body: () throws -> Void) -> CalDAVError? {
    do {
        try body()
        return nil
    } catch {
        return error as? CalDAVError
    }
}
