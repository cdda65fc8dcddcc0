import TestServers
import Testing

@testable import CalDAV

/// The client with answers that a test prepares.
@Suite struct ReplyTests {
    let proxy: FaultProxy
    let list: DAVURL
    let client = Subject.client()

    init() throws {
        proxy = try FaultProxy()
        list = try #require(DAVURL(proxy.url + "ann/list/"))
    }

    private func error(_ body: String, _ element: String = "") -> String {
        """
        <?xml version="1.0"?><D:error xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"
         xmlns:s="http://sabredav.org/ns">\(element)\(body.isEmpty ? "" : "<s:message>\(body)</s:message>")</D:error>
        """
    }

    private func put(_ fault: Fault) throws -> CalDAVError? {
        try proxy.add(fault)
        return failure { _ = try client.put("text", at: list.appending("a.ics"), ifMatch: "\"e\"") }
    }

    private func redirect(to location: String, status: Int = 301, path: String? = nil, times: Int = 1)
        -> Fault
    {
        .reply(status, headers: ["Location": location], path: path, times: times)
    }

    @Test func comparisonOnSOGoContinuesOneSecondEarlier() throws {
        for (path, token) in [("SOGo/dav/ann/Calendar/list/", "1799999999"), ("ann/list/", "1800000000")] {
            let list = try #require(DAVURL(proxy.url + path))
            let body = """
                <?xml version="1.0"?><D:multistatus xmlns:D="DAV:"><D:response><D:href>/\(path)</D:href><D:propstat>
                <D:prop><D:sync-token>1800000000</D:sync-token></D:prop><D:status>HTTP/1.1 200 OK</D:status>
                </D:propstat></D:response></D:multistatus>
                """
            try proxy.add(.reply(207, body: body))
            let state = try client.state(of: list)
            #expect(state.syncToken == "1800000000" && state.tokenAfterListing == token)
        }
    }

    // MARK: - Refusals

