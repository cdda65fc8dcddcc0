import CivilTime
import Reminders
import Testing
import TodoAPI

@testable import TodoService

/// Tasks and items that must stay connected: after a list was added again, an undo, or a move.
@Suite struct SyncIdentityTests {
    private let synced: SyncedService
    private var server: ListServer { synced.server }

    init() throws { synced = try SyncedService() }

    /// Other programs name resources in their own way.
    private func addTask(named name: String, at file: String, _ lines: String = "") {
        server.task(file, lines)
        server.edit(file) { $0.replacing("UID:\(file)", with: "UID:\(name)") }
    }

    @Test func listThatIsAddedAgainFindsItsTasks() throws {
        addTask(named: "one", at: "file1")
        addTask(named: "two", at: "file2")
        try synced.synchronize()
        _ = try synced.service.call(
            DeleteSyncAccount.self,
            {
                var parameters = DeleteSyncAccount.Parameters()
                parameters.name = "Test"
                return parameters
            }())
        try synced.update("file1") { $0.notes = "changed in the meantime" }
        let again = try SyncedService(server, synced.service)
        // todod-sync lists the accounts before it reads the tasks.
        _ = try synced.service.call(ListSyncAccounts.self, Empty())
        try again.synchronize()
        #expect(server.resources.count == 2 && server.text("file1")?.contains("in the meantime") == true)
        let summary = try again.summary
        #expect(summary.items == 2 && summary.unsent == 0 && summary.remarks.isEmpty)
    }

    @Test func itemThatIsRestoredBeforeItsDeletionIsSentStaysConnected() throws {
        addTask(named: "one", at: "file1", "PRIORITY:5\r\n")
        try synced.synchronize()
        try synced.delete("file1")
        _ = try synced.service.call(ListSyncAccounts.self, Empty())
        _ = try synced.service.call(Undo.self, ChangeCount())
        try synced.update("file1") { $0.notes = "from here" }
        _ = try synced.service.call(ListSyncAccounts.self, Empty())
        server.edit("file1") { $0.replacing("PRIORITY:5", with: "PRIORITY:1") }
        try synced.synchronize()
        #expect(try synced.item("file1")?.priority == 1)
        #expect(server.text("file1")?.contains("DESCRIPTION:from here") == true)
        #expect(try synced.conflicts.isEmpty && server.resources.count == 1)
        #expect(try synced.summary.unsent == 0)
    }

    /// Restores the last deletion, as far as todod knows it before the next pass.
    private func undo() throws {
        _ = try synced.service.call(Undo.self, ChangeCount())
        _ = try synced.service.call(ListSyncAccounts.self, Empty())
    }

    /// Records that the server has carried a deletion out.
    private func recordDeletion(of url: String) throws {
        var results = RecordSyncUploads.Parameters()
        results.list = synced.list
        var result = SyncUploadResult()
        result.url = url
        results.results = [result]
        _ = try synced.service.call(RecordSyncUploads.self, results)
    }

    @Test(arguments: [false, true]) func itemThatIsRestoredAfterItsDeletionOnTheServerReturns(
        losesAnswer: Bool
    ) throws {
        server.task("a", "PRIORITY:5\r\n")
        try synced.synchronize()
        try synced.delete("a")
        let deletion = try #require(try synced.uploads.first)
        #expect(server.delete(deletion.url, ifMatch: deletion.etag))
        try undo()
        if !losesAnswer { try recordDeletion(of: deletion.url) }
        try synced.synchronize()
        #expect(try synced.names == ["a"])
        #expect(server.text("a")?.contains("X-KEEP:1") == true)
        #expect(try synced.conflicts.isEmpty && synced.summary.unsent == 0)
    }

