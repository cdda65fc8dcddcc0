import Testing

@testable import CalDAV

@Suite struct MultistatusTests {
    static let list = MultistatusFixtures.url

    private func page(_ body: String, since token: String? = nil) throws -> ChangePage {
        let list = try #require(Self.list)
        return try ChangePage(try #require(MultistatusFixtures.answer(body)), of: list, since: token)
    }

    private func rows(_ body: String) throws -> [MultistatusRow] {
        var rows: [MultistatusRow] = []
        _ = try Multistatus.read(try #require(MultistatusFixtures.answer(body))) { rows.append($0) }
        return rows
    }

    private func document(_ content: String) -> String {
        "<D:multistatus xmlns:D=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:caldav\">\(content)</D:multistatus>"
    }

    @Test(arguments: MultistatusFixtures.all)
    func changesOfEveryServerAreRead(body: String) throws {
        let list = try #require(Self.list)
        let page = try page(body)
        #expect(page.changed.map(\.href) == [list.appending("a@b.ics")])
        #expect(page.changed.first?.etag == "\"e1\"")
        #expect(page.deleted == [list.appending("gone.ics")])
        #expect(page.token.contains("5f"))
        #expect(page.hasMore == body.contains(" 507 "))
        if let text = page.changed.first?.text {
            #expect(
                text.replacing("\r\n", with: "\n")
                    == "BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:a & b\nEND:VTODO\nEND:VCALENDAR\n")
        } else {
            #expect(!body.contains("BEGIN:VCALENDAR"))
        }
    }

    @Test(arguments: MultistatusFixtures.all)
    func documentThatEndsEarlyIsRefused(body: String) throws {
        let bytes = Array(body.utf8)
        let list = try #require(Self.list)
        for count in bytes.indices {
            let answer = HTTPResponse(url: list, status: 207, headers: [], body: Array(bytes[..<count]))
            let error = failure { _ = try ChangePage(answer, of: list, since: nil) }
            guard case .malformed = error else {
                Issue.record("\(count) bytes: \(String(describing: error))")
                return
            }
        }
    }

    @Test func textsAndTokensOfServersStayAsTheyAre() throws {
        #expect(try page(MultistatusFixtures.iCloud).token == "FT=-@RU=5f&S=1")
        let page = try page(
            document(
                "<D:response><D:href>a</D:href><D:propstat><D:prop><D:getetag>W/\"x-gzip\"</D:getetag>"
                    + "<C:calendar-data>a&#13;\nb</C:calendar-data></D:prop><D:status>HTTP/1.1 200 OK</D:status>"
                    + "</D:propstat></D:response><D:sync-token> t </D:sync-token>"))
        #expect(page.changed.first?.etag == "W/\"x-gzip\"")
        #expect(page.changed.first?.text == "a\r\nb")
        #expect(page.token == "t")
    }

    @Test(arguments: [
        "", " ", "<", "garbage", "<D:multistatus/>", "<multistatus/>", "<html><body/></html>",
        "<D:x xmlns:D=\"DAV:\"/>",
    ])
    func otherDocumentIsRefused(body: String) {
        guard case .malformed? = failure({ _ = try page(body) }) else {
            Issue.record("accepted")
            return
        }
    }

    @Test(arguments: [
        "<D:response/>", "<D:response><D:href/></D:response>", "<D:response><D:href>a</D:href></D:response>",
        "<D:response><D:status>HTTP/1.1 200 OK</D:status></D:response>",
        "<D:response><D:href>a</D:href><D:status>OK</D:status></D:response>",
        "<D:response><D:href>a</D:href><D:status>HTTP/1.1 99999999999999999999 OK</D:status></D:response>",
        "<D:response><D:href>a</D:href><D:status>HTTP/1.1 -1 OK</D:status></D:response>",
        "<D:response><D:href>a</D:href><D:propstat><D:prop/></D:propstat></D:response>",
        "<D:response><D:href>ftp://h/a</D:href><D:status>HTTP/1.1 404 x</D:status></D:response>",
        "<D:response><D:href>https://other/a</D:href><D:status>HTTP/1.1 404 x</D:status></D:response>",
        "<D:response><D:href>//ann/a</D:href><D:status>HTTP/1.1 200 x</D:status></D:response>",
    ])
    func malformedRowIsRefused(row: String) {
        guard case .malformed? = failure({ _ = try page(document(row + "<D:sync-token>5f</D:sync-token>")) })
        else {
            Issue.record("accepted")
            return
        }
    }

    @Test func pageWithoutTokenOrProgressIsRefused() throws {
        #expect(throws: CalDAVError.self) { try page(document("")) }
        #expect(throws: CalDAVError.self) { try page(MultistatusFixtures.cyrus, since: "5f") }
        #expect(try page(MultistatusFixtures.cyrus, since: "5e").hasMore)
        #expect(try !page(MultistatusFixtures.radicale, since: "http://radicale.org/ns/sync/5f").hasMore)
    }

    @Test func itemThatTheServerCannotReadIsReportedWithoutEtag() throws {
        let page = try page(
            document(
                "<D:response><D:href>a</D:href><D:status>HTTP/1.1 500 x</D:status></D:response>"
                    + "<D:sync-token>5f</D:sync-token>"))
        #expect(page.changed == [RemoteItem(href: try #require(Self.list).appending("a"), etag: nil)])
    }

    @Test func rowForSeveralURLsIsReadForEach() throws {
        let rows = try rows(
            document(
                "<D:response><D:href>a</D:href><D:href>b</D:href><D:status>HTTP/1.1 404 x</D:status>"
                    + "<D:responsedescription>no\n  such item</D:responsedescription></D:response>"))
        #expect(rows.map(\.href.name) == ["a", "b"])
        #expect(rows.map(\.status) == [404, 404])
        #expect(rows.first?.precondition.text == "no such item")
    }

    @Test func listingWithoutTheListIsIncomplete() throws {
        let list = try #require(Self.list)
        var listing = ItemListing()
        for row in try rows(MultistatusFixtures.xandikos) { try listing.add(row, of: list) }
        #expect(!listing.hasList)
        #expect(listing.items.map(\.href) == [list.appending("a@b.ics")])
    }

    @Test func privilegesDecideWhetherListIsReadOnly() throws {
        func isReadOnly(_ privileges: String...) throws -> Bool {
            let set = privileges.map { "<D:privilege><\($0)/></D:privilege>" }.joined()
            let property = "<D:current-user-privilege-set>\(set)</D:current-user-privilege-set>"
            let row =
                "<D:response><D:href>a</D:href><D:propstat><D:prop>\(property)</D:prop>"
                + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
            return try #require(try rows(document(row)).first).isReadOnly
        }
        #expect(try isReadOnly("D:read"))
        #expect(try isReadOnly("D:read", "C:read-free-busy", "D:write-properties"))
        #expect(try !isReadOnly("D:read", "D:write-content"))
        #expect(try !isReadOnly("D:bind"))
        #expect(try !isReadOnly("D:all"))
        #expect(try !isReadOnly())
    }

    // MARK: - Hostile documents

    @Test func deepDocumentIsRefused() {
        let deep = String(repeating: "<D:x>", count: 100_000)
        let open = document("<D:response>" + deep).replacing("</D:multistatus>", with: "")
        let complete = document(deep + String(repeating: "</D:x>", count: 100_000))
        for body in [open, complete] {
            guard case .malformed(_, let reason)? = failure({ _ = try page(body) }) else {
                Issue.record("accepted")
                return
            }
            #expect(reason.contains("nested"))
        }
    }

    @Test func documentTypeIsRefused() {
        let bomb = """
            <!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
            <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>
            """
        let external = "<!DOCTYPE x SYSTEM \"file:///etc/passwd\">"
        for type in [bomb, external, "<!DOCTYPE x>"] {
            let body = type + document("<D:sync-token>&c;</D:sync-token>")
            guard case .malformed(_, let reason)? = failure({ _ = try page(body) }) else {
                Issue.record("accepted")
                return
            }
            #expect(reason == "it has a document type")
        }
        guard case .malformed? = failure({ _ = try page(document("<D:sync-token>&c;</D:sync-token>")) })
        else {
            Issue.record("accepted")
            return
        }
    }

    @Test func manyElementsInOneRowAreRefused() {
        let body = document("<D:response>" + String(repeating: "<D:x/>", count: 20_000) + "</D:response>")
        guard case .malformed(_, let reason)? = failure({ _ = try page(body) }) else {
            Issue.record("accepted")
            return
        }
        #expect(reason == "a part has too many elements")
    }

    @Test func largeTextIsRead() throws {
        let text = String(repeating: "0123456789", count: 1_050_000)
        for content in [text, "<![CDATA[\(text)]]>"] {
            let page = try page(
                document(
                    "<D:response><D:href>a</D:href><D:propstat><D:prop><C:calendar-data>\(content)</C:calendar-data>"
                        + "</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
                        + "<D:sync-token>5f</D:sync-token>"))
            #expect(page.changed.first?.text == text)
        }
    }

    @Test func manyAttributesInOneTagAreRefused() {
        let attributes = (0..<100_000).map { " a\($0)=''" }.joined()
        for first in ["", " b='>'", " b=\">\""] {
            let refused = failure { _ = try page(document("<D:x\(first)\(attributes)/>")) }
            #expect(refused?.description.contains("a tag is too long") == true)
        }
        // The same text is harmless where it is no tag.
        for text in ["<![CDATA[<\(attributes)]]>", "<!--<\(attributes)-->", "<?x <\(attributes)?>"] {
            let accepted = failure { _ = try page(document(text + "<D:sync-token>5f</D:sync-token>")) }
            #expect(accepted == nil)
        }
    }

    @Test func manyRowsAreRefused() throws {
        let row = "<D:response><D:href>a</D:href><D:status>HTTP/1.1 404 x</D:status></D:response>"
        let answer = try #require(MultistatusFixtures.answer(document(String(repeating: row, count: 11))))
        #expect(failure { _ = try Multistatus.read(answer, rowsLimit: 11) { _ in } } == nil)
        let error = failure { _ = try Multistatus.read(answer, rowsLimit: 10) { _ in } }
        #expect(error == .answerTooLarge(answer.url, limit: "10 rows"))
    }

    @Test func bytesThatAreNotUTF8AreRefused() throws {
        let list = try #require(Self.list)
        var body = Array(document("<D:sync-token>x</D:sync-token>").utf8)
        if let index = body.firstIndex(of: UInt8(ascii: "x")) { body[index] = 0xFF }
        body.append(0)
        let answer = HTTPResponse(url: list, status: 207, headers: [], body: body)
        guard case .malformed? = failure({ _ = try ChangePage(answer, of: list, since: nil) }) else {
            Issue.record("accepted")
            return
        }
    }
}
