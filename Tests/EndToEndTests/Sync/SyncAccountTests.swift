import Foundation
import TestServers
import Testing

/// Accounts and lists in use: without a network, with another password, read-only, removed.
@Suite(.waiting) struct SyncAccountTests {
    private static let kinds: [ServerKind] = [.radicale, .xandikos]

    @Test(arguments: kinds)
    func changesMadeOfflineAreSentOnline(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        try tasks.add("there")
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try SyncedMachine(tasks, through: proxy)
        try proxy.setOffline(true)
        try machine.addItem("here")
        try machine.run("edit \(machine.id("there")) --notes more")
        try tasks.add("meanwhile")
        let problem = try machine.problem()
        #expect(problem.contains("cannot connect"), "\(problem)")
        #expect(try machine.statusText().contains("cannot connect"))
        try proxy.setOffline(false)
        try machine.synchronize()
        #expect(try machine.names() == ["here", "meanwhile", "there"])
        #expect(try tasks.text(named: "there").contains("DESCRIPTION:more"))
        try machine.expectAgreement()
    }

    /// Xandikos accepts every password. The proxy refuses the old one.
    @Test func newPasswordIsUsedAfterTheOldOneWasRefused() throws {
        let tasks = try RemoteTasks(on: TestServer(.xandikos), name: "tasks")
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try SyncedMachine(tasks, through: proxy)
        try proxy.add(.reply(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""], times: 1_000))
        try machine.addItem("here")
        let problem = try machine.problem()
        #expect(problem.contains("refused the user name or the password"), "\(problem)")
        let status = try machine.statusText()
        #expect(status.contains("To change the password:"), "\(status)")