    @Test func failedConditionDiffersFromRefusedText() throws {
        let item = list.appending("a.ics")
        #expect(try put(.reply(412)) == .preconditionFailed(item))
        #expect(try put(.reply(412, body: "Precondition failed")) == .preconditionFailed(item))
        // DAViCal names the header.
        #expect(try put(.reply(412, body: error("", "<D:if-match/>"))) == .preconditionFailed(item))
        #expect(
            try put(.reply(412, body: error("", "<C:valid-calendar-data/>")))
                == .refused(item, status: 412, element: "valid-calendar-data", text: nil))
        #expect(try put(.reply(412, body: error("", "<C:max-resource-size/>"))) == .itemTooLarge(item))
        #expect(
            try put(.reply(412, body: error("", "<C:no-uid-conflict/>"))) == .uidConflict(item, existing: nil)
        )
    }

    @Test func uidConflictNamesTheOtherItem() throws {
        let body = error("", "<C:no-uid-conflict><D:href>/ann/list/b.ics</D:href></C:no-uid-conflict>")
        for status in [403, 409, 412] {
            #expect(
                try put(.reply(status, body: body))
                    == .uidConflict(list.appending("a.ics"), existing: list.appending("b.ics")))
        }
        // https://github.com/nextcloud/server/issues/30096
        let text = "Calendar object with uid already exists in this calendar collection."
        #expect(
            try put(.reply(400, body: error(text)))
                == .uidConflict(list.appending("a.ics"), existing: nil))
    }

    @Test func everyStatusHasItsError() throws {
        let item = list.appending("a.ics")
        #expect(try put(.reply(401)) == .unauthorized(item))
        #expect(try put(.reply(403)) == .forbidden(item, precondition: nil))
        let readOnly = try put(.reply(403, body: error("", "<D:need-privileges/>")))
        #expect(readOnly == .forbidden(item, precondition: "need-privileges"))
        #expect(readOnly?.description.contains("read-only") == true)
        #expect(try put(.reply(404)) == .notFound(item))
        #expect(try put(.reply(413)) == .itemTooLarge(item))
        #expect(try put(.reply(429, headers: ["Retry-After": "7"])) == .throttled(item, seconds: 7))
        #expect(
            try put(.reply(503, headers: ["Retry-After": "999999999"]))
                == .server(item, status: 503, retryAfter: 86_400))
        #expect(
            try put(.reply(503, headers: ["Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"]))
                == .server(item, status: 503, retryAfter: 0))
        #expect(
            try put(.reply(503, headers: ["Retry-After": "soon"]))
                == .server(item, status: 503, retryAfter: nil))
        #expect(try put(.reply(500)) == .server(item, status: 500, retryAfter: nil))
        #expect(try put(.reply(507)) == .quotaExceeded(item))
        #expect(try put(.reply(403, body: error("", "<D:quota-not-exceeded/>"))) == .quotaExceeded(item))
        #expect(
            try put(.reply(400, headers: ["Content-Type": "text/plain"], body: "Bad\nrequest \u{1B}[31m"))
                == .refused(item, status: 400, element: nil, text: "Bad request [31m"))
        #expect(
            try put(.reply(400, headers: ["Content-Type": "text/html"], body: "<html><p>x</p></html>"))
                == .refused(item, status: 400, element: nil, text: nil))
        #expect(
            try put(.reply(418, body: error("I am a teapot")))
                == .refused(item, status: 418, element: nil, text: "I am a teapot"))
    }

    @Test func refusalInMultistatusIsFound() throws {
        func body(_ content: String) -> String {
            "<D:multistatus xmlns:D=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:caldav\"><D:response>"
                + "<D:href>/ann/list/a.ics</D:href>\(content)</D:response></D:multistatus>"
        }
        let item = list.appending("a.ics")
        let invalid = body(
            "<D:status>HTTP/1.1 412 x</D:status><D:error><C:valid-calendar-data/></D:error>"
                + "<D:responsedescription>not iCalendar</D:responsedescription>")
        #expect(
            try put(.reply(207, body: invalid))
                == .refused(item, status: 412, element: "valid-calendar-data", text: "not iCalendar"))
        let conflict = body("<D:status>HTTP/1.1 409 x</D:status><D:error><C:no-uid-conflict/></D:error>")
        #expect(try put(.reply(207, body: conflict)) == .uidConflict(item, existing: nil))
        #expect(
            try put(.reply(207, body: body("<D:status>HTTP/1.1 200 x</D:status>")))?.mayHaveSucceeded == true)
        #expect(try put(.reply(207, body: "x"))?.mayHaveSucceeded == true)
        try proxy.add(.reply(207, body: body("<D:status>HTTP/1.1 404 x</D:status>")))
        #expect(try !client.delete(item, ifMatch: "\"e\""))
    }

    @Test func onlyThreeStatusesMeanThatTextIsSaved() throws {
        let item = list.appending("a.ics")
        for status in [200, 201, 204] {
            try proxy.add(.reply(status, headers: ["ETag": "\"n\""]))
            #expect(try client.put("x", at: item, ifMatch: nil) == "\"n\"")
        }
        for status in [202, 203, 206, 302, 304, 600] {
            #expect(try put(.reply(status)) != nil, "\(status)")
        }
        try proxy.add(.reply(201, headers: ["ETag": "W/\"n\""]))
        #expect(try client.put("x", at: item, ifMatch: nil) == nil)
        try proxy.add(.reply(201))
        #expect(try client.put("x", at: item, ifMatch: nil) == nil)
    }

    @Test func requestsHaveTheConditionAndThePassword() throws {
        let item = list.appending("a.ics")
        for etag in ["\"e\"", "W/\"e-gzip\"", nil] {
            try proxy.add(.reply(204))
            _ = try client.put("naïve", at: item, ifMatch: etag)
        }
        let requests = try proxy.requests()
        #expect(requests.map { $0.headers["if-match"] } == ["\"e\"", "\"e\"", nil])
        #expect(requests.map { $0.headers["if-none-match"] } == [nil, nil, "*"])
        for request in requests {
            #expect(request.body == "naïve")
            #expect(request.headers["authorization"] == "Basic YW5uOnNlY3JldA==")
            #expect(request.headers["content-type"] == "text/calendar; charset=utf-8")
            #expect(request.headers["user-agent"] == "todod/test")
            #expect(request.headers["expect"] == nil)
        }
        let injected = failure { _ = try client.delete(item, ifMatch: "\"e\"\r\nX-Other: 1") }
        guard case .malformed? = injected else {
            Issue.record("\(String(describing: injected))")
            return
        }
        #expect(try proxy.requests().count == 3)
    }

    @Test func largeBodyIsSentAtOnce() throws {
        let text = String(repeating: "0123456789", count: 200_000)
        try proxy.add(.reply(201))
        _ = try client.put(text, at: list.appending("a.ics"), ifMatch: nil)
        #expect(try proxy.requests().first?.body == text)
    }

    // MARK: - Redirects

    @Test func redirectOfTheSameServerIsFollowed() throws {
        for status in [301, 302, 303, 307, 308] {
            try proxy.clear()
            try proxy.add(redirect(to: "/moved/a.ics", status: status, path: "/ann/"))
            try proxy.add(.reply(204, path: "/moved/"))
            _ = try client.put("text", at: list.appending("a.ics"), ifMatch: nil)
            let last = try #require(try proxy.requests().last)
            #expect(last.method == "PUT" && last.body == "text" && last.headers["if-none-match"] == "*")
        }
    }

    @Test func redirectToAnotherServerIsRefused() throws {
        let other = try FaultProxy()
        for target in [other.url, "https://127.0.0.1.example.org/", "//example.org/x"] {
            let error = try put(redirect(to: target))
            guard case .redirectedElsewhere(_, let place)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(place.description == (target.hasPrefix("//") ? "http:" + target : target))
        }
        #expect(try other.requests().isEmpty)
        for target in ["ftp://h/", "http://"] {
            let error = try put(redirect(to: target))
            guard case .malformed? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func endlessRedirectsEnd() throws {
        let error = try put(redirect(to: "/ann/list/a.ics", times: 100))
        guard case .malformed(_, reason: "more than 5 redirects")? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try proxy.requests().count == 6)
    }

    // MARK: - Limits

    @Test func answerThatExceedsItsLimitIsRefused() throws {
        var options = HTTPOptions(userAgent: "todod/test")
        (options.bodyBytesLimit, options.headBytesLimit) = (1_000, 2_000)
        let client = Subject.client(options: options)
        try proxy.add(.reply(200, body: String(repeating: "x", count: 1_001)))
        try proxy.add(.reply(200, headers: ["X": String(repeating: "x", count: 3_000)]))
        try proxy.add(.reply(200, body: "BEGIN:VCALENDAR" + String(repeating: "x", count: 985)))
        let item = list.appending("a.ics")
        #expect(failure { _ = try client.text(at: item) } == .answerTooLarge(item, limit: "1000 bytes"))
        #expect(
            failure { _ = try client.text(at: item) }
                == .answerTooLarge(item, limit: "2000 bytes in its head"))
        #expect(try client.text(at: item)?.text?.utf8.count == 1_000)
    }

    @Test func textsAreReadOneByOneIfTheyAreTooLargeTogether() throws {
        var options = HTTPOptions(userAgent: "todod/test")
        options.bodyBytesLimit = 1_000
        let client = Subject.client(options: options)
        try proxy.add(.reply(207, body: String(repeating: "x", count: 1_001), method: "REPORT", times: 9))
        try proxy.add(.reply(200, body: "BEGIN:VCALENDAR", method: "GET", path: "a"))
        try proxy.add(.reply(404, method: "GET", path: "b"))
        try proxy.add(.reply(403, method: "GET", path: "c"))
        let hrefs = ["a", "b", "c"].map { list.appending("\($0).ics") }
        let texts = try client.texts(hrefs, in: list)
        #expect(texts.found.map(\.href) == [hrefs[0]])
        #expect(texts.missing == [hrefs[1]])
        #expect(texts.failed == [.init(href: hrefs[2], error: .forbidden(hrefs[2], precondition: nil))])
    }

    @Test func changesAreReadWithoutTextsIfTheyAreTooLarge() throws {
        var options = HTTPOptions(userAgent: "todod/test")
        options.bodyBytesLimit = 2_000
        let client = Subject.client(options: options)
        try proxy.add(.reply(207, body: String(repeating: "x", count: 2_001)))
        try proxy.add(.reply(207, body: MultistatusFixtures.xandikos))
        #expect(try client.changes(in: list, since: "1").changed.count == 1)
        #expect(try proxy.requests().map { $0.body.contains("C:calendar-data") } == [true, false])
    }

    @Test func serverWithoutMultigetIsAskedForEachItem() throws {
        for status in [400, 403, 405, 415, 501] {
            try proxy.clear()
            try proxy.add(.reply(status, method: "REPORT"))
            try proxy.add(.reply(200, headers: ["ETag": "\"e\""], body: "BEGIN:VCALENDAR", method: "GET"))
            let texts = try client.texts([list.appending("a.ics")], in: list)
            #expect(texts.found.first?.etag == "\"e\"", "\(status)")
        }
    }

    @Test func requestsNeverHaveALimit() throws {
        try proxy.add(.reply(207, body: MultistatusFixtures.cyrus))
        _ = try client.changes(in: list, since: "a<&>\"\u{1}b")
        let request = try #require(try proxy.requests().first)
        #expect(!request.body.contains("limit") && !request.body.contains("nresults"))
        #expect(request.body.contains("<D:sync-token>a&lt;&amp;&gt;&quot;b</D:sync-token>"))
        #expect(request.headers["depth"] == "0")
    }

    // MARK: - Tokens

    @Test func tokenIsRefusedInSeveralWays() throws {
        for status in [403, 409, 412] {
            try proxy.add(.refusedToken(status: status))
            #expect(failure { _ = try client.changes(in: list, since: "t") } == .tokenExpired(list))
        }
        try proxy.add(.reply(500, times: 2))
        #expect(failure { _ = try client.changes(in: list, since: "t") } == .tokenExpired(list))
        #expect(
            failure { _ = try client.changes(in: list, since: nil) }
                == .server(list, status: 500, retryAfter: nil))
    }
}
