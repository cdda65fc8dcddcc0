import CalDAV
import CivilTime
import Testing
import TodoAPI

@testable import TodoSync

@Suite struct ReceiveTests {
    private static let list = FakeServer.url("/a/")

    private func filled(_ count: Int) -> PassFixture {
        let fixture = PassFixture("/a/")
        for number in 1...count { fixture.server.write("/a/\(number).ics", "u\(number) text") }
        return fixture
    }

    @Test func firstPassReadsAllItemsWithOneReport() {
        let fixture = filled(3)
        fixture.server.includesTexts = true
        let result = fixture.run()
        #expect(result.failure == nil)
        #expect(result.received == 3)
        #expect(fixture.requests() == ["state /a/", "changes /a/"])
        #expect(fixture.calls() == ["Take a +3 -0", "Take a +0 -0 token=t3 complete"])
        #expect(fixture.todod["a"].entries["http://h/a/1.ics"]?.base == "u1 text")
    }

    /// The token of SOGo is a second, in which more changes can follow.
    @Test func comparisonOnSOGoReadsTextsWithTheSameVersion() {
        let (fixture, list, path) = PassFixture.ofSOGo()
        fixture.server.remove(path)
        fixture.server.write(path, "u1 theirs")
        // All items are compared in the first pass of a process.
        fixture.forgetMemory()
        fixture.run()
        #expect(fixture.requests().contains("entries /SOGo/dav/"))
        #expect(fixture.todod[list].entries["http://h\(path)"]?.base == "u1 theirs")
        #expect(fixture.todod[list].summary.token == "t2")
    }

    @Test func idlePassIsOneSmallRequest() {
        let fixture = filled(3)
        fixture.run()
        fixture.run()
        #expect(fixture.requests() == ["state /a/"])
        #expect(fixture.calls().isEmpty)
    }

