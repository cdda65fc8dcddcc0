import CivilTime
import Foundation
import TestServers
import Testing

/// Promise 10 of docs/sync.md: few and small requests.
@Suite(.waiting) struct SyncPolitenessTests {
    @Test(arguments: ServerKind.allCases)
    func idleListCostsOneSmallRequest(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        for number in 0..<20 { try tasks.add("task-\(number)") }
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try SyncedMachine(tasks, through: proxy)
        for _ in 0..<3 {
            try proxy.clear()
            #expect(try machine.synchronize() == "Nothing has changed on either side.\n")
            let requests = try proxy.requests()
            #expect(requests.map(\.method) == ["PROPFIND"], "\(requests)")
            #expect(requests.first?.headers["depth"] == "0")
            #expect(requests.allSatisfy { $0.body.utf8.count < 1_000 })
        }
    }

    /// After a change here, the list is not read before, and what was sent is not read twice.
    @Test(arguments: [ServerKind.radicale, .xandikos])
    func localChangeCostsFewRequests(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        for number in 0..<20 { try tasks.add("task-\(number)") }
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try SyncedMachine(tasks, through: proxy)
        try proxy.clear()
        try machine.run("edit \(machine.id("task-7")) --notes more")
        try machine.synchronize()
        let methods = try proxy.requests().map(\.method)
        #expect(methods.count { $0 == "PUT" } == 1 && methods.count { $0 == "GET" } == 1, "\(methods)")
        #expect(methods.count <= 7, "\(methods)")
    }

    /// The machine has a second account, whose change arrives. The change of the first one is therefore known by then, and
    /// is not sent.
    @Test(arguments: [401, 429, 503])
    func changesWaitAfterRefusals(status: Int) throws {
        let tasks = try RemoteTasks(.xandikos)
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try SyncedMachine(tasks, through: proxy)
        let others = try RemoteTasks(.radicale)
        try machine.add(others, name: "other")
        try machine.run("sync now other")

        let headers = status == 401 ? ["WWW-Authenticate": "Basic realm=\"x\""] : ["Retry-After": "1800"]
        try proxy.clear()
        try proxy.add(.reply(status, headers: headers, times: 1_000))
        let before = machine.sandbox.now
        #expect(try machine.sandbox.shell("todoctl sync now 127.0.0.1").status == 1)
        #expect(try proxy.requests().count == 1)
        for number in 1...3 {
            try machine.addItem("refused-\(number)")
            try machine.run("add --literal --category \(others.name) sent-\(number)")
            try wait(for: "sent-\(number)", in: others)
        }
        #expect(try proxy.requests().count == 1)

        let states =
            try JSONSerialization.jsonObject(with: Data(machine.statusText("--json").utf8))
            as? [String: Any]
        let state = (states?["states"] as? [SyncedMachine.Fields])?.first {
            $0["name"] == "127.0.0.1" as NSString
        }
        let next = try #require(
            (state?["nextSync"] as? String).flatMap { RFC3339.moment($0) }, "\(states ?? [:])")
        #expect(next - before >= (status == 401 ? 3_600 : 1_800))

        // The user can ask at any time.
        try proxy.clear()
        try machine.synchronize()
        #expect(try tasks.names() == ["refused-1", "refused-2", "refused-3"])
    }

    private func wait(for name: String, in tasks: RemoteTasks) throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while try !tasks.names().contains(name) {
            try #require(ContinuousClock.now < deadline, "\(name) is not sent")
        }
    }

    @Test(arguments: [ServerKind.radicale, .xandikos])
    func localChangeReachesTheServerWithinTwoSeconds(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        let machine = try SyncedMachine(tasks)
        // The machine of the tests is busy, so the best of three attempts counts.
        let times = try (1...3).map { number in
            try machine.addItem("item-\(number)")
            let start = ContinuousClock.now
            try wait(for: "item-\(number)", in: tasks)
            return ContinuousClock.now - start
        }
        #expect(times.min().map { $0 < .seconds(2) } == true, "\(times)")
    }

    /// Radicale stores a text with many tasks as one resource for each.
    @Test func firstSynchronizationOfThousandTasksNeedsFewRequests() throws {
        let tasks = try RemoteTasks(.radicale)
        let texts = (0..<1_000).map { number in
            "BEGIN:VTODO\r\nUID:many-\(number)\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:Task \(number)\r\nPRIORITY:5\r\nEND:VTODO\r\n"
        }
        let body =
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\n\(texts.joined())END:VCALENDAR\r\n"
        let headers = ["Content-Type": "text/calendar; charset=utf-8"]
        #expect(try tasks.send("PUT", headers: headers, body: body).status == 201)
        // This upload resets the name of the list.
        let name =
            "<propertyupdate xmlns=\"DAV:\"><set><prop><displayname>\(tasks.name)</displayname></prop></set></propertyupdate>"
        #expect(
            try tasks.send("PROPPATCH", headers: ["Content-Type": "application/xml"], body: name).status
                == 207)
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try SyncedMachine(tasks, through: proxy)
        #expect(try machine.names().count == 1_000)
        #expect(try machine.list()["unsent"] == 0 as NSNumber)
        let requests = try proxy.requests()
        #expect(requests.count < 40, "\(requests.map(\.method))")
        #expect(!requests.contains { $0.method == "PUT" })
        // A synchronization that was interrupted reads the same tasks without an effect.
        try machine.restart()
        try machine.synchronize()
        #expect(try machine.names().count == 1_000)
    }
}
