import TestServers
import Testing

@testable import CalDAV

/// The search for lists, and the creation of a list, with answers that a test prepares.
@Suite struct DiscoveryTests {
    let proxy: FaultProxy
    let list: DAVURL
    let client = Subject.client()

    init() throws {
        proxy = try FaultProxy()
        list = try #require(DAVURL(proxy.url + "ann/list/"))
    }

    @Test func webPageIsNotAnAccount() throws {
        try proxy.add(
            .reply(200, headers: ["Content-Type": "text/html"], body: "<html></html>", times: 9))
        let error = failure { _ = try client.discover(list.description) }
        #expect(error == .notCalDAV(list, reason: "it answers with a web page"))
        try proxy.clear()
        try proxy.add(.reply(404, times: 9))
        #expect(
            failure { _ = try client.discover(list.description) }
                == .notCalDAV(list, reason: "there is nothing at this URL"))
        try proxy.clear()
        try proxy.add(.reply(405, times: 9))
        #expect(
            failure { _ = try client.discover(proxy.url) }?.description.contains("refuses the method") == true
        )
    }

    @Test func accountWithoutTaskListsIsReported() throws {
        func collection(_ path: String, _ properties: String) -> String {
            "<D:response><D:href>\(path)</D:href><D:propstat><D:prop>\(properties)</D:prop>"
                + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
        }
        func document(_ rows: String...) -> String {
            "<D:multistatus xmlns:D=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:caldav\">\(rows.joined())"
                + "</D:multistatus>"
        }
        func calendar(_ component: String) -> String {
            "<D:resourcetype><D:collection/><C:calendar/></D:resourcetype><C:supported-calendar-component-set>"
                + "<C:comp name=\"\(component)\"/></C:supported-calendar-component-set>"
        }
        let start = document(
            collection("/", "<D:current-user-principal><D:href>/p/</D:href></D:current-user-principal>"))
        let principal = document(
            collection("/p/", "<C:calendar-home-set><D:href>/h/</D:href></C:calendar-home-set>"))
        let home = document(collection("/h/", ""), collection("/h/events/", calendar("VEVENT")))
        for body in [start, principal, home] { try proxy.add(.reply(207, body: body)) }
        let found = try client.discover(proxy.url)
        #expect(found.lists.map(\.acceptsTasks) == [false])
        let error = failure { _ = try found.taskLists() }
        #expect(error == .noTaskLists(try #require(DAVURL(proxy.url + "h/"))))
        #expect(found.otherLists.map(\.name) == ["events"])

        // A home on another server does not get the password.
        let away = principal.replacing("/h/", with: "https://example.org/h/")
        for body in [start, away] { try proxy.add(.reply(207, body: body)) }
        guard case .redirectedElsewhere? = failure({ _ = try client.discover(proxy.url) }) else {
            Issue.record("accepted")
            return
        }
    }

    @Test(arguments: [
        "", " ", "not an address", "ftp://example.org/", "http://", "@",
    ])
    func otherTextIsNoAddress(typed: String) {
        #expect(failure { _ = try client.discover(typed) } == .badAddress(typed))
    }

    // MARK: - Lists

    @Test func listIsMadeWithTheOtherMethod() throws {
        try proxy.add(.reply(405, method: "MKCALENDAR"))
        try proxy.add(.reply(201, method: "MKCOL"))
        let made = try client.makeList(named: "Zu Hause & <mehr>", in: list)
        #expect(made.path.hasPrefix("/ann/list/zu-hause-mehr-") && made.path.hasSuffix("/"))
        let request = try #require(try proxy.requests().last)
        #expect(request.path == made.path)
        #expect(request.body.contains("<D:displayname>Zu Hause &amp; &lt;mehr&gt;</D:displayname>"))
        #expect(request.body.contains("<C:comp name=\"VTODO\"/>"))
        try proxy.add(.reply(201))
        #expect(try client.makeList(named: "日本", in: list).name.allSatisfy(\.isHexDigit))
    }
}
