import CalDAV
import CivilTime
import Foundation
import Testing
import TodoAPI

@testable import TodoSync

@Suite struct ServiceTests {
    private static let list = FakeServer.url("/a/")

    /// A service whose account has had its first pass.
    private func started(_ names: String...) throws -> ServiceFixture {
        let fixture = try ServiceFixture("/a/")
        fixture.with { server, _ in server.write("/a/1.ics", "u1 text") }
        _ = try fixture.call(SyncNow.self)
        _ = fixture.with { server, _ in server.takeRequests() }
        return fixture
    }

    @Test func syncNowRepliesWhenBothSidesAgree() throws {
        let fixture = try ServiceFixture("/a/")
        fixture.with { server, todod in
            server.write("/a/1.ics", "u1 text")
            todod.edit("a", "/a/2.ics", "u2 mine")
        }
        let replies = try fixture.call(SyncNow.self, more: true) { $0.account = "home" }
        let last = try #require(replies.last)
        #expect(last.problems.isEmpty)
        #expect(last.sent == 1)
        #expect(replies.dropLast().contains { $0.list == "a" && $0.received == 1 })
        fixture.with { server, todod in
            #expect(server.text("/a/2.ics") == "u2 mine (stored)")
            #expect(todod["a"].entries.count == 2)
        }
    }

    @Test func syncNowReportsProblems() throws {
        let fixture = try started()
        fixture.with { server, _ in server.faults["state"] = [.notFound(Self.list)] }
        let reply = try #require(try fixture.call(SyncNow.self).last)
        #expect(reply.problems == ["a: \(CalDAVError.notFound(Self.list))"])
    }