    @Test(arguments: [false, true]) func itemThatIsMovedBackAfterItsDeletionOnTheServerReturns(
        losesAnswer: Bool
    ) throws {
        server.task("a")
        try synced.synchronize()
        try synced.update("a") { $0.category = "" }
        #expect(try synced.uploads.count == 1)
        let url = server.url("a")
        #expect(server.delete(url, ifMatch: server.resources[url]?.etag))
        try synced.update("a") { $0.category = "Home" }
        if !losesAnswer { try recordDeletion(of: url) }
        try synced.synchronize()
        #expect(try synced.names == ["a"])
        #expect(server.text("a")?.contains("X-KEEP:1") == true)
        #expect(try synced.conflicts.isEmpty && synced.summary.unsent == 0)
    }

    @Test func restoredItemDoesNotCountForTheDeletionsThatAreHeld() throws {
        for name in ["a", "b", "c", "d", "e"] { server.task(name) }
        try synced.synchronize()
        try synced.delete("e")
        #expect(try synced.uploads.count == 1)
        try undo()
        for name in ["a", "b", "c", "d", "e"] {
            let url = server.url(name)
            #expect(server.delete(url, ifMatch: server.resources[url]?.etag))
        }
        #expect(try synced.receive().heldDeletions != nil)
        #expect(try synced.names == ["a", "b", "c", "d", "e"])
    }

    @Test func laterDeletionByAnotherProgramDeletesARestoredItem() throws {
        server.task("a")
        try synced.synchronize()
        try synced.delete("a")
        // The request does not arrive.
        #expect(try synced.uploads.count == 1)
        try undo()
        try synced.synchronize()
        #expect(server.delete(server.url("a"), ifMatch: server.resources[server.url("a")]?.etag))
        try synced.synchronize()
        #expect(try synced.names.isEmpty && synced.conflicts.isEmpty)
    }

    @Test(arguments: ["", "PRIORITY:1\r\n"]) func taskThatIsDeletedHereAndMovedElsewhereIsDeletedThere(
        change: String
    ) throws {
        server.task("a")
        try synced.synchronize()
        let work = try addWork()
        try synced.delete("a")
        var changes = TakeSyncChanges.Parameters()
        changes.list = work
        var text = SyncText()
        (text.url, text.etag) = ("\(Self.workURL)a.ics", "moved")
        text.text = (server.text("a") ?? "").replacing("SUMMARY:", with: change + "SUMMARY:")
        changes.changed = [text]
        changes.complete = true
        _ = try synced.service.call(TakeSyncChanges.self, changes)
        #expect(try synced.names.isEmpty)
        #expect(server.delete(server.url("a"), ifMatch: server.resources[server.url("a")]?.etag))
        try synced.receive()
        var wanted = ListSyncUploads.Parameters()
        wanted.list = work
        let uploads = try synced.service.call(ListSyncUploads.self, wanted).uploads
        if change.isEmpty {
            #expect(uploads.map(\.url) == [text.url] && uploads.first?.text == nil)
            #expect(try synced.names.isEmpty && synced.conflicts.isEmpty)
        } else {
            // The change of the other program wins.
            #expect(uploads.isEmpty)
            #expect(try synced.items.map(\.category) == ["Work"] && synced.conflicts.count == 1)
        }
    }

    @Test func heldTasksThatReturnWithOtherURLsStayConnected() throws {
        let names = ["a", "b", "c", "d"]
        for name in names { server.task(name) }
        try synced.synchronize()
        let texts = names.compactMap { server.text($0) }
        server.lose(names)
        #expect(try synced.receive().heldDeletions != nil)
        for (name, text) in zip(names, texts) {
            _ = server.put(server.url("new-\(name)"), text, ifMatch: nil)
        }
        #expect(try synced.receive().heldDeletions == nil)
        let summary = try synced.summary
        #expect(summary.items == 4 && summary.remarks.isEmpty && summary.unsent == 0)
        try synced.update("a") { $0.priority = 1 }
        try synced.synchronize()
        #expect(server.text("new-a")?.contains("PRIORITY:1") == true)
        #expect(try synced.names == names && server.resources.count == 4)
    }

