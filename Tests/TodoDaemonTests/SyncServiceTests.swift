import CivilTime
import ObjectStore
import Reminders
import Testing
import TodoAPI

@testable import TodoService

/// The merge of a category with the list of a server, without a network.
@Suite struct SyncServiceTests {
    private let synced: SyncedService
    private var server: ListServer { synced.server }

    init() throws { synced = try SyncedService() }

    @Test func tasksOfTheServerBecomeItems() throws {
        server.task("a", "CATEGORIES:one,two\r\nDUE:20261201T090000Z\r\n")
        server.task("b")
        try synced.synchronize()
        #expect(try synced.names == ["a", "b"])
        let item = try #require(try synced.item("a"))
        #expect(item.category == "Home" && item.tags == ["one", "two"])
        #expect(try synced.uploads.isEmpty)
        #expect(server.text("a")?.contains("X-KEEP:1") == true)
    }

    @Test func itemsBecomeTasks() throws {
        try synced.add("Buy milk") { $0.tags = ["shop"] }
        _ = try synced.service.call(
            AddItem.self,
            {
                var parameters = AddItem.Parameters()
                parameters.name = "private"
                return parameters
            }())
        try synced.synchronize()
        #expect(server.resources.count == 1)
        let text = try #require(server.resources.values.first?.text)
        #expect(text.contains("SUMMARY:Buy milk\r\n") && text.contains("CATEGORIES:shop\r\n"))
        #expect(try synced.summary.unsent == 0)
    }

