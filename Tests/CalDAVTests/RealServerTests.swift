import TestServers
import Testing

@testable import CalDAV

/// The client with Radicale and Xandikos, each in two versions.
@Suite struct RealServerTests {
    @Test(arguments: ServerKind.allCases)
    func accountIsFoundFromEveryURL(kind: ServerKind) throws {
        let server = try TestServer.shared(kind)
        let subject = try Subject(kind)
        let list = try subject.makeList("Chores & \"more\" <ü>")
        let urls = [
            "127.0.0.1:\(server.port)", server.url, "ann@127.0.0.1:\(server.port)", server.url + "ann/",
            server.homeURL, server.url + "no/such/path/", list.description,
        ]
        for url in urls {
            let found = try subject.client.discover(url)
            #expect(found.principal == DAVURL(server.url + "ann/"), "\(url)")
            #expect(found.homes == [subject.home], "\(url)")
            let remote = try #require(found.lists.first { $0.url == list }, "\(url)")
            #expect(remote.name == "Chores & \"more\" <ü>")
            #expect(remote.acceptsTasks && !remote.isReadOnly)
            #expect(found.typedList == (url == list.description ? list : nil), "\(url)")
        }
    }

    @Test(arguments: ServerKind.allCases)
    func itemIsWrittenReadAndDeleted(kind: ServerKind) throws {
        let subject = try Subject(kind)
        let list = try subject.makeList()
        let item = list.appending("a b@c.ics")
        let first = try #require(try subject.client.put(Subject.task("1"), at: item, ifMatch: nil))
        let read = try #require(try subject.client.text(at: item))
        #expect(read.etag == first)
        #expect(read.text?.contains("SUMMARY:Buy milk\r\n") == true)

        let second = try #require(
            try subject.client.put(Subject.task("1", "Buy tea"), at: item, ifMatch: first))
        #expect(second != first)
        #expect(try subject.client.text(at: item)?.text?.contains("Buy tea") == true)