    /// Another list may have had an older copy for a long time.
    @Test func taskWithAnOlderCopyInAnotherListIsDeletedAndNotMoved() throws {
        let names = ["a", "b", "c", "d"]
        for name in names { server.task(name, "PRIORITY:5\r\nLAST-MODIFIED:20261102T080000Z\r\n") }
        try synced.synchronize()
        var changes = TakeSyncChanges.Parameters()
        changes.list = try addWork()
        var text = SyncText()
        (text.url, text.etag) = ("\(Self.workURL)a.ics", "copy")
        text.text = (server.text("a") ?? "").replacing("20261102", with: "20261101").replacing(
            "PRIORITY:5", with: "PRIORITY:9")
        changes.changed = [text]
        changes.complete = true
        _ = try synced.service.call(TakeSyncChanges.self, changes)
        server.lose(names)
        #expect(try synced.receive().heldDeletions != nil)
        #expect(try synced.item("a")?.priority == 5 && synced.item("a")?.category == "Home")
        var decision = UpdateSyncList.Parameters()
        decision.list = synced.list
        decision.acceptDeletions = false
        _ = try synced.service.call(UpdateSyncList.self, decision)
        try synced.synchronize()
        #expect(server.text("a")?.contains("PRIORITY:5") == true && server.resources.count == 4)
        // The item of this list is gone, and the copy takes its place.
        _ = server.delete(server.url("a"), ifMatch: server.resources[server.url("a")]?.etag)
        try synced.receive()
        #expect(try synced.item("a")?.priority == 9 && synced.item("a")?.category == "Work")
    }

    @Test func uploadWithoutAnswerThatAnotherProgramMovesIsNotDoubled() throws {
        let work = try addWork()
        try synced.add("a")
        #expect(try synced.send(losesAnswers: true) == 1)
        let (url, resource) = try #require(server.resources.first)
        var changes = TakeSyncChanges.Parameters()
        changes.list = work
        var text = SyncText()
        (text.url, text.etag) = ("\(Self.workURL)a.ics", "moved")
        text.text = resource.text.replacing("SUMMARY:", with: "PRIORITY:1\r\nSUMMARY:")
        changes.changed = [text]
        changes.complete = true
        #expect(server.delete(url, ifMatch: resource.etag))
        _ = try synced.service.call(TakeSyncChanges.self, changes)
        try synced.synchronize()
        #expect(try synced.items.map(\.category) == ["Work"])
        #expect(try synced.item("a")?.priority == 1)
        #expect(server.resources.isEmpty)
        #expect(try synced.summary.unsent == 0)
    }

    private static let workURL = "https://dav.example.org/ann/work/"

    /// Adds a second list of the account, and returns it.
    private func addWork() throws -> Int64 {
        var account = AddSyncAccount.Parameters()
        account.name = "Test"
        account.url = "https://dav.example.org/"
        var choice = SyncListChoice()
        (choice.url, choice.name) = (Self.workURL, "Work")
        account.lists = [choice]
        let lists = try synced.service.call(AddSyncAccount.self, account).account.lists
        return try #require(lists.first { $0.url == choice.url }?.id)
    }

    @Test func itemThatMovesToAnotherListKeepsItsText() throws {
        server.task(
            "a", "BEGIN:VALARM\r\nACTION:AUDIO\r\nX-FOO:1\r\nX-APPLE-PROXIMITY:ARRIVE\r\nEND:VALARM\r\n")
        try synced.synchronize()
        let work = try addWork()
        try synced.update("a") { parameters in
            parameters.category = "Work"
            parameters.notes = "moved"
        }
        var wanted = ListSyncUploads.Parameters()
        wanted.list = work
        let upload = try #require(try synced.service.call(ListSyncUploads.self, wanted).uploads.first)
        let text = try #require(upload.text)
        #expect(upload.etag == nil && text.contains("DESCRIPTION:moved\r\n"))
        for line in ["X-KEEP:1", "ACTION:AUDIO", "X-FOO:1", "X-APPLE-PROXIMITY:ARRIVE"] {
            #expect(text.contains("\(line)\r\n"))
        }
    }

