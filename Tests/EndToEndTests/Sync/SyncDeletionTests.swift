import Foundation
import TestServers
import Testing

/// Promise 5 of docs/sync.md: deletions that may be a fault of the server wait for the user.
@Suite(.waiting) struct SyncDeletionTests {
    private static let kinds: [ServerKind] = [.radicale, .xandikos]

    private func machine(_ tasks: RemoteTasks, count: Int, through proxy: FaultProxy? = nil) throws
        -> SyncedMachine
    {
        for number in 0..<count { try tasks.add("task-\(number)") }
        let machine = try SyncedMachine(tasks, through: proxy)
        #expect(try machine.names().count == count)
        return machine
    }

    @Test(arguments: ServerKind.allCases)
    func threeDeletionsNeverAsk(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        let machine = try machine(tasks, count: 3)
        for file in try tasks.files() { try tasks.delete(file) }
        try machine.synchronize()
        #expect(try machine.names().isEmpty)
        try machine.expectAgreement()
    }

    @Test(arguments: kinds, ["accept", "restore"])
    func emptyListIsHeldBackUntilTheUserDecides(kind: ServerKind, decision: String) throws {
        let tasks = try RemoteTasks(kind)
        let machine = try machine(tasks, count: 4)
        for file in try tasks.files() { try tasks.delete(file) }
        let isHeld =
            "deletions are held back: the server has none of the 4 tasks any more; see: todoctl sync status"
        #expect(try machine.problem().contains(isHeld))
        #expect(try machine.names().count == 4)
        let status = try machine.statusText()
        #expect(
            status.contains("deletions are held back: the server has none of the 4 tasks any more")
                && status.contains("todoctl sync accept \(tasks.name)")
                && status.contains("todoctl sync restore \(tasks.name)"), "\(status)")
        #expect(machine.sync.errors.contains("Deletions in the list \(tasks.name) are held back"))

        // Other changes of both sides are synchronized meanwhile.
        try machine.addItem("here")
        try tasks.add("there")
        try machine.run("edit \(machine.id("task-1")) --notes more")
        #expect(try machine.problem().contains(isHeld))
        #expect(try Set(machine.names()).isSuperset(of: ["here", "there", "task-0", "task-3"]))
        #expect(try Set(tasks.names()) == ["here", "there", "task-1"])