    @Test func textsAreReadInChunks() {
        let fixture = filled(220)
        fixture.run()
        #expect(
            fixture.requests() == [
                "state /a/", "changes /a/", "texts(200) /a/", "texts(20) /a/",
            ])
    }

    @Test func tokenIsStoredAfterTheLastPageOnly() {
        let fixture = filled(5)
        fixture.server.pageSize = 2
        fixture.run()
        #expect(fixture.requests().filter { $0.hasPrefix("changes") }.count == 3)
        let calls = fixture.calls()
        #expect(calls.filter { $0.contains("token=") } == ["Take a +0 -0 token=t5 complete"])
        #expect(calls.last?.contains("token=t5") == true)
    }

    @Test func interruptedPagesStoreNoToken() {
        let fixture = filled(5)
        fixture.server.pageSize = 2
        fixture.server.faults["changes"] = [nil, .offline(Self.list, reason: "down")]
        let result = fixture.run()
        #expect(result.failure?.kind == .offline)
        #expect(fixture.todod["a"].summary.token == nil)
        #expect(fixture.todod["a"].summary.problem == nil)
        fixture.run()
        #expect(fixture.todod["a"].summary.token == "t5")
        #expect(fixture.todod["a"].entries.count == 5)
    }

    @Test func deletionAfterAnInterruptedFirstPassIsFound() {
        let fixture = filled(5)
        fixture.server.pageSize = 2
        fixture.server.faults["changes"] = [nil, .offline(Self.list, reason: "down")]
        fixture.run()
        let stored = fixture.todod["a"].entries.keys.sorted()
        #expect(stored.count == 2)
        fixture.server.remove(String(stored[0].dropFirst("http://h".count)))
        fixture.server.pageSize = nil
        fixture.run()
        #expect(fixture.todod["a"].entries.count == 4)
        #expect(fixture.todod["a"].entries[stored[0]] == nil)
    }

    @Test func deletionOfAnItemOfAnInterruptedPassIsFound() {
        let fixture = filled(2)
        fixture.server.omitsShortLivedItems = true
        fixture.run()
        fixture.server.write("/a/3.ics", "u3 new")
        fixture.server.write("/a/4.ics", "u4 new")
        fixture.server.pageSize = 1
        fixture.server.faults["changes"] = [nil, .offline(Self.list, reason: "down")]
        fixture.run()
        #expect(fixture.todod["a"].entries.count == 3 && fixture.todod["a"].summary.token == "t2")
        fixture.server.remove("/a/3.ics")
        fixture.server.pageSize = nil
        fixture.run()
        #expect(fixture.requests().contains("entries /a/"))
        #expect(fixture.todod["a"].entries.keys.sorted() == ["1", "2", "4"].map { "http://h/a/\($0).ics" })
        fixture.server.write("/a/5.ics", "u5 new")
        fixture.run()
        #expect(!fixture.requests().contains("entries /a/"))
    }

    @Test func laterPageOverridesDeletion() {
        let fixture = filled(2)
        fixture.run()
        fixture.server.remove("/a/1.ics")
        fixture.server.write("/a/2.ics", "u2 new")
        fixture.server.pageSize = 1
        // Another client writes the deleted item again after the first page.
        var pageCount = 0
        fixture.server.willAnswer = { [server = fixture.server] request in
            guard request == "changes /a/" else { return }
            pageCount += 1
            if pageCount == 2 { server.write("/a/1.ics", "u1 back") }
        }
        fixture.run()
        #expect(fixture.todod["a"].deletions.isEmpty)
        #expect(fixture.todod["a"].entries["http://h/a/1.ics"]?.base == "u1 back")
    }

    @Test func listBeforeOneWithDeletionsIsNotCompared() {
        let fixture = PassFixture("/a/", "/b/")
        fixture.server.write("/a/0.ics", "u0 text")
        fixture.server.write("/b/1.ics", "u1 text")
        fixture.run()
        fixture.server.write("/a/0.ics", "u0 new")
        fixture.server.remove("/b/1.ics")
        fixture.run()
        #expect(!fixture.requests().contains { $0.hasPrefix("entries") })
        #expect(fixture.todod["a"].entries["http://h/a/0.ics"]?.base == "u0 new")
    }

    @Test func taskThatIsMovedWhileTheListsAreReadIsReadBeforeItsDeletion() {
        let fixture = PassFixture("/a/", "/b/")
        fixture.server.write("/a/0.ics", "u0 text")
        fixture.server.write("/b/1.ics", "u1 text")
        fixture.run()
        fixture.server.willAnswer = { [server = fixture.server] request in
            guard request == "state /b/" else { return }
            server.willAnswer = { _ in }
            server.write("/a/1.ics", "u1 moved")
            server.remove("/b/1.ics")
        }
        fixture.run()
        let calls = fixture.calls().filter { $0.hasPrefix("Take") }
        #expect(calls.first?.hasPrefix("Take a +1 -0") == true)
        #expect(calls.contains { $0.hasPrefix("Take b +0 -1") })
        #expect(fixture.todod["a"].entries["http://h/a/1.ics"]?.base == "u1 moved")
    }

    @Test func moveIsReadBeforeItsDeletionAfterALocalChange() {
        let fixture = PassFixture("/a/", "/b/")
        fixture.server.write("/b/1.ics", "u1 text")
        fixture.server.write("/b/2.ics", "u2 text")
        fixture.run()
        fixture.server.write("/a/1.ics", "u1 moved")
        fixture.server.remove("/b/1.ics")
        fixture.todod.edit("b", "/b/2.ics", "u2 mine")
        fixture.run(sendsFirst: true)
        let calls = fixture.calls().filter { $0.hasPrefix("Take") }
        let moved = calls.firstIndex { $0.hasPrefix("Take a +1") }
        let deleted = calls.firstIndex { $0.hasPrefix("Take b") && $0.contains("-1") }
        #expect(moved != nil && deleted != nil && moved ?? 9 < deleted ?? 0, "\(calls)")
    }

    /// The list may have the tasks that are gone in the other one.
    @Test func deletionsWaitWhileAnotherListFails() {
        let fixture = PassFixture("/a/", "/b/")
        fixture.server.write("/a/1.ics", "u1 text")
        fixture.server.write("/a/2.ics", "u2 text")
        fixture.run()
        fixture.server.remove("/a/1.ics")
        fixture.server.write("/a/2.ics", "u2 new")
        fixture.server.faults["state /b/"] = Array(
            repeating: .forbidden(FakeServer.url("/b/"), precondition: nil), count: 3)
        fixture.run()
        #expect(fixture.todod["a"].entries["http://h/a/1.ics"] != nil)
        #expect(fixture.todod["a"].entries["http://h/a/2.ics"]?.base == "u2 new")
        fixture.run()
        #expect(fixture.todod["a"].entries["http://h/a/1.ics"] != nil)
        // A list that cannot be read for a long time does not keep the others from their deletions.
        fixture.now = fixture.now + AccountPass.failureSeconds
        fixture.run()
        #expect(fixture.todod["a"].entries["http://h/a/1.ics"] == nil)
    }

    @Test func deletionsThatWaitedAreTakenWhenTheOtherListIsRead() {
        let fixture = PassFixture("/a/", "/b/")
        fixture.server.write("/a/1.ics", "u1 text")
        fixture.run()
        fixture.server.remove("/a/1.ics")
        fixture.server.faults["state /b/"] = [.forbidden(FakeServer.url("/b/"), precondition: nil)]
        fixture.run()
        #expect(fixture.todod["a"].entries["http://h/a/1.ics"] != nil)
        fixture.run()
        #expect(fixture.todod["a"].entries["http://h/a/1.ics"] == nil)
    }

    @Test func deletionsFollowChangedTextsOfAllLists() {
        let fixture = PassFixture("/a/", "/b/")
        fixture.server.write("/a/1.ics", "u1 text")
        fixture.run()
        // Another client moves the item.
        fixture.server.remove("/a/1.ics")
        fixture.server.write("/b/1.ics", "u1 text")
        fixture.run()
        #expect(
            fixture.calls() == [
                "Take b +1 -0", "Take a +0 -1 token=t2 complete", "Take b +0 -0 token=t1 complete",
            ])
    }

    // MARK: - The ladder

    @Test func expiredTokenLeadsToComparison() {
        let fixture = filled(3)
        fixture.run()
        fixture.server.remove("/a/2.ics")
        fixture.server.write("/a/3.ics", "u3 new")
        fixture.server.faults["changes"] = [.tokenExpired(Self.list)]
        fixture.run()
        #expect(
            fixture.requests() == ["state /a/", "changes /a/", "entries /a/", "texts(1) /a/"])
        #expect(fixture.calls() == ["Take a +1 -0", "Take a +0 -0 missing=1 token=t5 complete"])
        fixture.run()
        #expect(fixture.requests() == ["state /a/"])
    }

    @Test(arguments: [500, 501, 507])
    func failedReportLeadsToComparison(status: Int) {
        let fixture = filled(2)
        fixture.run()
        fixture.server.remove("/a/2.ics")
        fixture.server.faults["changes"] = [.server(Self.list, status: status, retryAfter: nil)]
        #expect(fixture.run().failure == nil)
        #expect(fixture.todod["a"].deletions == ["http://h/a/2.ics"])
    }

    @Test func refusedReportIsNotSentAgain() {
        let fixture = filled(2)
        fixture.server.faults["changes"] = [.refused(Self.list, status: 415, element: nil, text: nil)]
        fixture.run()
        fixture.server.write("/a/2.ics", "u2 new")
        fixture.run()
        #expect(fixture.requests() == ["state /a/", "entries /a/", "texts(1) /a/"])
    }

    @Test func listingOfAllItemsReadsOnlyChangedTexts() {
        let fixture = filled(220)
        fixture.run()
        fixture.server.write("/a/7.ics", "u7 new")
        // The server has forgotten the token, and answers as if it were the first request.
        fixture.todod["a"].summary.token = "t0"
        fixture.run()
        #expect(fixture.requests() == ["state /a/", "changes /a/", "texts(1) /a/"])
    }

    @Test func ctagDecidesWithoutTokens() {
        let fixture = filled(3)
        fixture.server.supportsSyncCollection = false
        fixture.server.hasTokens = false
        fixture.run()
        #expect(fixture.requests() == ["state /a/", "entries /a/", "texts(3) /a/"])
        fixture.run()
        #expect(fixture.requests() == ["state /a/"])
        fixture.server.write("/a/4.ics", "u4 text")
        fixture.run()
        #expect(fixture.requests() == ["state /a/", "entries /a/", "texts(1) /a/"])
    }

    @Test func etagsDecideWithoutCtags() {
        let fixture = filled(3)
        fixture.server.supportsSyncCollection = false
        fixture.server.hasTokens = false
        fixture.server.hasCtags = false
        fixture.run()
        fixture.run()
        #expect(fixture.requests() == ["state /a/", "entries /a/"])
    }

    @Test func allEtagsAreComparedOnceADay() {
        let fixture = filled(3)
        fixture.run()
        // A server that has forgotten the token reports no deletion.
        fixture.server.lists["/a/"]?.items["/a/1.ics"] = nil
        fixture.run()
        #expect(fixture.todod["a"].deletions.isEmpty)
        fixture.now = fixture.now + 86_401.0
        fixture.run()
        #expect(fixture.requests() == ["state /a/", "entries /a/"])
        #expect(fixture.todod["a"].deletions == ["http://h/a/1.ics"])
    }

    @Test func unsentItemIsNotMissing() {
        let fixture = filled(1)
        fixture.run()
        fixture.todod["a"].entries["http://h/a/new.ics"] = FakeTodod.Entry(etag: nil, base: nil)
        fixture.now = fixture.now + 86_401.0
        fixture.run()
        #expect(fixture.calls() == ["Take a +0 -0 token=t1 complete"])
    }

    // MARK: - Deletions that are held back

    @Test(arguments: [
        CalDAVError.notFound(list), .forbidden(list, precondition: nil),
        .server(list, status: 500, retryAfter: nil), .malformed(list, reason: "cut"),
    ])
    func failedListLosesNothingAndNamesTheProblem(error: CalDAVError) {
        let fixture = filled(5)
        fixture.run()
        fixture.server.faults["state"] = [error]
        let result = fixture.run()
        #expect(fixture.calls() == ["Update a problem"])
        #expect(fixture.todod["a"].summary.problem == "\(error)")
        #expect(result.problems == ["a: \(error)"])
        #expect(fixture.todod["a"].entries.count == 5)
        fixture.run()
        #expect(fixture.todod["a"].summary.problem == nil)
    }

    @Test func failedListLeavesOtherLists() {
        let fixture = PassFixture("/a/", "/b/")
        fixture.server.write("/b/1.ics", "u1 text")
        fixture.server.faults["state /a/"] = [.notFound(Self.list)]
        #expect(fixture.run().failure == nil)
        #expect(fixture.todod["b"].entries.count == 1)
    }

    @Test func comparisonIsAttemptedAfterAFailure() {
        let fixture = filled(2)
        fixture.run()
        fixture.server.faults["state"] = [.server(Self.list, status: 500, retryAfter: nil)]
        fixture.run()
        fixture.run()
        #expect(fixture.requests() == ["state /a/", "entries /a/"])
    }

    @Test func otherPrincipalHoldsDeletionsBack() {
        let fixture = filled(5)
        fixture.run()
        fixture.server.lists["/a/"]?.principal = "http://h/bob/"
        fixture.server.remove("/a/1.ics")
        fixture.run()
        #expect(
            fixture.calls() == ["Update a held", "Take a +0 -1 token=t6 complete", "Update a problem"])
        #expect(fixture.todod["a"].entries.count == 5)
        #expect(fixture.todod["a"].summary.problem?.contains("http://h/bob/") == true)
        fixture.run()
        #expect(fixture.calls().isEmpty)
    }

    @Test func emptyListingIsReportedWithItsSize() {
        let fixture = filled(5)
        fixture.run()
        for number in 1...5 { fixture.server.remove("/a/\(number).ics") }
        fixture.server.faults["changes"] = [.tokenExpired(Self.list)]
        fixture.run()
        #expect(fixture.calls() == ["Take a +0 -0 missing=5 token=t10 complete"])
    }

    // MARK: - Limits

    @Test func textsOfACallAreLimited() {
        let fixture = PassFixture("/a/")
        let text = String(repeating: "x", count: 100 << 10)
        for number in 1...9 { fixture.server.write("/a/\(number).ics", "u\(number) \(text)") }
        fixture.run()
        #expect(fixture.todod.largestCall <= 400 << 10)
        #expect(fixture.todod["a"].entries.count == 9)
        #expect(fixture.calls().filter { $0.hasPrefix("Take a +") }.count == 4)
    }

    @Test func oversizeTextIsReportedWithoutItsText() {
        let fixture = filled(1)
        fixture.server.write("/a/2.ics", String(repeating: "x", count: 257 << 10))
        #expect(fixture.run().received == 2)
        #expect(fixture.todod["a"].summary.token == "t2")
        #expect(fixture.todod.largestCall < 257 << 10)
    }

    @Test func urlsOfACallAreLimited() {
        let batches = ChangeBatch.batches(of: (0..<4_500).map { "http://h/a/\($0).ics" })
        #expect(batches.map(\.count) == [2_000, 2_000, 500])
        #expect(ChangeBatch.batches(of: []).isEmpty)
    }

    @Test func manyMissingItemsAreHeldBack() {
        let fixture = PassFixture("/a/")
        fixture.todod.entriesPerPage = 1_000
        for number in 0..<2_500 {
            fixture.todod["a"].entries["http://h/a/\(number).ics"] = .init(etag: "\"1\"", base: "")
        }
        fixture.todod["a"].summary.token = "t0"
        fixture.run()
        #expect(
            fixture.calls() == [
                "Update a held", "Take a +0 -0 missing=2000",
                "Take a +0 -0 missing=500 token=t0 complete",
            ])
        #expect(fixture.todod["a"].entries.count == 2_500)
    }

    @Test func listWithoutCategoryIsNotSynchronized() {
        let fixture = filled(1)
        fixture.todod["a"].summary.category = nil
        let result = fixture.run()
        #expect(fixture.requests().isEmpty)
        #expect(result.problems == ["a: its category was deleted; remove the list, or add it again"])
    }

    @Test func positionThatTheServerLosesIsRemoved() {
        let fixture = filled(1)
        fixture.run()
        fixture.server.supportsSyncCollection = false
        fixture.server.hasTokens = false
        fixture.server.hasCtags = false
        fixture.run()
        #expect(fixture.todod["a"].summary.token == nil)
        #expect(fixture.todod["a"].summary.ctag == nil)
    }

    // MARK: - The whole account

    @Test func refusedPasswordEndsThePassAtOnce() {
        let fixture = PassFixture("/a/", "/b/")
        fixture.server.faults["state"] = [.unauthorized(Self.list)]
        let result = fixture.run()
        #expect(result.failure?.kind == .unauthorized)
        #expect(fixture.requests() == ["state /a/"])
        #expect(fixture.calls() == ["Update a problem", "Update b problem"])
        #expect(result.problems.count == 1)
    }

    @Test func waitOfTheServerIsObeyed() {
        let fixture = PassFixture("/a/", "/b/")
        fixture.server.faults["state"] = [.throttled(Self.list, seconds: 90)]
        let result = fixture.run()
        #expect(result.failure?.retryAfterSeconds == 90)
        #expect(fixture.requests() == ["state /a/"])
        #expect(fixture.calls().isEmpty)
    }

    @Test func failureOfTododIsTemporary() {
        let fixture = filled(1)
        fixture.todod.faults["TakeSyncChanges"] = [TodoUnreachable(reason: "stopped")]
        #expect(fixture.run().failure?.kind == .noDaemon)
        #expect(fixture.todod["a"].summary.token == nil)
    }

    @Test func readOnlyListIsMarkedAndNotSent() {
        let fixture = filled(1)
        fixture.run()
        fixture.server.lists["/a/"]?.isReadOnly = true
        fixture.todod.edit("a", "/a/1.ics", "u1 mine")
        fixture.run()
        #expect(fixture.todod["a"].summary.readOnly == true)
        #expect(fixture.requests() == ["state /a/"])
        fixture.server.lists["/a/"]?.isReadOnly = false
        fixture.run()
        #expect(fixture.todod["a"].summary.readOnly == false)
        #expect(fixture.server.text("/a/1.ics") == "u1 mine (stored)")
    }
}