    /// One of the added dates is before the first time of the rule.
    @Test(arguments: ["20270111T120000", "20261211T120000"])
    func addedTimesAreNoObstacleToCompletions(time: String) throws {
        let zone = ";TZID=Europe/Berlin:"
        server.task(
            "a",
            "DTSTART\(zone)20270110T080000\r\nDUE\(zone)20270110T090000\r\nRRULE:FREQ=DAILY\r\nRDATE\(zone)\(time)\r\n"
        )
        try synced.synchronize()
        for _ in 0..<4 {
            try synced.complete("a")
            try synced.synchronize()
            #expect(try synced.summary.unsent == 0 && synced.summary.remarks.isEmpty)
        }
        let days = time.hasPrefix("2027") ? 13 : 14
        #expect(server.text("a")?.contains("DUE\(zone)202701\(days)T090000") == true)
        let other = try SyncedService(server)
        try other.synchronize()
        #expect(try other.item("a")?.due == synced.item("a")?.due)
    }

    /// The other machine has changed the priority, too. Its deletion in the former list arrives before or after its new task.
    @Test(arguments: [true, false])
    func taskThatTwoMachinesMoveToTheSameListIsMerged(isDeletionReadFirst: Bool) throws {
        server.task("a", "PRIORITY:5\r\n")
        try synced.synchronize()
        let work = try addWork()
        try synced.update("a") { parameters in
            parameters.category = "Work"
            parameters.notes = "from here"
        }
        var wanted = ListSyncUploads.Parameters()
        wanted.list = work
        #expect(try synced.service.call(ListSyncUploads.self, wanted).uploads.count == 1)
        var changes = TakeSyncChanges.Parameters()
        changes.list = work
        var text = SyncText()
        (text.url, text.etag) = ("\(Self.workURL)a.ics", "moved")
        text.text = (server.text("a") ?? "").replacing("PRIORITY:5", with: "PRIORITY:1")
        changes.changed = [text]
        changes.complete = true
        _ = server.delete(server.url("a"), ifMatch: server.resources[server.url("a")]?.etag)
        if isDeletionReadFirst { try synced.receive() }
        _ = try synced.service.call(TakeSyncChanges.self, changes)
        #expect(try synced.conflicts.isEmpty)
        #expect(try synced.item("a")?.priority == 1 && synced.item("a")?.notes == "from here")
        let upload = try #require(try synced.service.call(ListSyncUploads.self, wanted).uploads.first)
        #expect(upload.etag == "moved" && upload.text?.contains("X-KEEP:1") == true)
        #expect(try synced.uploads.count == (isDeletionReadFirst ? 0 : 1))
        #expect(try synced.summary.unsent == (isDeletionReadFirst ? 0 : 1))
        try synced.synchronize()
        #expect(try synced.items.map(\.category) == ["Work"] && synced.summary.items == 0)
    }

    /// The other machine has deleted the task in the former list, and has not moved it.
    @Test func itemThatMovesBackAfterItsDeletionOnTheServerIsSentAgain() throws {
        server.task("a")
        try synced.synchronize()
        _ = try addWork()
        try synced.update("a") { $0.category = "Work" }
        _ = try synced.uploads
        _ = server.delete(server.url("a"), ifMatch: server.resources[server.url("a")]?.etag)
        try synced.receive()
        #expect(try synced.uploads.isEmpty && synced.summary.unsent == 0)
        try synced.update("a") { $0.category = "Home" }
        try synced.synchronize()
        #expect(try synced.names == ["a"] && server.text("a")?.contains("X-KEEP:1") == true)
    }

