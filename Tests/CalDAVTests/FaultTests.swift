import TestServers
import Testing

@testable import CalDAV

/// The client with Radicale behind a proxy that makes requests fail.
@Suite struct FaultTests {
    let proxy: FaultProxy
    let subject: Subject
    let list: DAVURL
    let item: DAVURL

    init() throws {
        let server = try TestServer.shared(.radicale)
        proxy = try FaultProxy(before: server)
        var options = HTTPOptions(userAgent: "todod/test")
        options.requestSeconds = 10
        subject = try Subject(proxy.url, path: "ann/", options: options)
        list = try subject.makeList()
        item = list.appending("a.ics")
    }

    private func put(_ text: String, ifMatch etag: String? = nil) -> CalDAVError? {
        failure { _ = try subject.client.put(text, at: item, ifMatch: etag) }
    }

    private func isAnswerLost(_ error: CalDAVError?) -> Bool {
        if case .answerLost? = error { true } else { false }
    }

    @Test func answerOfSavedTextCanBeLost() throws {
        try proxy.add(Fault(.cutAfter, method: "PUT"))
        let error = put(Subject.task("1"))
        #expect(isAnswerLost(error))
        #expect(error?.mayHaveSucceeded == true && error?.isTemporary == true)
        #expect(try subject.client.text(at: item)?.text?.contains("UID:1") == true)
        // The next attempt finds the text of the first one.
        #expect(put(Subject.task("1")) == .preconditionFailed(item))
    }

    @Test func requestCanBeCutBeforeTheServerGetsIt() throws {
        try proxy.add(Fault(.cutBefore, method: "PUT"))
        #expect(isAnswerLost(put(Subject.task("1"))))
        #expect(put(Subject.task("1")) == nil)
    }

    @Test func keptConnectionThatEndsIsReplaced() throws {
        _ = try subject.client.state(of: list)
        try proxy.add(Fault(.cutBefore, method: "PROPFIND"))
        // libcurl repeats a request if a kept connection ends before the answer.
        _ = try subject.client.state(of: list)
        #expect(
            try proxy.requests().filter { $0.method == "PROPFIND" }.map(\.fault) == [
                "none", "cut-before", "none",
            ])
    }

    @Test(arguments: [Fault.Kind.truncate, .garbage])
    func damagedAnswerIsNoAnswer(kind: Fault.Kind) throws {
        #expect(put(Subject.task("1")) == nil)
        try proxy.add(Fault(kind, method: "REPORT"))
        try proxy.add(Fault(kind, method: "PROPFIND"))
        try proxy.add(Fault(kind, method: "GET"))
        let errors = [
            failure { _ = try subject.client.changes(in: list, since: nil) },
            failure { _ = try subject.client.entries(in: list) },
            failure { _ = try subject.client.text(at: item) },
        ]
        for error in errors {
            switch error {
            case .answerLost?, .malformed?: #expect(error?.mayHaveSucceeded == true)
            default: Issue.record("\(String(describing: error))")
            }
        }
        #expect(try subject.client.entries(in: list).count == 1)
    }

    @Test func silentServerIsGivenUp() throws {
        var options = HTTPOptions(userAgent: "todod/test")
        options.requestSeconds = 1
        let impatient = Subject.client(options: options)
        try proxy.add(Fault(.silence, method: "PROPFIND"))
        #expect(isAnswerLost(failure { _ = try impatient.state(of: list) }))
        _ = try impatient.state(of: list)
    }

    @Test func slowAnswerIsWaitedFor() throws {
        try proxy.add(Fault(.slow, method: "PROPFIND", seconds: 0.2))
        _ = try subject.client.state(of: list)
    }

    @Test func etagsOfCompressingProxyAreUnderstood() throws {
        try proxy.add(Fault(.etagSuffix, times: 100))
        let first = try #require(try subject.client.put(Subject.task("1"), at: item, ifMatch: nil))
        #expect(first.hasSuffix("-gzip\""))
        let second = try #require(try subject.client.put(Subject.task("1", "x"), at: item, ifMatch: first))
        let listed = try #require(try subject.client.entries(in: list).first?.etag)
        #expect(EntityTag.isSameVersion(listed, as: second) && listed.hasSuffix("-gzip\""))
        try proxy.clear()
        try proxy.add(Fault(.etagWeak, times: 100))
        let weak = try #require(try subject.client.text(at: item)?.etag)
        #expect(weak.hasPrefix("W/") && EntityTag.isSameVersion(weak, as: second))
        #expect(try subject.client.put(Subject.task("1", "y"), at: item, ifMatch: weak) == nil)
    }

    @Test func serverThatWantsFewerRequestsSaysWhen() throws {
        try proxy.add(.reply(429, headers: ["Retry-After": "30"], method: "PROPFIND"))
        let error = failure { _ = try subject.client.state(of: list) }
        #expect(error == .throttled(list, seconds: 30))
        #expect(error?.retryAfterSeconds == 30)
    }

    @Test func serverThatDoesNotListenIsOffline() throws {
        let port = try FaultProxy().port
        let url = try #require(DAVURL("http://127.0.0.1:\(port)/"))
        let error = failure { _ = try Subject.client().state(of: url) }
        guard case .offline(url, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.mayHaveSucceeded == false)
    }

    @Test func checkWithoutChangesIsOneSmallRequest() throws {
        let token = try subject.client.changes(in: list, since: nil).token
        try proxy.clear()
        let before = subject.client.http.receivedBytes
        #expect(try subject.client.changes(in: list, since: token).changed.isEmpty)
        #expect(try proxy.requests().count == 1)
        #expect(subject.client.http.receivedBytes - before < 1_000)
    }
}