        // A proxy that compresses changes the etag that the client has seen.
        let third = try subject.client.put(
            Subject.task("1", "Buy jam"), at: item, ifMatch: "W/" + second.dropLast() + "-gzip\"")
        let error = failure {
            _ = try subject.client.delete(item, ifMatch: second)
        }
        #expect(error == .preconditionFailed(item))
        #expect(try subject.client.delete(item, ifMatch: try #require(third)))
        #expect(try !subject.client.delete(item, ifMatch: try #require(third)))
        #expect(try subject.client.text(at: item) == nil)
    }

    @Test(arguments: ServerKind.allCases)
    func conditionsOfWritesAreChecked(kind: ServerKind) throws {
        let subject = try Subject(kind)
        let list = try subject.makeList()
        let (item, other) = (list.appending("1.ics"), list.appending("2.ics"))
        _ = try subject.client.put(Subject.task("1"), at: item, ifMatch: nil)
        func put(_ text: String, _ url: DAVURL, _ etag: String?) -> CalDAVError? {
            failure { _ = try subject.client.put(text, at: url, ifMatch: etag) }
        }
        #expect(put(Subject.task("1", "x"), item, nil) == .preconditionFailed(item))
        #expect(put(Subject.task("1", "x"), item, "\"stale\"") == .preconditionFailed(item))
        #expect(put(Subject.task("2"), other, "\"stale\"") == .preconditionFailed(other))
        guard case .uidConflict(other, _) = put(Subject.task("1", "twin"), other, nil) else {
            Issue.record("\(String(describing: put(Subject.task("1", "twin"), other, nil)))")
            return
        }
        guard case .refused = put("no iCalendar text", other, nil) else {
            Issue.record("\(String(describing: put("no iCalendar text", other, nil)))")
            return
        }
        #expect(try subject.client.text(at: other) == nil)
    }

    @Test(arguments: ServerKind.allCases)
    func changesAreReported(kind: ServerKind) throws {
        let subject = try Subject(kind)
        let list = try subject.makeList()
        let urls = (1...4).map { list.appending("item \($0).ics") }
        for (index, url) in urls.enumerated() {
            _ = try subject.client.put(Subject.task("\(index)"), at: url, ifMatch: nil)
        }
        let all = try subject.client.changes(in: list, since: nil)
        #expect(Set(all.changed.map(\.href)) == Set(urls))
        #expect(all.deleted.isEmpty && !all.hasMore)
        #expect(all.changed.allSatisfy { $0.etag?.hasPrefix("\"") == true })
        #expect(all.changed.allSatisfy { $0.text == nil })

        let none = try subject.client.changes(in: list, since: all.token)
        #expect(none.changed.isEmpty && none.deleted.isEmpty && none.token == all.token)

        let etags = Dictionary(uniqueKeysWithValues: all.changed.map { ($0.href, $0.etag) })
        let etag = try #require(etags[urls[1]] ?? nil)
        let changed = try subject.client.put(Subject.task("1", "Changed"), at: urls[1], ifMatch: etag)
        #expect(try subject.client.delete(urls[2], ifMatch: try #require(etags[urls[2]] ?? nil)))
        let some = try subject.client.changes(in: list, since: all.token)
        #expect(some.changed.map(\.href) == [urls[1]])
        #expect(some.changed.first?.etag == changed)
        #expect(some.deleted == [urls[2]])
        #expect(some.token != all.token)

        let entries = try subject.client.entries(in: list)
        #expect(Set(entries.map(\.href)) == [urls[0], urls[1], urls[3]])
        #expect(entries.first { $0.href == urls[1] }?.etag == changed)
        let state = try subject.client.state(of: list)
        #expect(state.syncToken == some.token)
        #expect(state.ctag != nil && state.supportsSyncCollection && !state.isReadOnly)
        #expect(state.displayName == "Tasks")
        #expect(state.principal?.path == "/ann/")
    }

    @Test(arguments: ServerKind.allCases)
    func unknownTokenIsReported(kind: ServerKind) throws {
        let subject = try Subject(kind)
        let list = try subject.makeList()
        let token = try subject.client.changes(in: list, since: nil).token
        let other = String(token.map { $0.isHexDigit ? "0" : $0 })
        let error = failure {
            _ = try subject.client.changes(in: list, since: other)
        }
        #expect(error == .tokenExpired(list))
    }

    @Test(arguments: ServerKind.allCases)
    func textsAreReadTogether(kind: ServerKind) throws {
        let subject = try Subject(kind)
        let list = try subject.makeList()
        let urls = (1...3).map { list.appending("item@\($0).ics") }
        for (index, url) in urls.enumerated() {
            _ = try subject.client.put(Subject.task("\(index)", "<&>"), at: url, ifMatch: nil)
        }
        let missing = list.appending("missing.ics")
        let before = subject.client.http.requestCount
        let texts = try subject.client.texts(urls + [missing], in: list)
        #expect(subject.client.http.requestCount == before + 1)
        #expect(texts.found.map(\.href) == urls)
        #expect(texts.found.allSatisfy { $0.text?.contains("SUMMARY:<&>") == true && $0.etag != nil })
        #expect(texts.missing == [missing])
        #expect(texts.failed.isEmpty)
        #expect(try subject.client.texts([], in: list) == Texts())
    }

    @Test(arguments: ServerKind.allCases)
    func missingListIsReported(kind: ServerKind) throws {
        let subject = try Subject(kind)
        let list = subject.home.appending("no-such-list").asCollection
        let calls: [() throws -> Void] = [
            { _ = try subject.client.state(of: list) },
            { _ = try subject.client.changes(in: list, since: nil) },
            { _ = try subject.client.entries(in: list) },
        ]
        for call in calls { #expect(failure(call) == .notFound(list)) }
    }

    @Test(arguments: [ServerKind.radicaleOfDebian, .radicale])
    func wrongPasswordIsReported(kind: ServerKind) throws {
        let server = try TestServer.shared(kind)
        let subject = try Subject(server.homeURL, password: "wrong")
        let error = failure { _ = try subject.client.discover(server.url) }
        guard case .unauthorized(let url) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(url.port == server.port)
        let put = failure {
            _ = try subject.client.put("", at: subject.home.appending("x"), ifMatch: nil)
        }
        #expect(put == .unauthorized(subject.home.appending("x")))
    }

    @Test func listOfAnotherUserIsForbidden() throws {
        let server = try TestServer.shared(.radicale)
        let subject = try Subject(server.url)
        let list = try #require(DAVURL(server.url + "bob/list/"))
        let error = failure { _ = try subject.client.state(of: list) }
        #expect(error == .forbidden(list, precondition: nil))
    }

    @Test func connectionIsKept() throws {
        let subject = try Subject(.xandikos)
        let list = try subject.makeList()
        for _ in 0..<3 { _ = try subject.client.state(of: list) }
        #expect(subject.client.http.requestCount == 4)
        #expect(subject.client.http.connectionCount == 1)
        #expect(subject.client.http.receivedBytes > 1_000 && subject.client.http.sentBytes > 1_000)
    }
}