        try machine.run("sync \(decision) \(tasks.name) \(decision == "accept" ? "--yes" : "")")
        try machine.synchronize()
        try machine.expectAgreement()
        let names = try Set(machine.names())
        #expect(names.isSuperset(of: ["here", "there"]))
        #expect(names.contains("task-0") == (decision == "restore"))
    }

    /// After an unknown token, a server lists only the tasks that it has, without deletions.
    @Test(arguments: kinds)
    func missingTasksWithoutReportedDeletionAreHeldBack(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try machine(tasks, count: 30, through: proxy)
        machine.sync.kill()
        for number in 0..<12 { try tasks.delete("task-\(number).ics") }
        // The machine compares all etags.
        try proxy.add(.refusedToken(times: 10))
        try machine.restart()
        #expect(try machine.problem().contains("deletions are held back"))
        #expect(try machine.names().count == 30)
        let reason = try #require(try machine.list()["heldDeletions"] as? String)
        #expect(reason.contains("12 of 30"))
        try machine.run("sync restore \(tasks.name)")
        try machine.synchronize()
        #expect(try tasks.names().count == 30)
        try machine.expectAgreement()
    }

    @Test(arguments: kinds)
    func fewMissingTasksAreDeleted(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try machine(tasks, count: 8, through: proxy)
        machine.sync.kill()
        for number in 0..<3 { try tasks.delete("task-\(number).ics") }
        try proxy.add(.refusedToken(times: 10))
        try machine.restart()
        try machine.synchronize()
        #expect(try machine.names() == ["task-3", "task-4", "task-5", "task-6", "task-7"])
        try machine.expectAgreement()
    }

    @Test(arguments: [401, 403, 404, 410, 500, 502, 503])
    func failedRequestDeletesNothing(status: Int) throws {
        let tasks = try RemoteTasks(.radicale)
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try machine(tasks, count: 5, through: proxy)
        try proxy.add(.reply(status, path: tasks.path, times: 50))
        let problem = try machine.problem()
        #expect(!problem.isEmpty)
        #expect(try machine.names().count == 5)
        let text = try machine.statusText()
        #expect(text.contains("To try again:"), "\(text)")
        try proxy.clear()
        try machine.synchronize()
        #expect(try machine.names().count == 5)
        try machine.expectAgreement()
    }

    /// The list itself is deleted on the server.
    @Test(arguments: kinds)
    func deletedListKeepsTheItems(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        let machine = try machine(tasks, count: 5)
        #expect(try [200, 204].contains(tasks.send("DELETE").status))
        let problem = try machine.problem()
        #expect(
            problem.contains("check the URL, or whether the list was deleted on the server"), "\(problem)")
        #expect(try machine.names().count == 5)
    }

    /// The server regards the user as another one, and shows an empty list.
    @Test func anotherPrincipalHoldsDeletionsBack() throws {
        let tasks = try RemoteTasks(.radicale)
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try machine(tasks, count: 3, through: proxy)
        for file in try tasks.files() { try tasks.delete(file) }
        let body = """
            <?xml version="1.0"?><multistatus xmlns="DAV:"><response><href>\(tasks.path)</href><propstat><prop>\
            <current-user-principal><href>/bob/</href></current-user-principal><sync-token>http://other</sync-token>\
            <resourcetype><collection/></resourcetype></prop><status>HTTP/1.1 200 OK</status></propstat></response>\
            </multistatus>
            """
        try proxy.add(
            .reply(
                207, headers: ["Content-Type": "application/xml"], body: body, method: "PROPFIND",
                path: tasks.path))
        _ = try machine.sandbox.shell("todoctl sync now")
        #expect(try machine.names().count == 3)
        #expect(try (machine.list()["heldDeletions"] as? String)?.contains("/bob/") == true)
    }

    /// A deletion here reaches the server, and the other machine.
    @Test(arguments: kinds)
    func deletionOnOneMachineReachesTheOther(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        let machine = try machine(tasks, count: 2)
        let other = try SyncedMachine(tasks)
        try machine.run("delete \(machine.id("task-0"))")
        try machine.synchronize()
        try other.synchronize()
        #expect(try other.names() == ["task-1"])
        try machine.run("undo")
        try machine.synchronize()
        try other.synchronize()
        #expect(try other.names() == ["task-0", "task-1"])
        try machine.expectAgreement()
    }

    /// The first report of Radicale has deletions of earlier tasks.
    @Test(arguments: ServerKind.allCases)
    func listThatIsAddedAgainGetsTheItemsWithoutTasks(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        let machine = try SyncedMachine(tasks)
        for number in 0..<5 { try machine.addItem("item-\(number)") }
        try machine.synchronize()
        try machine.run("sync remove 127.0.0.1 --yes")
        for file in try tasks.files() { try tasks.delete(file) }
        try machine.add()
        try machine.synchronize()
        #expect(try machine.names().count == 5)
        #expect(try tasks.names().count == 5)
        try machine.expectAgreement()
    }

    @Test(arguments: ServerKind.allCases)
    func restoredItemStaysAfterItsDeletionWasSent(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try machine(tasks, count: 2, through: proxy)
        // The deletion is sent, and the list cannot be read afterwards.
        try proxy.add(.reply(503, method: "PROPFIND", times: 1_000))
        try machine.run("delete \(machine.id("task-1")) --yes")
        _ = try machine.problem()
        #expect(try tasks.names() == ["task-0"])
        try machine.run("undo")
        try proxy.clear()
        try machine.synchronize()
        #expect(try machine.names().sorted() == ["task-0", "task-1"])
        #expect(try tasks.names() == ["task-0", "task-1"])
        try machine.expectAgreement()
    }

    /// A server that finds nothing may be another one, or one that is not ready.
    @Test(arguments: Self.kinds, [404, 410])
    func deletionIsSentAgainAfterTheServerFoundNothing(kind: ServerKind, status: Int) throws {
        let tasks = try RemoteTasks(kind)
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try machine(tasks, count: 2, through: proxy)
        try proxy.add(.reply(status, times: 1_000))
        try machine.run("delete \(machine.id("task-1")) --yes")
        _ = try machine.problem()
        try proxy.clear()
        try machine.synchronize()
        #expect(try machine.names() == ["task-0"])
        #expect(try tasks.names() == ["task-0"])
        try machine.expectAgreement()
    }
}