    /// Adds a second list, and lets another program move all tasks to it, one of them with another priority.
    ///
    /// - Returns: the second list, and its changes.
    private func moveAll() throws -> TakeSyncChanges.Parameters {
        var changes = TakeSyncChanges.Parameters()
        changes.list = try addWork()
        changes.changed = ["a", "b", "c", "d"].map { name in
            var text = SyncText()
            (text.url, text.etag) = ("\(Self.workURL)\(name).ics", "moved")
            text.text = (server.text(name) ?? "").replacing("SUMMARY:d", with: "PRIORITY:1\r\nSUMMARY:d")
            return text
        }
        changes.complete = true
        server.lose(["a", "b", "c", "d"])
        return changes
    }

    /// Lets another program move all tasks to a second list, in which they are read after their deletions.
    private func moveAllLate(_ change: () throws -> Void = {}) throws -> Int64 {
        let changes = try moveAll()
        #expect(try synced.receive().heldDeletions != nil)
        try change()
        _ = try synced.service.call(ListSyncAccounts.self, Empty())
        _ = try synced.service.call(TakeSyncChanges.self, changes)
        return changes.list
    }

    @Test func movedTasksAreNoDeletions() throws {
        for name in ["a", "b", "c", "d"] { server.task(name) }
        try synced.synchronize()
        let changes = try moveAll()
        _ = try synced.service.call(TakeSyncChanges.self, changes)
        #expect(try synced.receive().heldDeletions == nil)
        #expect(try synced.items.map(\.category) == ["Work", "Work", "Work", "Work"])
        #expect(try synced.item("d")?.priority == 1 && synced.summary.items == 0)
    }

    private func decide(_ accepts: Bool) throws {
        var decision = UpdateSyncList.Parameters()
        decision.list = synced.list
        decision.acceptDeletions = accepts
        _ = try synced.service.call(UpdateSyncList.self, decision)
    }

    @Test(arguments: [true, false])
    func changeOfAnItemThatAnotherListHasNowMakesNoTwin(isReadFirst: Bool) throws {
        for name in ["a", "b", "c", "d"] { server.task(name) }
        try synced.synchronize()
        let change = { try synced.update("a") { $0.notes = "from here" } }
        _ = isReadFirst ? try moveAllLate() : try moveAllLate(change)
        if isReadFirst { try change() }
        #expect(try synced.uploads.isEmpty)
        try decide(true)
        #expect(try synced.items.map(\.category) == ["Work", "Work", "Work", "Work"])
        #expect(try synced.item("a")?.notes == "from here")
    }

    @Test func restoredItemsThatAnotherListHasNowMakeNoTwins() throws {
        for name in ["a", "b", "c", "d"] { server.task(name) }
        try synced.synchronize()
        _ = try moveAllLate()
        try decide(false)
        #expect(try synced.uploads.isEmpty)
        #expect(try synced.items.map(\.category) == ["Work", "Work", "Work", "Work"])
        #expect(try synced.item("d")?.priority == 1)
    }

    @Test func undoOfAnAcceptedDeletionKeepsTheChangesOfMovedTasks() throws {
        for name in ["a", "b", "c", "d"] { server.task(name) }
        try synced.synchronize()
        _ = try moveAllLate()
        try decide(true)
        #expect(throws: (any Error).self) { try synced.service.call(Undo.self, ChangeCount()) }
        #expect(try synced.item("d")?.priority == 1)
        #expect(try synced.items.map(\.category) == ["Work", "Work", "Work", "Work"])
    }

    @Test func itemsThatAreDeletedHereAndMovedThereAreDeletedOrComeBack() throws {
        for name in ["a", "b", "c", "d"] { server.task(name) }
        try synced.synchronize()
        let work = try moveAllLate()
        try synced.delete("a")
        try synced.delete("d")
        try decide(true)
        #expect(try synced.names == ["b", "c", "d"])
        #expect(try synced.item("d")?.priority == 1)
        #expect(try synced.conflicts.map(\.properties) == [[]])
        var wanted = ListSyncUploads.Parameters()
        wanted.list = work
        let uploads = try synced.service.call(ListSyncUploads.self, wanted).uploads
        #expect(uploads.map(\.uid) == ["a"] && uploads.first?.etag == "moved" && uploads.first?.text == nil)
    }

