import Foundation
import TestServers
import Testing

/// Promise 6 of docs/sync.md: the changes since a token, then etags, then everything.
@Suite(.waiting) struct SyncLadderTests {
    /// The answers of servers to a token that they do not know.
    enum Refusal: String, CaseIterable {
        case forbidden, preconditionFailed, serverError, gone, fullList

        func fault(_ tasks: RemoteTasks) throws -> Fault {
            switch self {
            case .forbidden: return .refusedToken()
            case .preconditionFailed: return .refusedToken(status: 412)
            case .serverError: return .reply(500, method: "REPORT")
            case .gone: return .refusedToken(status: 410)
            case .fullList:
                let rows = try tasks.files().map { file in
                    let etag = try tasks.send("GET", file).headers["etag"] ?? ""
                    return """
                        <response><href>\(tasks.path)\(file)</href><propstat><prop><getetag>\(etag)</getetag></prop>\
                        <status>HTTP/1.1 200 OK</status></propstat></response>
                        """
                }
                let body =
                    "<?xml version=\"1.0\"?><multistatus xmlns=\"DAV:\">\(rows.joined())"
                    + "<sync-token>http://example.org/other</sync-token></multistatus>"
                return .reply(207, headers: ["Content-Type": "application/xml"], body: body, method: "REPORT")
            }
        }
    }

    @Test(arguments: [ServerKind.radicale, .xandikos], Refusal.allCases)
    func refusedTokenLosesNoChange(kind: ServerKind, refusal: Refusal) throws {
        let tasks = try RemoteTasks(kind)
        for name in ["gone", "edited", "same"] { try tasks.add(name) }
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try SyncedMachine(tasks, through: proxy)
        try tasks.edit("edited.ics") { $0.replacing("SUMMARY:edited", with: "SUMMARY:edited again") }
        try tasks.add("new")
        if refusal != .fullList { try tasks.delete("gone.ics") }
        try proxy.clear()
        try proxy.add(refusal.fault(tasks))
        // The server no longer has the row for it, and its list has none.
        if refusal == .fullList { try tasks.delete("gone.ics") }
        try machine.synchronize()
        if refusal == .fullList {
            // The token of that answer is unknown, too.
            try machine.restart()
            try machine.synchronize()
        }
        #expect(try machine.names() == ["edited again", "new", "same"])
        try machine.expectAgreement()
        #expect(try proxy.requests().contains { $0.fault == "reply" })
    }

    /// The server refuses every REPORT, so etags are compared.
    @Test(arguments: [ServerKind.radicale, .xandikos])
    func serverWithoutReportsIsSynchronized(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        try tasks.add("a")
        let proxy = try FaultProxy(before: tasks.server)
        try proxy.add(.reply(403, method: "REPORT", times: 1_000))
        let machine = try SyncedMachine(tasks, through: proxy)
        #expect(try machine.names() == ["a"])
        try tasks.add("b")
        try tasks.edit("a.ics") { $0.replacing("SUMMARY:a", with: "SUMMARY:a again") }
        try machine.addItem("c")
        try machine.synchronize()
        #expect(try machine.names() == ["a again", "b", "c"])
        try tasks.delete("b.ics")
        try machine.synchronize()
        #expect(try machine.names() == ["a again", "c"])
        try machine.expectAgreement()
    }

    /// A token counts when all pages are applied. The first page arrives, and the request for the second one fails.
    @Test func tokenIsStoredAfterTheLastPage() throws {
        let tasks = try RemoteTasks(.radicale)
        let proxy = try FaultProxy(before: tasks.server)
        for name in ["a", "b"] { try tasks.add(name) }
        let machine = try SyncedMachine(tasks, through: proxy)
        let token = try machine.list()["token"]
        try tasks.add("c")
        try tasks.add("d")
        let etag = try tasks.send("GET", "c.ics").headers["etag"] ?? ""
        let body = """
            <?xml version="1.0"?><multistatus xmlns="DAV:"><response><href>\(tasks.path)c.ics</href><propstat><prop>\
            <getetag>\(etag)</getetag></prop><status>HTTP/1.1 200 OK</status></propstat></response><response>\
            <href>\(tasks.path)</href><status>HTTP/1.1 507 Insufficient Storage</status></response>\
            <sync-token>http://example.org/page-2</sync-token></multistatus>
            """
        try proxy.add(.reply(207, headers: ["Content-Type": "application/xml"], body: body, method: "REPORT"))
        // The text of the task on the first page is read by the next REPORT, and the one after that fails.
        // libcurl sends a request again if a kept connection ends.
        var cut = Fault(.cutBefore, method: "REPORT", times: 2)
        cut.skip = 1
        try proxy.add(cut)
        _ = try machine.sandbox.shell("todoctl sync now")
        #expect(try machine.names() == ["a", "b", "c"])
        #expect(try machine.list()["token"] == token)
        try machine.synchronize()
        #expect(try machine.names() == ["a", "b", "c", "d"])
        try machine.expectAgreement()
    }

    @Test(arguments: [Fault.Kind.truncate, .garbage, .etagSuffix, .etagWeak])
    func damagedAnswersLoseNothing(kind: Fault.Kind) throws {
        let tasks = try RemoteTasks(.radicale)
        for name in ["a", "b"] { try tasks.add(name) }
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try SyncedMachine(tasks, through: proxy)
        try tasks.edit("a.ics") { $0.replacing("SUMMARY:a", with: "SUMMARY:a again") }
        try machine.addItem("c")
        try proxy.add(Fault(kind, times: kind == .truncate || kind == .garbage ? 3 : 1_000))
        for _ in 0..<4 { _ = try machine.sandbox.shell("todoctl sync now") }
        try machine.run("edit \(machine.id("b")) --notes more")
        try machine.synchronize()
        #expect(try machine.names() == ["a again", "b", "c"])
        #expect(try tasks.text("b.ics").contains("DESCRIPTION:more"))
        try machine.expectAgreement()
    }
}