    @Test(arguments: [false, true])
    func changeAfterAnUploadWithALostAnswerStays(isReadElsewhere: Bool) throws {
        server.task("a", "DESCRIPTION:first\r\n")
        try synced.synchronize()
        try synced.update("a") { $0.notes = "second" }
        let upload = try #require(try synced.uploads.first)
        var result = SyncUploadResult()
        result.url = upload.url
        result.state = upload.state
        result.sentText = upload.text
        _ = server.put(upload.url, try #require(upload.text), ifMatch: upload.etag)
        if isReadElsewhere { server.edit("a") { $0.replacing("X-KEEP:1", with: "X-KEEP:2") } }
        result.text = server.text("a")
        result.etag = server.resources[upload.url]?.etag
        result.answerLost = true
        try synced.update("a") { $0.notes = "first" }
        var results = RecordSyncUploads.Parameters()
        results.list = synced.list
        results.results = [result]
        _ = try synced.service.call(RecordSyncUploads.self, results)
        try synced.synchronize()
        #expect(try synced.item("a")?.notes == "first")
        #expect(server.text("a")?.contains("DESCRIPTION:first") == true)
        #expect(server.text("a")?.contains(isReadElsewhere ? "X-KEEP:2" : "X-KEEP:1") == true)
        #expect(try synced.conflicts.isEmpty)
    }

    /// todod-sync, or todod, was killed between the answer of the server and its record.
    @Test(arguments: [false, true])
    func revertAfterAnUnrecordedUploadIsSent(isChangedElsewhere: Bool) throws {
        server.task("a", "DESCRIPTION:first\r\n")
        try synced.synchronize()
        try synced.update("a") { $0.notes = "second" }
        let upload = try #require(try synced.uploads.first)
        _ = server.put(upload.url, try #require(upload.text), ifMatch: upload.etag)
        if isChangedElsewhere {
            server.edit("a") { $0.replacing("X-KEEP:1", with: "X-KEEP:2\r\nPRIORITY:1") }
        }
        try synced.update("a") { $0.notes = "first" }
        try synced.synchronize()
        #expect(try synced.item("a")?.notes == "first")
        #expect(server.text("a")?.contains("DESCRIPTION:first") == true)
        #expect(try synced.item("a")?.priority == (isChangedElsewhere ? 1 : 0))
        #expect(try synced.conflicts.isEmpty)
    }

    @Test func itemDeletedAfterAnUnrecordedUploadLeavesTheServer() throws {
        server.task("a", "DESCRIPTION:first\r\n")
        try synced.synchronize()
        try synced.update("a") { $0.notes = "second" }
        let upload = try #require(try synced.uploads.first)
        _ = server.put(upload.url, try #require(upload.text), ifMatch: upload.etag)
        try synced.delete("a")
        try synced.synchronize()
        #expect(try synced.names.isEmpty && server.resources.isEmpty)
        #expect(try synced.conflicts.isEmpty)
    }

    /// Apple's Reminders writes such alarms.
    @Test(arguments: [true, false])
    func alarmAtAMomentKeepsItsLeadTimeWhenTheTimesMove(isCompleted: Bool) throws {
        server.task(
            "a",
            """
            DTSTART:20301130T080000Z\r
            DUE:20301130T080000Z\r
            RRULE:FREQ=DAILY\r
            BEGIN:VALARM\r
            ACTION:DISPLAY\r
            TRIGGER;VALUE=DATE-TIME:20301130T070000Z\r
            END:VALARM\r

            """)
        try synced.synchronize()
        let item = try #require(try synced.item("a"))
        for _ in 0..<2 {
            if isCompleted {
                var completed = CompleteItems.Parameters()
                completed.ids = [item.id]
                _ = try synced.service.call(CompleteItems.self, completed)
            } else {
                try synced.update("a") { $0.due = "2030-12-05T10:00:00Z" }
            }
            try synced.synchronize()
            let text = try #require(server.text("a"))
            #expect(
                text.split(separator: "\r\n").filter { $0.hasPrefix("TRIGGER") } == [
                    "TRIGGER;RELATED=END:-PT3600S"
                ])
        }
    }

    @Test func countOfTheServerReplacesTheCompletedOccurrences() throws {
        server.task(
            "a", "DTSTART:20301201T090000Z\r\nDUE:20301201T090000Z\r\nRRULE:FREQ=DAILY;COUNT=5\r\n")
        try synced.synchronize()
        var item = try #require(try synced.item("a"))
        var completed = CompleteItems.Parameters()
        completed.ids = [item.id]
        _ = try synced.service.call(CompleteItems.self, completed)
        try synced.synchronize()
        #expect(server.text("a")?.contains("COUNT=4") == true)
        server.edit("a") { $0.replacing("20301202T090000Z", with: "20310105T090000Z") }
        try synced.synchronize()
        var wanted = GetItem.Parameters()
        wanted.id = item.id
        item = try synced.service.call(GetItem.self, wanted).item
        #expect(item.occurrencesDone == 0)
        #expect(server.text("a")?.contains("COUNT=4") == true)
    }

    @Test func refusedItemIsSentAgainIfTheUserAsks() throws {
        try synced.add("Buy milk")
        try synced.refuse(try #require(try synced.uploads.first))
        #expect(try synced.uploads(retry: true).count == 1)
    }

    @Test func refusedItemIsSentAgainAfterAChangeOfTheServer() throws {
        server.task("a", "PRIORITY:5\r\n")
        try synced.synchronize()
        try synced.update("a") { $0.notes = "from here" }
        try synced.refuse(try #require(try synced.uploads.first))
        #expect(try synced.uploads.isEmpty)
        server.edit("a") { $0.replacing("PRIORITY:5", with: "PRIORITY:1") }
        try synced.receive()
        #expect(try synced.uploads.count == 1)
    }

    /// The saves of the answers are not searched for changes of the user, but all others are.
    @Test func itemsChangedBetweenAnswersAreSent() throws {
        server.task("a")
        try synced.synchronize()
        try synced.update("a") { $0.notes = "before" }
        server.task("b")
        try synced.receive()
        try synced.update("b") { $0.notes = "after" }
        #expect(try synced.uploads.map(\.url).sorted() == [server.url("a"), server.url("b")])
        try synced.synchronize()
        server.task("c")
        try synced.receive()
        #expect(try synced.uploads.isEmpty)
    }

    @Test func changeOfAnItemWithAnUnreadableTextIsSentWhenItCanBeRead() throws {
        server.task("a")
        try synced.synchronize()
        server.edit("a") { $0.replacing("UID:a", with: "UID:") }
        try synced.update("a") { $0.notes = "from here" }
        try synced.receive()
        // The server would refuse it, and its text would be read again.
        #expect(try synced.uploads.isEmpty)
        server.edit("a") { $0.replacing("UID:", with: "UID:a") }
        try synced.synchronize()
        #expect(server.text("a")?.contains("DESCRIPTION:from here") == true)
    }

    /// The subtask is read before its parent, whose next occurrence opens it again.
    @Test func subtaskChangedByItsParentIsSent() throws {
        server.task("b", "DUE:20261201T080000Z\r\nRRULE:FREQ=DAILY\r\n")
        server.task("a", "RELATED-TO:b\r\n")
        try synced.synchronize()
        server.edit("a") { $0.replacing("SUMMARY", with: "STATUS:COMPLETED\r\nSUMMARY") }
        server.edit("b") { $0.replacing("RRULE", with: "STATUS:COMPLETED\r\nRRULE") }
        try synced.receive()
        #expect(try synced.item("a")?.completed == false)
        #expect(try synced.uploads.map(\.url).sorted() == [server.url("a"), server.url("b")])
    }

    @Test func changesOfBothSidesAreMerged() throws {
        server.task("a", "PRIORITY:5\r\n")
        try synced.synchronize()
        try synced.update("a") { $0.notes = "from here" }
        server.edit("a") { $0.replacing("PRIORITY:5", with: "PRIORITY:1") }
        try synced.synchronize()
        let item = try #require(try synced.item("a"))
        #expect(item.priority == 1 && item.notes == "from here")
        let text = try #require(server.text("a"))
        #expect(
            text.contains("DESCRIPTION:from here") && text.contains("PRIORITY:1") && text.contains("X-KEEP:1")
        )
        #expect(try synced.conflicts.isEmpty)
    }

    @Test func losingChangeCanBeRestored() throws {
        server.task("a", "LAST-MODIFIED:20261101T080000Z\r\n")
        try synced.synchronize()
        try synced.update("a") { $0.name = "here" }
        server.edit("a") { text in
            text.replacing("SUMMARY:a", with: "SUMMARY:there")
                .replacing("LAST-MODIFIED:20261101", with: "LAST-MODIFIED:20271101")
        }
        try synced.synchronize()
        #expect(try synced.names == ["there"])
        let conflict = try #require(try synced.conflicts.first)
        #expect(conflict.properties == ["SUMMARY"] && conflict.text == "SUMMARY:here\r\n")
        var parameters = ResolveSyncConflict.Parameters()
        parameters.id = conflict.id
        parameters.restore = true
        #expect(try synced.service.call(ResolveSyncConflict.self, parameters).item?.name == "here")
        try synced.synchronize()
        #expect(server.text("a")?.contains("SUMMARY:here") == true)
        #expect(try synced.conflicts.isEmpty)
    }

    @Test func undoLeavesWhatTheServerHasChangedSince() throws {
        server.task("a", "PRIORITY:5\r\nDUE:20261201T090000Z\r\n")
        try synced.synchronize()
        try synced.update("a") { $0.notes = "from here" }
        try synced.synchronize()
        server.edit("a") { text in
            text.replacing("PRIORITY:5", with: "PRIORITY:1").replacing("20261201", with: "20261202")
        }
        try synced.synchronize()
        _ = try synced.service.call(Undo.self, ChangeCount())
        let item = try #require(try synced.item("a"))
        #expect(item.notes == nil && item.priority == 1)
        try synced.synchronize()
        #expect(server.text("a")?.contains("DESCRIPTION") == false)
        #expect(server.text("a")?.contains("DUE:20261202") == true)
        _ = try synced.service.call(Redo.self, ChangeCount())
        try synced.update("a") { $0.due = "2027-01-05 09:00" }
        try synced.synchronize()
        server.edit("a") { $0.replacing("PRIORITY:1", with: "PRIORITY:1\r\nRRULE:FREQ=DAILY") }
        try synced.synchronize()
        #expect(throws: TestService.ErrorReply.self) { try synced.service.call(Undo.self, ChangeCount()) }
    }

    @Test func deletionsGoBothWays() throws {
        for name in ["a", "b", "c"] { server.task(name) }
        try synced.synchronize()
        try synced.delete("a")
        _ = server.delete(server.url("b"), ifMatch: server.resources[server.url("b")]?.etag)
        try synced.synchronize()
        #expect(try synced.names == ["c"])
        #expect(server.resources.keys.sorted() == [server.url("c")])
    }

    @Test func changeWinsAgainstADeletion() throws {
        for name in ["a", "b"] { server.task(name) }
        try synced.synchronize()
        try synced.delete("a")
        server.edit("a") { $0.replacing("SUMMARY:a", with: "SUMMARY:still here") }
        try synced.update("b") { $0.notes = "changed" }
        _ = server.delete(server.url("b"), ifMatch: server.resources[server.url("b")]?.etag)
        try synced.synchronize()
        #expect(try synced.names == ["b", "still here"])
        #expect(server.resources.count == 2)
        #expect(server.text("b")?.contains("X-KEEP:1") == true)
        #expect(try synced.conflicts.count == 2)
    }

    @Test func lostAnswersMakeNoTwin() throws {
        try synced.add("new")
        server.task("a")
        try synced.synchronize()
        try synced.add("newer")
        try synced.update("a") { $0.notes = "changed" }
        try synced.delete("new")
        #expect(try synced.send(losesAnswers: true) == 3)
        try synced.synchronize()
        #expect(try synced.names == ["a", "newer"])
        #expect(server.resources.count == 2)
        #expect(try synced.conflicts.isEmpty)
        #expect(try synced.uploads.isEmpty)
    }

    @Test func valueRemovedAfterALostAnswerLeavesTheServer() throws {
        try synced.add("new") { parameters in
            parameters.notes = "first"
            parameters.tags = ["a", "b"]
            parameters.priority = 1
        }
        #expect(try synced.send(losesAnswers: true) == 1)
        server.edit(try #require(try synced.item("new")?.uid)) {
            $0.replacing("PRIORITY:1", with: "PRIORITY:5")
        }
        try synced.update("new") { parameters in
            parameters.notes = ""
            parameters.removeTags = ["b"]
        }
        try synced.synchronize()
        let item = try #require(try synced.item("new"))
        #expect(item.notes == nil && item.tags == ["a"] && item.priority == 5)
        #expect(server.resources.values.first?.text.contains("first") == false)
    }

    /// The clock of this machine may be ahead.
    @Test func changeOfANewItemAfterALostAnswerIsTaken() throws {
        try synced.add("new")
        #expect(try synced.send(losesAnswers: true) == 1)
        server.edit(try #require(try synced.item("new")?.uid)) { text in
            text.replacing("SUMMARY:new", with: "SUMMARY:newer")
                .replacing("LAST-MODIFIED:2026", with: "LAST-MODIFIED:2025")
        }
        try synced.receive()
        #expect(try synced.names == ["newer"])
    }

    @Test func revertAfterTwoUnrecordedUploadsIsSent() throws {
        server.task("a", "DESCRIPTION:first\r\n")
        try synced.synchronize()
        try synced.update("a") { $0.notes = "second" }
        _ = try synced.uploads
        try synced.update("a") { $0.notes = "third" }
        let upload = try #require(try synced.uploads.first)
        _ = server.put(upload.url, try #require(upload.text), ifMatch: upload.etag)
        try synced.update("a") { $0.notes = "first" }
        try synced.synchronize()
        #expect(try synced.item("a")?.notes == "first")
        #expect(server.text("a")?.contains("DESCRIPTION:first") == true)
        #expect(try synced.conflicts.isEmpty)
    }

    @Test func itemThatAnotherProgramChangedComesBackAfterItsDeletion() throws {
        try synced.add("new")
        #expect(try synced.send(losesAnswers: true) == 1)
        server.edit(try #require(try synced.item("new")?.uid)) {
            $0.replacing("SUMMARY:new", with: "LOCATION:Berlin\r\nSUMMARY:new")
        }
        try synced.delete("new")
        try synced.synchronize()
        #expect(try synced.names == ["new"] && server.resources.count == 1)
        #expect(try synced.conflicts.map(\.properties) == [[]])
    }

    @Test func itemDeletedAfterALostAnswerLeavesTheServer() throws {
        try synced.add("new")
        #expect(try synced.send(losesAnswers: true) == 1)
        try synced.delete("new")
        try synced.synchronize()
        #expect(try synced.names.isEmpty && server.resources.isEmpty)
        #expect(try synced.conflicts.isEmpty)
    }

    @Test func deletionsOfAHeldListAreMarked() throws {
        for name in ["a", "b"] { server.task(name) }
        try synced.synchronize()
        var held = UpdateSyncList.Parameters()
        held.list = synced.list
        held.heldDeletions = "another person"
        _ = try synced.service.call(UpdateSyncList.self, held)
        _ = server.delete(server.url("a"), ifMatch: server.resources[server.url("a")]?.etag)
        #expect(try synced.receive().heldDeletions == "another person")
        #expect(try synced.names == ["a", "b"])
    }

    @Test func rewrittenTextIsNoChange() throws {
        server.rewrite = {
            $0.replacing("X-KEEP:1", with: "X-KEEP;X-A=B:1").replacing("PRODID", with: "PRODID")
        }
        server.task("a")
        try synced.synchronize()
        try synced.update("a") { $0.name = "new" }
        try synced.synchronize()
        #expect(try synced.uploads.isEmpty && synced.conflicts.isEmpty)
        #expect(try synced.names == ["new"])
    }

    @Test func missingTasksAreHeldBackAndDecided() throws {
        let names = (1...20).map { "t\($0)" }
        for name in names { server.task(name) }
        try synced.synchronize()
        server.lose(Array(names.prefix(12)))
        #expect(try synced.receive().heldDeletions != nil)
        #expect(try synced.names.count == 20)
        // The others are synchronized as before.
        server.edit("t20") { $0.replacing("SUMMARY:t20", with: "SUMMARY:new") }
        try synced.synchronize()
        #expect(try synced.item("new") != nil && synced.names.count == 20)
        var decision = UpdateSyncList.Parameters()
        decision.list = synced.list
        decision.acceptDeletions = false
        _ = try synced.service.call(UpdateSyncList.self, decision)
        try synced.synchronize()
        #expect(server.resources.count == 20)
        #expect(server.text("t1")?.contains("X-KEEP:1") == true)
        server.lose(Array(names.prefix(12)))
        _ = try synced.receive()
        decision.acceptDeletions = true
        #expect(try synced.service.call(UpdateSyncList.self, decision).list.heldDeletions == nil)
        try synced.synchronize()
        #expect(try synced.names.count == 8 && server.resources.count == 8)
        _ = try synced.service.call(Undo.self, ChangeCount())
        try synced.synchronize()
        #expect(try synced.names.count == 20 && server.resources.count == 20)
    }

    @Test func emptyListIsHeldBackUntilItsTasksAreThereAgain() throws {
        for name in ["a", "b", "c", "d"] { server.task(name) }
        try synced.synchronize()
        let all = server.resources
        server.lose(["a", "b", "c", "d"])
        #expect(try synced.receive().heldDeletions != nil)
        #expect(try synced.uploads.isEmpty)
        for resource in all { _ = server.put(resource.key, resource.value.text, ifMatch: nil) }
        #expect(try synced.receive().heldDeletions == nil)
        #expect(try synced.names.count == 4)
    }

    /// The list was deleted and made again, or restored from a backup.
    @Test(arguments: [false, true]) func changeOfAMissingTaskIsSentWhileDeletionsAreHeldBack(isLater: Bool)
        throws
    {
        for name in ["a", "b", "c", "d", "e"] { server.task(name) }
        try synced.synchronize()
        server.lose(["a", "b", "c", "d", "e"])
        if isLater {
            #expect(try synced.receive().heldDeletions != nil)
            #expect(try synced.summary.heldItems == 5)
            #expect(try synced.summary.heldNames == ["a", "b", "c", "d", "e"])
        }
        try synced.update("a") { $0.notes = "changed" }
        if !isLater {
            // The server refuses all changes of a list that it does not have.
            for upload in try synced.uploads(retry: nil) { try synced.refuse(upload) }
            #expect(try synced.receive().heldDeletions != nil)
        }
        _ = try synced.send()
        #expect(server.text("a")?.contains("DESCRIPTION:changed") == true)
        #expect(server.text("a")?.contains("X-KEEP:1") == true)
        #expect(server.resources.count == 1)
        #expect(try synced.names.count == 5)
        try synced.synchronize()
        #expect(try synced.summary.heldDeletions != nil)
        #expect(try synced.names.count == 5 && synced.summary.unsent == 0)
        #expect(try synced.summary.remarks.isEmpty)
        #expect(try synced.conflicts.map(\.properties) == [[]])
    }

    @Test func threeDeletionsNeverAsk() throws {
        for name in ["a", "b", "c"] { server.task(name) }
        try synced.synchronize()
        server.lose(["a", "b", "c"])
        #expect(try synced.receive().heldDeletions == nil)
        #expect(try synced.names.isEmpty)
    }

    @Test func parentMayComeLater() throws {
        server.task("child", "RELATED-TO:parent\r\n")
        try synced.synchronize()
        #expect(try synced.item("child")?.parent == nil)
        try synced.update("child") { $0.notes = "x" }
        try synced.synchronize()
        #expect(server.text("child")?.contains("RELATED-TO:parent") == true)
        server.task("parent")
        try synced.synchronize()
        #expect(try synced.item("child")?.parent == synced.item("parent")?.id)
        #expect(try synced.uploads.isEmpty)
    }

    @Test func deletedParentLeavesItsSubtasks() throws {
        server.task("parent")
        server.task("child", "RELATED-TO:parent\r\n")
        try synced.synchronize()
        _ = server.delete(server.url("parent"), ifMatch: server.resources[server.url("parent")]?.etag)
        try synced.synchronize()
        #expect(try synced.names == ["child"] && server.resources.count == 1)
    }

    @Test func completedOccurrenceOfBothSides() throws {
        server.task("a", "DTSTART:20261201T080000Z\r\nDUE:20261201T090000Z\r\nRRULE:FREQ=DAILY\r\n")
        try synced.synchronize()
        try synced.complete("a")
        try synced.synchronize()
        let text = try #require(server.text("a"))
        #expect(text.contains("DTSTART:20261202T080000Z") && text.contains("DUE:20261202T090000Z"))
        #expect(text.contains("STATUS:NEEDS-ACTION") || !text.contains("STATUS"))
        // Another program moves the task, and one completes it as a whole.
        server.edit("a") { $0.replacing("20261202T", with: "20261203T") }
        try synced.synchronize()
        server.edit("a") { text in
            text.replacing("STATUS:NEEDS-ACTION\r\n", with: "")
                .replacing(
                    "SUMMARY:a\r\n", with: "SUMMARY:a\r\nSTATUS:COMPLETED\r\nCOMPLETED:20261120T180000Z\r\n")
        }
        try synced.synchronize()
        #expect(server.text("a")?.contains("DUE:20261204T090000Z") == true)
        #expect(server.text("a")?.contains("STATUS:COMPLETED") == false)
        let history = try synced.service.call(ListHistory.self, ListHistory.Parameters())
        #expect(history.entries.count == 3)
    }

    @Test func itemOfAnotherCategoryLeavesTheServer() throws {
        server.task("a")
        try synced.synchronize()
        try synced.update("a") { $0.category = "" }
        try synced.synchronize()
        #expect(server.resources.isEmpty)
        #expect(try synced.names == ["a"])
        try synced.update("a") { $0.category = "Home" }
        try synced.synchronize()
        #expect(server.resources.count == 1)
    }

    @Test func unreadableTaskIsLeftAlone() throws {
        server.task("a", "PRIORITY:1\r\n")
        server.task("b", "BEGIN:VALARM\r\n")
        try synced.synchronize()
        #expect(try synced.names == ["a"])
        #expect(try synced.summary.remarks.count == 1)
        #expect(try synced.uploads.isEmpty)
    }

    @Test func refusedItemIsSentAgainWhenItChanges() throws {
        let directory = TestService.directory()
        defer { TestService.remove(directory) }
        let synced = try SyncedService(
            ListServer(), TestService(StoreConfiguration(.sqlite, path: directory + "/store")))
        try synced.add("a")
        var results = RecordSyncUploads.Parameters()
        results.list = synced.list
        results.results = try synced.uploads.map { upload in
            var result = SyncUploadResult()
            result.url = upload.url
            result.state = upload.state
            result.problem = "refused"
            return result
        }
        _ = try synced.service.call(RecordSyncUploads.self, results)
        #expect(try synced.uploads.isEmpty)
        try synced.update("a") { $0.notes = "shorter" }
        #expect(try synced.uploads.count == 1)
    }

    @Test func textsAreListedBeforeDeletions() throws {
        for number in 1...30 { server.task("t\(number)") }
        try synced.synchronize()
        for number in 1...25 { try synced.update("t\(number)") { $0.category = "" } }
        try synced.update("t30") { $0.notes = "changed" }
        let uploads = try synced.uploads
        #expect(uploads.count == 20 && uploads.first?.text != nil)
        try synced.synchronize()
        #expect(server.resources.count == 5)
    }

    @Test func deletedCategoryStopsTheList() throws {
        server.task("a")
        try synced.synchronize()
        try synced.deleteCategory("Home")
        #expect(try synced.uploads.isEmpty)
        #expect(try synced.summary.category == nil)
        #expect(server.resources.count == 1)
    }

    @Test func removedAccountLeavesItemsAndTasks() throws {
        server.task("a")
        try synced.synchronize()
        var parameters = DeleteSyncAccount.Parameters()
        parameters.name = "test"
        _ = try synced.service.call(DeleteSyncAccount.self, parameters)
        #expect(try synced.names == ["a"])
        #expect(try synced.service.call(ListSyncAccounts.self, Empty()).accounts.isEmpty)
        let again = try SyncedService(server, synced.service)
        try again.synchronize()
        #expect(try again.names == ["a"] && server.resources.count == 1)
        #expect(try again.uploads.isEmpty && again.conflicts.isEmpty)
    }

    // MARK: - Findings of attacks

    @Test func newCategoryOfAListDeletesNothing() throws {
        for name in ["a", "b"] { server.task(name) }
        try synced.synchronize()
        try synced.deleteCategory("Home")
        let again = try SyncedService(server, synced.service, category: "Garden")
        try again.synchronize()
        #expect(server.resources.count == 2)
        #expect(try again.items.map(\.category) == ["Garden", "Garden"])
    }

    @Test func undoOfADeletedCategoryResumesTheList() throws {
        server.task("a")
        try synced.synchronize()
        try synced.deleteCategory("Home")
        _ = try synced.service.call(Undo.self, ChangeCount())
        server.task("b")
        try synced.synchronize()
        #expect(try synced.names == ["a", "b"] && synced.summary.category == "Home")
    }

    @Test func unreadableChangeWinsAgainstADeletion() throws {
        server.task("a")
        try synced.synchronize()
        try synced.delete("a")
        server.edit("a") { $0.replacing("END:VTODO", with: "END:VTODO\r\nBEGIN:VTODO\r\nUID:z\r\nEND:VTODO") }
        try synced.synchronize()
        #expect(server.resources.count == 1)
        #expect(try synced.conflicts.count == 1)
    }

    @Test func secondConflictKeepsTheFirstOne() throws {
        server.task("a", "LAST-MODIFIED:20271101T080000Z\r\n")
        try synced.synchronize()
        try synced.update("a") { $0.notes = "lost notes" }
        server.edit("a") { $0.replacing("X-KEEP:1", with: "X-KEEP:1\r\nDESCRIPTION:there") }
        try synced.synchronize()
        try synced.update("a") { $0.name = "lost name" }
        server.edit("a") {
            $0.replacing("SUMMARY:a", with: "SUMMARY:there").replacing(
                "LAST-MODIFIED:2026", with: "LAST-MODIFIED:2028")
        }
        try synced.synchronize()
        #expect(try synced.conflicts.first?.properties.sorted() == ["DESCRIPTION", "SUMMARY"])
    }

    @Test func taskWithAnotherURLIsTheSameItem() throws {
        server.task("a")
        try synced.synchronize()
        try synced.update("a") { $0.notes = "edited here" }
        let text = try #require(server.text("a"))
        _ = server.put(server.url("renamed"), text, ifMatch: nil)
        _ = server.delete(server.url("a"), ifMatch: server.resources[server.url("a")]?.etag)
        try synced.synchronize()
        #expect(server.resources.keys.sorted() == [server.url("renamed")])
        #expect(server.text("renamed")?.contains("edited here") == true)
        #expect(try synced.names == ["a"] && synced.conflicts.isEmpty && synced.uploads.isEmpty)
    }

    @Test func otherTaskWithTheSameUIDIsReadAfterTheFirstIsGone() throws {
        server.task("a")
        _ = server.put(server.url("twin"), try #require(server.text("a")), ifMatch: nil)
        try synced.synchronize()
        #expect(try synced.names == ["a"] && synced.summary.remarks.count == 1)
        try synced.delete("a")
        try synced.synchronize()
        #expect(try synced.names == ["a"] && server.resources.count == 1 && synced.summary.remarks.isEmpty)
    }

    @Test func occurrenceCompletedOnBothSidesMovesOnce() throws {
        server.task("a", "DUE:20261201T090000Z\r\nDTSTART:20261201T090000Z\r\nRRULE:FREQ=DAILY\r\n")
        try synced.synchronize()
        try synced.complete("a")
        server.edit("a") {
            $0.replacing("X-KEEP:1", with: "X-KEEP:1\r\nSTATUS:COMPLETED\r\nCOMPLETED:20261120T180000Z")
        }
        try synced.synchronize()
        #expect(server.text("a")?.contains("DUE:20261202T090000Z") == true)
        #expect(server.text("a")?.contains("STATUS:COMPLETED") == false)
        #expect(try synced.service.call(ListHistory.self, ListHistory.Parameters()).entries.count == 1)
    }

    /// Another machine must not take the end of the series for the end of one occurrence.
    @Test func completedSeriesStaysCompleted() throws {
        let other = try SyncedService(server)
        server.task("parent")
        server.task("child", "RELATED-TO:parent\r\nDUE;VALUE=DATE:20261130\r\nRRULE:FREQ=MONTHLY\r\n")
        for machine in [synced, other] { try machine.synchronize() }
        try synced.complete("parent")
        for machine in [synced, other, synced] { try machine.synchronize() }
        for machine in [synced, other] { #expect(try machine.items.allSatisfy { $0.completed == true }) }
        // A later completion by another program is that of an occurrence again.
        server.edit("child") {
            $0.replacing("STATUS:COMPLETED", with: "STATUS:NEEDS-ACTION").replacing(
                "\r\nCOMPLETED:2", with: "\r\nX-WAS:2"
            )
            .replacing("PERCENT-COMPLETE:100\r\n", with: "")
        }
        try other.synchronize()
        #expect(try other.item("child")?.completed == false)
        server.edit("child") {
            $0.replacing("STATUS:NEEDS-ACTION", with: "STATUS:COMPLETED\r\nCOMPLETED:20261129T080000Z")
        }
        try other.synchronize()
        #expect(try other.item("child")?.completed == false)
    }

    @Test func addedDatesWithoutARuleGetNone() throws {
        server.task(
            "a", "DTSTART;VALUE=DATE:20261201\r\nDUE;VALUE=DATE:20261201\r\nRDATE;VALUE=DATE:20261205\r\n")
        try synced.synchronize()
        try synced.update("a") { $0.notes = "x" }
        try synced.synchronize()
        try synced.complete("a")
        try synced.synchronize()
        #expect(server.text("a")?.contains("DESCRIPTION:x") == true)
        #expect(server.text("a")?.contains("RRULE") == false, "\(server.text("a") ?? "")")
    }

    @Test func partOfASmallListIsHeldBack() throws {
        for number in 1...12 { server.task("t\(number)") }
        try synced.synchronize()
        server.lose((1...5).map { "t\($0)" })
        #expect(try synced.receive().heldDeletions != nil)
        #expect(try synced.names.count == 12)
    }

    @Test func ruleThatTododCannotReadStays() throws {
        let rule = "RRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;BYSETPOS=1;BYHOUR=9,11"
        server.task("a", "DTSTART:20261201T090000Z\r\nDUE:20261201T100000Z\r\n\(rule)\r\n")
        try synced.synchronize()
        try synced.update("a") { $0.due = "2027-01-05 09:00" }
        try synced.update("a") { $0.notes = "sent all the same" }
        try synced.synchronize()
        #expect(server.text("a")?.contains(rule) == true)
        #expect(server.text("a")?.contains("sent all the same") == true)
    }

    @Test func textThatCannotBeReadIsNotSentBack() throws {
        server.task("a")
        try synced.synchronize()
        server.edit("a") { $0.replacing("X-KEEP:1", with: "LOCATION:M\u{FFFD}nchen") }
        var changes = TakeSyncChanges.Parameters()
        changes.list = synced.list
        var text = SyncText()
        (text.url, text.etag) = (server.url("a"), server.resources[server.url("a")]?.etag)
        text.problem = "its text is not valid UTF-8"
        changes.changed = [text]
        _ = try synced.service.call(TakeSyncChanges.self, changes)
        #expect(try synced.summary.remarks == ["a: its text is not valid UTF-8"])
        // The character itself is text like any other.
        try synced.synchronize()
        try synced.update("a") { $0.notes = "caf\u{FFFD}" }
        try synced.synchronize()
        #expect(server.text("a")?.contains("DESCRIPTION:caf\u{FFFD}") == true)
        #expect(try synced.summary.remarks.isEmpty && synced.summary.unsent == 0)
    }

    @Test func foreignChangeWinsAgainstADeletion() throws {
        server.task("a")
        try synced.synchronize()
        try synced.delete("a")
        server.edit("a") { $0.replacing("X-KEEP:1", with: "X-KEEP:1\r\nLOCATION:Here") }
        try synced.synchronize()
        #expect(try synced.names == ["a"] && synced.conflicts.count == 1)
    }

    @Test func valueThatTheServerDropsStaysHere() throws {
        server.rewrite = { text in
            text.split(separator: "\r\n").filter { !$0.hasPrefix("PRIORITY") }.map { $0 + "\r\n" }.joined()
        }
        try synced.add("a") { $0.priority = 3 }
        try synced.synchronize()
        #expect(try synced.item("a")?.priority == 3)
        #expect(try synced.summary.remarks == ["a: the server does not store PRIORITY"])
        let (url, resource) = try #require(server.resources.first)
        _ = server.put(url, resource.text.replacing("SUMMARY:a", with: "SUMMARY:b"), ifMatch: resource.etag)
        try synced.synchronize()
        #expect(try synced.item("b")?.priority == 3)
    }

    @Test func tasksThatExchangeTheirResourcesStayTheirItems() throws {
        server.task("a")
        server.task("b")
        try synced.synchronize()
        let ids = try (synced.item("a")?.id, synced.item("b")?.id)
        let texts = (server.text("a") ?? "", server.text("b") ?? "")
        server.edit("a") { _ in texts.1 }
        server.edit("b") { _ in texts.0 }
        try synced.synchronize()
        #expect(try synced.item("a")?.id == ids.0 && synced.item("b")?.id == ids.1)
        #expect(try synced.summary.remarks.isEmpty && server.resources.count == 2)
    }

    @Test func deletionOfAHeldTaskIsSent() throws {
        for number in 1...6 { server.task("t\(number)") }
        try synced.synchronize()
        let resources = server.resources
        server.lose((1...6).map { "t\($0)" })
        try synced.receive()
        try synced.delete("t1")
        for (url, resource) in resources { _ = server.put(url, resource.text, ifMatch: nil) }
        try synced.synchronize()
        #expect(try synced.summary.heldDeletions == nil)
        #expect(server.resources.count == 5 && server.text("t1") == nil)
    }

    /// The server would delete a task that leaves its list.
    @Test(arguments: ["", "CATEGORIES:errand,shop\r\n"])
    func importOfTheTextOfTheServerKeepsTheList(lines: String) throws {
        server.task("a", "CATEGORIES:errand,shop\r\n")
        try synced.synchronize()
        server.task("a", lines + "DESCRIPTION:new\r\nLAST-MODIFIED:20400101T000000Z\r\n")
        var file = Import.Parameters()
        file.text = try #require(server.text("a"))
        #expect(try synced.service.call(Import.self, file).updated == 1)
        let item = try synced.item("a")
        #expect(item?.category == "Home" && item?.notes == "new")
        #expect(item?.tags == (lines.isEmpty ? [] : ["errand", "shop"]))
    }

    /// The category in a file of todod is no guess.
    @Test func importOfAnOwnExportCanMoveATask() throws {
        server.task("a")
        try synced.synchronize()
        var file = Import.Parameters()
        file.text = """
            {"todod":1,"categories":[],"items":[{"uid":"a","name":"a","category":"Other","modifiedAt":"2040-01-01T00:00:00Z"}]}
            """
        _ = try synced.service.call(Import.self, file)
        #expect(try synced.item("a")?.category == "Other")
    }

    /// The escapes of a message do not count.
    @Test func textOf250KBIsReadAndSent() throws {
        server.task("a", "DESCRIPTION:" + String(repeating: "\\,", count: 120_000) + "\r\n")
        try synced.synchronize()
        #expect(try synced.item("a")?.notes?.utf8.count == 120_000)
        try synced.update("a") { $0.notes = String(repeating: ";x", count: 80_000) }
        try synced.synchronize()
        #expect(server.text("a")?.contains("DESCRIPTION:\\;x\\;x") == true)
        #expect(try synced.summary.remarks.isEmpty)
    }

    @Test(arguments: [String(repeating: ", ", count: 100_000), String(repeating: "\t", count: 80_000) + "."])
    func textThatIsTooLargeIsNotSent(notes: String) throws {
        server.task("a")
        try synced.synchronize()
        try synced.update("a") { $0.notes = notes }
        #expect(try synced.uploads.isEmpty)
        #expect(try synced.summary.remarks.first?.contains("256 KiB") == true)
        synced.service.clock.advance(1)
        try synced.update("a") { $0.notes = "short" }
        try synced.synchronize()
        #expect(server.text("a")?.contains("DESCRIPTION:short") == true)
    }

    @Test func acknowledgedAlertIsNotSent() throws {
        let due = synced.service.clock.now + 240
        let text = RFC3339Basic.text(due)
        server.task("seen", "DUE:\(text)\r\nX-MOZ-LASTACK:\(RFC3339Basic.text(due - 300 + 60))\r\n")
        server.task("new", "DUE:\(text)\r\n")
        try synced.synchronize()
        #expect(synced.service.sink.sentNames == ["new"])
    }

    /// The other program set the alert for a time that was still in the future.
    @Test func alertOfATaskThatComesAfterItsTimeIsSent() throws {
        server.task("first")
        try synced.synchronize()
        let now = synced.service.clock.now
        let due = RFC3339Basic.text(now - 600)
        server.task("late", "DUE:\(due)\r\nLAST-MODIFIED:\(RFC3339Basic.text(now - 10))\r\n")
        synced.service.clock.advance(1)
        try synced.synchronize()
        #expect(synced.service.sink.sentNames.isEmpty)
        let changed = "LAST-MODIFIED:\(RFC3339Basic.text(now + 30))\r\n"
        server.task("new", "DUE:\(RFC3339Basic.text(now + 600))\r\n\(changed)")
        server.task("seen", "DUE:\(due)\r\n\(changed)")
        synced.service.clock.advance(1_800)
        try synced.synchronize()
        #expect(synced.service.sink.sentNames == ["new"])
    }

    @Test func firstSynchronizationSendsNoPastAlert() throws {
        server.task("old", "DUE:20261101T090000Z\r\n")
        server.task("just now", "DUE:\(RFC3339Basic.text(synced.service.clock.now - 120))\r\n")
        try synced.synchronize()
        #expect(synced.service.sink.sentNames.isEmpty)
    }
}

/// Times of iCalendar in UTC.
private enum RFC3339Basic {
    static func text(_ moment: Timestamp) -> String { CalendarTime.moment(moment).basicText }
}