    @Test func syncNowReportsWhatBothSidesDoNotAgreeOn() throws {
        let fixture = try started()
        fixture.with { server, todod in
            server.lists["/a/"]?.isReadOnly = true
            todod["a"].summary.readOnly = true
            todod.edit("a", "/a/1.ics", "u1 mine")
        }
        let unsent = try #require(try fixture.call(SyncNow.self).last)
        #expect(
            unsent.problems == ["a: 1 change stays here, because you may only read the list on the server"])
        fixture.with { _, todod in todod["a"].summary.heldDeletions = "all are gone" }
        let held = try #require(try fixture.call(SyncNow.self).last)
        #expect(held.problems == ["a: deletions are held back: all are gone; see: todoctl sync status"])
        #expect(try fixture.call(GetSyncState.self).last?.accounts.first?.problem == nil)
    }

    @Test func unknownAccountIsRefused() throws {
        let fixture = try started()
        #expect(throws: APIError.syncAccountNotFound(name: "hme", similar: ["home"])) {
            try fixture.call(SyncNow.self) { $0.account = "hme" }
        }
    }

    @Test func localChangeIsSentWithinTwoSeconds() throws {
        let fixture = try started()
        fixture.with { _, todod in todod.edit("a", "/a/1.ics", "u1 mine") }
        let begin = ContinuousClock.now
        fixture.itemsDidChange()
        try fixture.wait { server, _ in server.text("/a/1.ics") == "u1 mine (stored)" }
        #expect(ContinuousClock.now - begin < .seconds(2))
        fixture.with { server, _ in #expect(server.requests.first == "PUT /a/1.ics") }
    }

    @Test func changeWithoutUnsentItemsCausesNoRequest() throws {
        let fixture = try started()
        fixture.itemsDidChange()
        // This call is answered after the pass that the change would have started.
        _ = try fixture.call(SyncNow.self)
        fixture.with { server, _ in #expect(server.requests == ["state /a/"]) }
    }

    @Test func refusedPasswordIsNotSentAgainBeforeTheUserAsks() throws {
        let fixture = try started()
        fixture.with { server, _ in server.faults["state"] = [.unauthorized(Self.list)] }
        #expect(try fixture.call(SyncNow.self).last?.problems == ["\(CalDAVError.unauthorized(Self.list))"])
        let state = try #require(try fixture.call(GetSyncState.self).last?.accounts.first)
        #expect(state.state == .failed)
        #expect(try #require(state.nextSync) - .now > 3_500)
        _ = fixture.with { server, _ in server.takeRequests() }
        fixture.with { _, todod in todod.edit("a", "/a/1.ics", "u1 mine") }
        fixture.itemsDidChange()
        fixture.networkDidChange()
        Thread.sleep(forTimeInterval: 1)
        fixture.with { server, _ in #expect(server.requests.isEmpty) }
        // The password is read again, because it may have been corrected.
        _ = try fixture.call(SyncNow.self)
        #expect(fixture.usedPasswords == ["configured", "configured"])
        fixture.with { server, _ in #expect(server.text("/a/1.ics") == "u1 mine (stored)") }
    }

    @Test func networkChangeStartsTheNextTry() throws {
        let fixture = try started()
        fixture.with { server, _ in server.faults["state"] = [.offline(Self.list, reason: "down")] }
        _ = try fixture.call(SyncNow.self)
        #expect(try fixture.call(GetSyncState.self).last?.accounts.first?.state == .offline)
        fixture.with { server, _ in server.write("/a/2.ics", "u2 text") }
        fixture.networkDidChange()
        try fixture.wait { _, todod in todod["a"].entries.count == 2 }
    }

    // MARK: - Accounts

    @Test func listsAreFound() throws {
        let fixture = try ServiceFixture("/a/", "/b/")
        fixture.with { server, _ in server.lists["/b/"]?.isReadOnly = true }
        let reply = try #require(
            try fixture.call(FindLists.self) {
                $0.url = "h"
                $0.user = "ann"
                $0.password = "secret"
            }.last)
        #expect(reply.principal == "http://h/ann/")
        #expect(reply.url == "http://h/ann/")
        #expect(reply.lists.map(\.url) == ["http://h/a/", "http://h/b/"])
        #expect(reply.lists.map(\.readOnly) == [nil, true])
        #expect(reply.lists.map(\.account) == ["home", "home"])
        #expect(fixture.usedPasswords.last == "secret")
    }

    @Test func accountIsAddedSynchronizedAndRemoved() throws {
        let fixture = try ServiceFixture("/a/", hasAccount: false)
        fixture.with { server, _ in server.write("/a/1.ics", "u1 text") }
        let added = try #require(
            try fixture.call(AddAccount.self) {
                $0.url = "h"
                $0.user = "ann"
                $0.password = "secret"
                var choice = SyncListChoice()
                choice.url = "http://h/a"
                choice.name = "a"
                $0.lists = [choice]
            }.last)
        #expect(added.account.name == "h")
        #expect(added.account.principal == "http://h/ann/")
        // Without a Secret Service, the password is in a file.
        guard case .file(let path)? = PasswordSource(added.account.passwordSource) else {
            throw ServiceFixture.Failed(description: added.account.passwordSource)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "secret\n")
        try fixture.wait { _, todod in todod["a"].entries.count == 1 }
        #expect(fixture.usedPasswords == ["secret", "secret"])

        _ = try fixture.call(RemoveAccount.self) { $0.name = "h" }
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try fixture.call(SyncNow.self).last?.received == 0)
        #expect(try fixture.call(GetSyncState.self).last?.accounts.isEmpty == true)
    }

    @Test func wrongPasswordIsNotStored() throws {
        let fixture = try ServiceFixture("/a/", hasAccount: false)
        fixture.with { server, _ in server.faults["discover"] = [.unauthorized(Self.list)] }
        #expect(throws: APIError.serverProblem(reason: "\(CalDAVError.unauthorized(Self.list))")) {
            try fixture.call(AddAccount.self) {
                $0.url = "h"
                $0.user = "ann"
                $0.password = "wrong"
                $0.lists = [SyncListChoice()]
            }
        }
        fixture.with { _, todod in #expect(!todod.hasAccount) }
    }

    @Test func nameOfAnotherAccountIsRefused() throws {
        let fixture = try started()
        #expect(throws: APIError.syncAccountExists(name: "home")) {
            try fixture.call(AddAccount.self) {
                $0.name = "home"
                $0.url = "h"
                $0.user = "bob"
                $0.password = "x"
                $0.lists = [SyncListChoice()]
            }
        }
    }

    @Test(arguments: ["secret", "file:relative"])
    func wrongPlaceOfAPasswordIsRefused(source: String) throws {
        let fixture = try ServiceFixture("/a/", hasAccount: false)
        let error = #expect(throws: APIError.self) {
            try fixture.call(FindLists.self) {
                $0.url = "h"
                $0.user = "ann"
                $0.passwordSource = source
            }
        }
        #expect(error?.name == "dev.todod.Todo.InvalidValue")
    }

    @Test func unreachableTododIsReported() throws {
        let fixture = try ServiceFixture("/a/")
        fixture.with { _, todod in
            todod.faults["ListSyncAccounts"] = [TodoUnreachable(reason: "connection refused")]
        }
        let error = #expect(throws: APIError.self) { try fixture.call(SyncNow.self) }
        guard case .serverProblem(let reason)? = error else {
            throw ServiceFixture.Failed(description: "\(String(describing: error))")
        }
        #expect(reason.hasPrefix("todod does not answer (connection refused)"))
    }
}