        try proxy.clear()
        try machine.sandbox.write("new password\n", to: "password")
        let result = try machine.sandbox.shell(
            "todoctl sync add \(machine.url) --user ann --password-file ~/password --yes --all"
        )
        #expect(result.status == 0, "\(result)")
        try machine.synchronize()
        #expect(try tasks.names() == ["here"])
        let credentials = Data("ann:new password".utf8).base64EncodedString()
        let last = try #require(try proxy.requests().last)
        #expect(last.headers["authorization"] == "Basic \(credentials)")
        try machine.expectAgreement()
    }

    @Test func wrongPasswordAddsNoAccount() throws {
        let tasks = try RemoteTasks(.radicale)
        let machine = try SyncedMachine(tasks, isAdded: false)
        try machine.sandbox.write("wrong\n", to: "password")
        let result = try machine.tryToAdd()
        #expect(
            result.status == 1 && result.errors.contains("refused the user name or the password"), "\(result)"
        )
        #expect(try machine.statusText().contains("No lists are synchronized yet."))
    }

    @Test func accountWithEventsOnlyIsExplained() throws {
        let server = try TestServer(.radicaleOfDebian)
        let tasks = try RemoteTasks(on: server, component: "VEVENT")
        let machine = try SyncedMachine(tasks, isAdded: false)
        let result = try machine.tryToAdd()
        #expect(
            result.status == 1 && result.errors.contains("has no list for tasks; create one on the server"),
            "\(result)")
    }

    @Test func listOfEventsIsExplained() throws {
        let server = try TestServer(.radicaleOfDebian)
        _ = try RemoteTasks(on: server, name: "tasks")
        let events = try RemoteTasks(on: server, name: "birthdays", component: "VEVENT")
        let machine = try SyncedMachine(events, isAdded: false)
        let byName = try machine.tryToAdd()
        #expect(
            byName.status == 1 && byName.errors.contains("the list 'birthdays' does not accept tasks"),
            "\(byName)")
        #expect(byName.errors.contains("Its lists of tasks:  'tasks'"))
        let byURL = try machine.tryToAdd("http://127.0.0.1:\(server.port)\(events.path)")
        #expect(
            byURL.status == 1
                && byURL.errors.contains("birthdays/ does not accept tasks; use the URL of the account"),
            "\(byURL)")
    }

    /// The server refuses each write.
    @Test(arguments: kinds)
    func readOnlyListKeepsItsChangesHere(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        try tasks.add("there")
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try SyncedMachine(tasks, through: proxy)
        let body =
            "<?xml version=\"1.0\"?><error xmlns=\"DAV:\"><need-privileges/></error>"
        try proxy.add(
            .reply(403, headers: ["Content-Type": "application/xml"], body: body, method: "PUT", times: 1_000)
        )
        try machine.run("edit \(machine.id("there")) --notes here")
        let problem = try machine.problem()
        #expect(problem.contains("the list is read-only for this account"), "\(problem)")
        // Changes of the server still arrive.
        try tasks.add("new")
        _ = try machine.sandbox.shell("todoctl sync now")
        #expect(try machine.names() == ["new", "there"])
        #expect(try machine.item("there")["notes"] == "here" as NSString)
        #expect(try !tasks.text("there.ics").contains("DESCRIPTION"))
    }

    @Test(arguments: kinds)
    func removedAccountLeavesBothSides(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        try tasks.add("there")
        let machine = try SyncedMachine(tasks)
        try machine.addItem("here")
        try machine.synchronize()
        try machine.run("sync remove 127.0.0.1 --yes")
        #expect(try machine.statusText().contains("No lists are synchronized yet."))
        #expect(try machine.sandbox.shell("ls ~/state/todod/sync").output == "")
        #expect(try machine.names() == ["here", "there"])
        #expect(try tasks.names() == ["here", "there"])

        // Later changes stay where they are made. After the list is added again, both sides agree without a twin.
        try machine.run("edit \(machine.id("here")) --notes later")
        try tasks.add("later")
        #expect(try machine.names() == ["here", "there"])
        try machine.add()
        try machine.synchronize()
        #expect(try machine.names() == ["here", "later", "there"])
        #expect(try tasks.text(named: "here").contains("DESCRIPTION:later"))
        try machine.expectAgreement()
    }

    @Test(arguments: kinds)
    func itemMovedToAnotherSynchronizedCategoryMovesOnTheServer(kind: ServerKind) throws {
        let (first, second) = (try RemoteTasks(kind), try RemoteTasks(kind))
        let machine = try SyncedMachine(first)
        try machine.add(second)
        try machine.addItem("moving")
        try machine.addItem("staying")
        try machine.synchronize()
        try machine.run("edit \(machine.id("moving")) --category \(second.name) --notes moved")
        try machine.synchronize()
        #expect(try first.names() == ["staying"])
        #expect(try second.names() == ["moving"])
        try machine.run("edit \(machine.id("moving")) --category \(first.name)")
        try machine.synchronize()
        #expect(try first.names() == ["moving", "staying"])
        #expect(try second.names().isEmpty)
        #expect(try first.text(named: "moving").contains("DESCRIPTION:moved"))
        // An item that leaves for a category without a list leaves the server.
        try machine.run("edit \(machine.id("moving")) --category Private --new-category")
        try machine.synchronize()
        #expect(try first.names() == ["staying"])
        #expect(try machine.run("list").contains("moving"))
    }

    /// Another program moves a task by a new resource in the other list, and a deletion in the first one.
    @Test(arguments: kinds)
    func taskMovedOnTheServerMovesHere(kind: ServerKind) throws {
        let (first, second) = (try RemoteTasks(kind), try RemoteTasks(kind))
        try first.add("moving")
        let machine = try SyncedMachine(first)
        try machine.add(second)
        try machine.synchronize()
        let id = try machine.id("moving")
        try second.put(first.text("moving.ics"), to: "moving.ics")
        try first.delete("moving.ics")
        try machine.synchronize()
        #expect(try machine.id("moving") == id)
        #expect(try machine.run("list --category \(second.name)").contains("moving"))
        #expect(try first.names().isEmpty)
        #expect(try second.names() == ["moving"])
    }

    /// `undo` reverts the last change of the user, and not one of the server.
    @Test(arguments: kinds)
    func undoAfterASynchronizationRevertsTheOwnChange(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        try tasks.add("task")
        let machine = try SyncedMachine(tasks)
        try machine.run("edit \(machine.id("task")) --notes mine --priority 2")
        try machine.synchronize()
        try tasks.add("new")
        try machine.synchronize()
        try machine.run("undo")
        try machine.synchronize()
        let text = try tasks.text("task.ics")
        #expect(!text.contains("DESCRIPTION") && !text.contains("PRIORITY"), "\(text)")
        #expect(try machine.names() == ["new", "task"])
        try machine.run("redo")
        try machine.synchronize()
        #expect(try tasks.text("task.ics").contains("DESCRIPTION:mine"))
        try machine.expectAgreement()
    }
}