    @Test func changeThatWasMovedAwayAndBackIsSentWhileDeletionsAreHeldBack() throws {
        for name in ["a", "b", "c", "d"] { server.task(name) }
        try synced.synchronize()
        server.lose(["a", "b", "c", "d"])
        #expect(try synced.receive().heldDeletions != nil)
        _ = try synced.service.call(AddCategory.self, .init(name: "Garden"))
        try synced.update("a") { parameters in
            parameters.category = "Garden"
            parameters.notes = "from here"
        }
        #expect(try synced.uploads.isEmpty)
        try synced.update("a") { $0.category = "Home" }
        #expect(try synced.uploads.map(\.uid) == ["a"])
    }

    @Test func changeOfAReadOnlyListThatIsRevertedIsNotUnsent() throws {
        server.task("a")
        try synced.synchronize()
        var update = UpdateSyncList.Parameters()
        update.list = synced.list
        update.readOnly = true
        _ = try synced.service.call(UpdateSyncList.self, update)
        try synced.update("a") { $0.notes = "from here" }
        try synced.add("new")
        #expect(try synced.uploads.isEmpty)
        #expect(try synced.summary.unsent == 2)
        try synced.update("a") { $0.notes = "" }
        try synced.delete("new")
        #expect(try synced.uploads.isEmpty)
        #expect(try synced.summary.unsent == 0)
    }

    @Test func tasksOfARemovedListAreReadInAnotherOne() throws {
        server.task("a")
        try synced.synchronize()
        var account = AddSyncAccount.Parameters()
        account.name = "Other"
        account.url = "https://other.example.org/"
        var choice = SyncListChoice()
        (choice.url, choice.name) = ("https://other.example.org/home/", "Moved")
        account.lists = [choice]
        var changes = TakeSyncChanges.Parameters()
        changes.list = try synced.service.call(AddSyncAccount.self, account).account.lists[0].id
        var text = SyncText()
        (text.url, text.etag, text.text) = ("\(choice.url)a.ics", "1", server.text("a") ?? "")
        changes.changed = [text]
        (changes.token, changes.complete) = ("first", true)
        _ = try synced.service.call(TakeSyncChanges.self, changes)
        var removal = DeleteSyncAccount.Parameters()
        removal.name = "Test"
        _ = try synced.service.call(DeleteSyncAccount.self, removal)
        let list = try synced.service.call(ListSyncAccounts.self, Empty()).accounts[0].lists[0]
        #expect(list.token == nil && list.remarks.isEmpty)
        _ = try synced.service.call(TakeSyncChanges.self, changes)
        #expect(try synced.item("a")?.category == "Moved")
        #expect(try synced.summary.items == 1 && synced.summary.remarks.isEmpty)
    }

    @Test func deletionInAReadOnlyListIsNotBlockedByAChangeHere() throws {
        server.task("a")
        try synced.synchronize()
        var update = UpdateSyncList.Parameters()
        update.list = synced.list
        update.readOnly = true
        _ = try synced.service.call(UpdateSyncList.self, update)
        try synced.update("a") { $0.notes = "from here" }
        #expect(try synced.uploads.isEmpty)
        _ = server.delete(server.url("a"), ifMatch: server.resources[server.url("a")]?.etag)
        try synced.synchronize()
        #expect(try synced.names.isEmpty)
    }

    @Test func moreUploadsAreAnnouncedAlthoughOneOfThemIsNeedless() throws {
        for number in 1...22 { server.task("t\(number)") }
        try synced.synchronize()
        for number in 1...22 { try synced.update("t\(number)") { $0.notes = "x" } }
        _ = try synced.uploads
        try synced.update("t1") { $0.notes = "" }
        var parameters = ListSyncUploads.Parameters()
        parameters.list = synced.list
        #expect(try synced.service.call(ListSyncUploads.self, parameters).hasMore)
    }
}
