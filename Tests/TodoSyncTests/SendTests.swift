import CalDAV
import CivilTime
import Testing
import TodoAPI

@testable import TodoSync

@Suite struct SendTests {
    private static let item = FakeServer.url("/a/1.ics")

    /// A fixture that agrees about one item in the list `a`.
    private func fixture(_ names: String...) -> PassFixture {
        let fixture = PassFixture("/a/", "/b/")
        fixture.server.write("/a/1.ics", "u1 text")
        fixture.run()
        return fixture
    }

    @Test func localChangeIsTheFirstRequest() {
        let fixture = fixture()
        fixture.todod.edit("a", "/a/1.ics", "u1 mine")
        let result = fixture.run(sendsFirst: true)
        #expect(result.sent == 1)
        #expect(
            fixture.requests() == ["PUT /a/1.ics", "GET /a/1.ics", "state /a/", "changes /a/"])
        #expect(
            fixture.calls() == [
                "Uploads a 1", "Record a 1", "Take a +0 -0 token=t2 complete",
            ])
        #expect(fixture.todod["a"].summary.token == "t2")
    }

    @Test func textOfTheServerBecomesTheBase() {
        let fixture = fixture()
        fixture.todod.edit("a", "/a/1.ics", "u1 mine")
        fixture.run()
        let entry = fixture.todod["a"].entries["http://h/a/1.ics"]
        #expect(entry?.base == "u1 mine (stored)")
        #expect(entry?.etag == fixture.etag("/a/1.ics"))
        // What was sent is not read again.
        #expect(fixture.requests().filter { $0.hasPrefix("texts") }.isEmpty)
        fixture.run()
        #expect(fixture.requests() == ["state /a/", "state /b/"])
    }

    @Test func unknownListIsReadBeforeItIsChanged() {
        let fixture = PassFixture("/a/")
        fixture.todod.edit("a", "/a/new.ics", "u2 new")
        fixture.run(sendsFirst: true)
        #expect(fixture.requests().first == "state /a/")
    }

    /// An item that another program deletes and creates again has the same etag as before.
    @Test(arguments: [nil, "u1 mine"])
    func otherItemWithTheSameVersionIsMergedBeforeAWriteOnSOGo(mine: String?) {
        let (fixture, list, path) = PassFixture.ofSOGo()
        fixture.server.remove(path)
        fixture.server.write(path, "u1 theirs")
        fixture.todod.edit(list, path, mine)
        // The other text is merged before anything is written.
        fixture.server.willAnswer = { request in
            #expect(
                !["PUT", "DELETE"].contains(request.split(separator: " ")[0])
                    || fixture.todod[list].entries["http://h\(path)"]?.base == "u1 theirs")
        }
        fixture.run(sendsFirst: true)
        let requests = fixture.requests()
        #expect(requests.first == "GET \(path)")
        #expect(requests.contains { $0.hasPrefix(mine == nil ? "DELETE" : "PUT") })
    }

    /// SOGo ignores the condition of a deletion.
    @Test func changeAfterMergeIsMergedBeforeDeletionOnSOGo() {
        let (fixture, list, path) = PassFixture.ofSOGo()
        fixture.todod.edit(list, path, nil)
        var reads = 0
        fixture.server.willAnswer = { request in
            if request == "GET \(path)" {
                reads += 1
                // The item was merged after the first read.
                if reads == 2 { fixture.server.write(path, "u1 later") }
            }
            #expect(
                !request.hasPrefix("DELETE")
                    || fixture.todod[list].entries["http://h\(path)"]?.base == "u1 later")
        }
        fixture.run(sendsFirst: true)
        #expect(fixture.requests().contains("DELETE \(path)"))
    }

    @Test func itemOfSOGoThatCannotBeReadLeavesTheOthers() {
        let (fixture, list, path) = PassFixture.ofSOGo()
        fixture.todod.edit(list, path, nil)
        fixture.todod.edit(list, "/SOGo/dav/2.ics", "u2 mine")
        let refusal = CalDAVError.forbidden(FakeServer.url(path), precondition: nil)
        fixture.server.faults["GET \(path)"] = Array(repeating: refusal, count: 9)
        let result = fixture.run(sendsFirst: true)
        #expect(result.sent == 1 && result.problems.count == 1, "\(result.problems)")
        #expect(fixture.server.text(path) != nil && fixture.server.text("/SOGo/dav/2.ics") != nil)
    }

    @Test func newItemOfSOGoDoesNotReplaceAnother() {
        let (fixture, list, _) = PassFixture.ofSOGo()
        let path = "/SOGo/dav/new.ics"
        fixture.server.write(path, "u2 theirs")
        fixture.todod.edit(list, path, "u2 mine")
        fixture.server.willAnswer = { request in
            #expect(
                !request.hasPrefix("PUT")
                    || fixture.todod[list].entries["http://h\(path)"]?.base == "u2 theirs")
        }
        fixture.run(sendsFirst: true)
        #expect(fixture.server.text(path) == "u2 mine (stored)")
    }

    @Test func ownDeletionIsNotReadBack() {
        let fixture = PassFixture("/a/", "/b/")
        fixture.server.write("/a/1.ics", "u1 text")
        fixture.run()
        fixture.todod.edit("a", "/a/1.ics", nil)
        fixture.run(sendsFirst: true)
        #expect(!fixture.requests().contains { $0.contains("/b/") })
        #expect(!fixture.calls().contains { $0.hasPrefix("Take") && $0.contains("-1") })
    }

    @Test func itemThatIsSentAgainAfterItsDeletionCanBeDeletedByOthers() {
        let fixture = PassFixture("/a/")
        let path = "/a/1.ics"
        fixture.server.write(path, "u1 text")
        fixture.run()
        fixture.todod.edit("a", path, nil)
        var states = 0
        fixture.server.willAnswer = { [server = fixture.server, todod = fixture.todod] request in
            guard request == "state /a/" else { return }
            states += 1
            if states == 1 { todod.edit("a", path, "u1 again") }
            if states == 2, server.text(path) != nil { server.remove(path) }
        }
        fixture.run(sendsFirst: true)
        fixture.server.willAnswer = { _ in }
        fixture.run()
        #expect(states >= 2)
        #expect(fixture.todod["a"].entries["http://h\(path)"] == nil)
    }

    @Test func newItemMustNotExist() {
        let fixture = fixture()
        fixture.server.write("/a/new.ics", "u2 theirs")
        fixture.todod.edit("a", "/a/new.ics", "u2 mine")
        fixture.run(sendsFirst: true)
        // The item of the server is read first, and then replaced with the merged text.
        #expect(fixture.requests().prefix(2) == ["PUT /a/new.ics", "GET /a/new.ics"])
        #expect(fixture.server.text("/a/new.ics") == "u2 mine (stored)")
        #expect(fixture.todod["a"].unsent.isEmpty)
    }

    @Test func outdatedVersionIsMergedBeforeItIsSent() {
        let fixture = fixture()
        fixture.server.write("/a/1.ics", "u1 theirs")
        fixture.todod.edit("a", "/a/1.ics", "u1 mine")
        let result = fixture.run(sendsFirst: true)
        #expect(
            fixture.calls().prefix(3) == [
                "Uploads a 1", "Take a +1 -0", "Take a +0 -0 token=t2 complete",
            ])
        #expect(fixture.server.text("/a/1.ics") == "u1 mine (stored)")
        #expect(result.problems.isEmpty)
    }

    @Test func changedItemThatWasDeletedIsReportedWithTheDeletions() {
        let fixture = fixture()
        fixture.server.remove("/a/1.ics")
        fixture.todod.edit("a", "/a/1.ics", "u1 mine")
        fixture.run(sendsFirst: true)
        #expect(
            fixture.calls().prefix(2) == [
                "Uploads a 1", "Take a +0 -0 missing=1 token=t2 complete",
            ])
        #expect(fixture.server.text("/a/1.ics") == "u1 mine (stored)")
    }

    @Test func deletionIsConditional() {
        let fixture = fixture()
        fixture.server.write("/a/1.ics", "u1 theirs")
        fixture.todod.edit("a", "/a/1.ics", nil)
        fixture.run(sendsFirst: true)
        #expect(fixture.requests().prefix(2) == ["DELETE /a/1.ics", "GET /a/1.ics"])
        #expect(fixture.server.text("/a/1.ics") == nil)
        #expect(fixture.todod["a"].unsent.isEmpty)
    }

    @Test func textsOfAllListsAreSentBeforeDeletions() {
        let fixture = fixture()
        fixture.todod.edit("a", "/a/1.ics", nil)
        fixture.todod.edit("b", "/b/1.ics", "u1 text")
        fixture.run()
        let changes = fixture.requests().filter { $0.hasPrefix("PUT") || $0.hasPrefix("DELETE") }
        #expect(changes == ["PUT /b/1.ics", "DELETE /a/1.ics"])
    }

    @Test func deletionIsSentFirstIfUIDsAreUnique() {
        let fixture = fixture()
        fixture.server.hasUniqueUIDs = true
        fixture.todod.edit("a", "/a/1.ics", nil)
        fixture.todod.edit("b", "/b/1.ics", "u1 text")
        let result = fixture.run()
        let changes = fixture.requests().filter { $0.hasPrefix("PUT") || $0.hasPrefix("DELETE") }
        #expect(changes == ["PUT /b/1.ics", "DELETE /a/1.ics", "PUT /b/1.ics"])
        #expect(fixture.server.text("/b/1.ics") == "u1 text (stored)")
        #expect(result.problems.isEmpty)
    }

    @Test func itemWithTheSameUIDIsRead() {
        let fixture = fixture()
        fixture.server.hasUniqueUIDs = true
        fixture.todod.edit("a", "/a/other.ics", "u1 mine")
        fixture.run()
        #expect(fixture.requests().contains("GET /a/1.ics"))
        #expect(fixture.calls().contains("Take a +1 -0"))
    }

    @Test func secondUIDConflictIsARefusal() {
        let fixture = fixture()
        fixture.todod.edit("a", "/a/2.ics", "u2 mine")
        fixture.server.faults["PUT"] = [
            .uidConflict(Self.item, existing: nil), .uidConflict(Self.item, existing: nil),
        ]
        let result = fixture.run()
        #expect(result.problems == ["a: another task on the server has the same UID; delete one of them"])
        #expect(fixture.requests().filter { $0.hasPrefix("PUT") }.count == 2)
        #expect(fixture.requests().isEmpty)
    }

    @Test func manyDeletionsAreSentInOnePass() {
        let fixture = PassFixture("/a/")
        for number in 1...70 { fixture.server.write("/a/\(number).ics", "u\(number) text") }
        fixture.run()
        fixture.todod.uploadsPerPage = 10
        for number in 1...65 { fixture.todod.edit("a", "/a/\(number).ics", nil) }
        fixture.todod.edit("a", "/a/70.ics", "u70 mine")
        let result = fixture.run()
        #expect(result.problems.isEmpty)
        #expect(result.sent == 66)
        #expect(fixture.todod["a"].unsent.isEmpty)
        #expect(fixture.server.text("/a/70.ics") == "u70 mine (stored)")
    }

    // MARK: - Lost answers

    @Test(arguments: ["PUT", "DELETE"])
    func changeWithALostAnswerIsMadeOnce(verb: String) {
        let fixture = fixture()
        fixture.todod.edit("a", "/a/1.ics", verb == "PUT" ? "u1 mine (stored)" : nil)
        if verb == "PUT" { fixture.todod.edit("a", "/a/new.ics", "u2 new (stored)") }
        fixture.server.lostAnswers[verb] = 2
        let result = fixture.run()
        #expect(result.failure == nil)
        #expect(fixture.server.lists["/a/"]?.items.count == (verb == "PUT" ? 2 : 0))
        #expect(fixture.todod["a"].unsent.isEmpty || verb == "PUT")
    }

    @Test func changeThatDidNotArriveIsSentAgain() {
        let fixture = fixture()
        fixture.todod.edit("a", "/a/1.ics", "u1 mine")
        fixture.server.faults["PUT"] = [.answerLost(Self.item, reason: "cut")]
        fixture.run()
        #expect(fixture.requests().filter { $0.hasPrefix("PUT") }.count == 2)
        #expect(fixture.server.text("/a/1.ics") == "u1 mine (stored)")
    }

    @Test func resultsBeforeAFailureAreRecorded() {
        let fixture = fixture()
        for number in 2...4 { fixture.todod.edit("a", "/a/\(number).ics", "u\(number) mine") }
        fixture.server.faults["PUT"] = [nil, nil, .offline(Self.item, reason: "down")]
        #expect(fixture.run().failure?.kind == .offline)
        #expect(fixture.calls().contains("Record a 2"))
        #expect(Array(fixture.todod["a"].unsent.keys) == ["http://h/a/4.ics"])
    }

    @Test func unreadableResultIsNotRecorded() {
        let fixture = fixture()
        fixture.todod.edit("a", "/a/1.ics", "u1 mine")
        fixture.server.faults["GET"] = [.offline(Self.item, reason: "down")]
        #expect(fixture.run().failure?.kind == .offline)
        #expect(fixture.todod["a"].unsent.count == 1)
        fixture.run()
        #expect(fixture.todod["a"].unsent.isEmpty)
        #expect(fixture.server.lists["/a/"]?.items.count == 1)
    }

    @Test func unrecordedResultIsMergedByTheNextPass() {
        let fixture = fixture()
        fixture.todod.edit("a", "/a/1.ics", "u1 mine")
        fixture.todod.faults["RecordSyncUploads"] = [TodoUnreachable(reason: "killed")]
        #expect(fixture.run().failure?.kind == .noDaemon)
        fixture.run()
        #expect(fixture.todod["a"].unsent.isEmpty)
        #expect(fixture.todod["a"].entries["http://h/a/1.ics"]?.etag == fixture.etag("/a/1.ics"))
    }

    @Test func resultsAreRecordedInBatches() {
        let fixture = fixture()
        fixture.todod.uploadsPerPage = 30
        for number in 2...50 { fixture.todod.edit("a", "/a/\(number).ics", "u\(number) mine") }
        fixture.run()
        #expect(
            fixture.calls().filter { $0.hasPrefix("Record") } == [
                "Record a 20", "Record a 10", "Record a 19",
            ])
    }

    // MARK: - Refusals

    @Test(arguments: [
        CalDAVError.refused(item, status: 412, element: "valid-calendar-data", text: nil),
        .itemTooLarge(item), .forbidden(item, precondition: nil),
    ])
    func refusedChangeWaitsForAnHourOrAChange(error: CalDAVError) {
        let fixture = fixture()
        fixture.todod.edit("a", "/a/1.ics", "u1 bad")
        fixture.server.faults["PUT"] = [error]
        #expect(fixture.run().problems == ["a: \(error)"])
        #expect(fixture.todod.problems == ["\(error)"])
        #expect(fixture.requests().filter { $0.hasPrefix("PUT") }.count == 1)

        fixture.run()
        #expect(fixture.requests().filter { $0.hasPrefix("PUT") }.isEmpty)
        #expect(fixture.todod["a"].summary.problem == "\(error)")

        fixture.now = fixture.now + 3_601.0
        fixture.run()
        #expect(fixture.server.text("/a/1.ics") == "u1 bad (stored)")
        #expect(fixture.todod["a"].summary.problem == nil)
    }

    @Test func userRetriesRefusedChanges() {
        let fixture = fixture()
        fixture.todod.edit("a", "/a/1.ics", "u1 bad")
        fixture.server.faults["PUT"] = [.itemTooLarge(Self.item)]
        fixture.run()
        fixture.run(retriesRefused: true)
        #expect(fixture.server.text("/a/1.ics") == "u1 bad (stored)")
    }

    @Test func failureOfTheServerIsARefusalWhenItIsRepeated() {
        let fixture = fixture()
        let error = CalDAVError.server(Self.item, status: 500, retryAfter: nil)
        fixture.todod.edit("a", "/a/1.ics", "u1 mine")
        fixture.server.faults["PUT"] = [error, error]
        #expect(fixture.run().problems == ["a: \(error)"])
        #expect(fixture.requests().filter { $0.hasPrefix("PUT") }.count == 2)
        fixture.run()
        #expect(fixture.requests().filter { $0.hasPrefix("PUT") }.isEmpty)
    }

    @Test(arguments: [423, 500])
    func failureOfTheMomentIsRetried(status: Int) {
        let fixture = fixture()
        fixture.todod.edit("a", "/a/1.ics", "u1 mine")
        fixture.server.faults["PUT"] = [.server(Self.item, status: status, retryAfter: nil)]
        #expect(fixture.run().problems == [])
        #expect(fixture.server.text("/a/1.ics") == "u1 mine (stored)")
    }

    @Test func changedItemIsSentAgainAfterARefusal() {
        let fixture = fixture()
        fixture.todod.edit("a", "/a/1.ics", "u1 bad")
        fixture.server.faults["PUT"] = [.itemTooLarge(Self.item)]
        fixture.run()
        fixture.todod.edit("a", "/a/1.ics", "u1 good")
        fixture.run()
        #expect(fixture.server.text("/a/1.ics") == "u1 good (stored)")
    }

    @Test(arguments: [CalDAVError.quotaExceeded(item), .forbidden(item, precondition: "need-privileges")])
    func refusalOfTheWholeListEndsUploads(error: CalDAVError) {
        let fixture = fixture()
        for number in 2...5 { fixture.todod.edit("a", "/a/\(number).ics", "u\(number) mine") }
        fixture.server.faults["PUT"] = [error]
        fixture.run()
        #expect(fixture.requests().filter { $0.hasPrefix("PUT") }.count == 1)
        fixture.run()
        #expect(fixture.requests().filter { $0.hasPrefix("PUT") }.isEmpty)
        #expect(fixture.todod["a"].summary.problem == "\(error)")
    }

    @Test func refusalsOfAPassAreLimited() {
        let fixture = fixture()
        for number in 10...60 { fixture.todod.edit("a", "/a/\(number).ics", "u\(number) bad") }
        fixture.server.faults["PUT"] = Array(repeating: .itemTooLarge(Self.item), count: 60)
        fixture.run()
        #expect(fixture.requests().filter { $0.hasPrefix("PUT") }.count == 20)
    }

    // MARK: - Rounds

    @Test func roundsAreLimited() {
        let fixture = fixture()
        fixture.todod.edit("a", "/a/1.ics", "u1 mine")
        // Another client writes the item before each request.
        fixture.server.willAnswer = { [server = fixture.server] request in
            if request == "PUT /a/1.ics" { server.write("/a/1.ics", "u1 theirs") }
        }
        let result = fixture.run()
        #expect(fixture.requests().filter { $0 == "PUT /a/1.ics" }.count == AccountPass.roundsLimit)
        #expect(result.problems.count == 1)
        #expect(result.failure == nil)
    }

    @Test func changeDuringThePassIsRead() {
        let fixture = fixture()
        fixture.todod.edit("a", "/a/1.ics", "u1 mine")
        fixture.server.willAnswer = { [server = fixture.server] request in
            guard request == "GET /a/1.ics" else { return }
            server.willAnswer = { _ in }
            server.write("/a/2.ics", "u2 theirs")
        }
        fixture.run()
        #expect(fixture.todod["a"].entries.count == 2)
    }
}
