import Testing
import TodoAPI

@testable import TodoClient

@Suite struct SyncResultTests {
    private func reply(
        _ list: String?, of account: String?, received: Int64, sent: Int64, problems: [String] = []
    ) -> SyncNow.Reply {
        var reply = SyncNow.Reply.sample(list, received: received, sent: sent, problems: problems)
        reply.account = account
        return reply
    }

    @Test func listsOfSeveralAccountsHaveTheirNames() {
        var result = SyncResult()
        result.add(reply("home", of: "a", received: 1, sent: 0))
        #expect(result.activity == "Synchronizing home: 1 received, 0 sent")
        result.add(reply("home", of: "b", received: 0, sent: 2))
        result.add(reply(nil, of: nil, received: 1, sent: 2))
        #expect(result.lines == ["a/home: 1 received, 0 sent", "b/home: 0 received, 2 sent"])
    }

    @Test func resultWithoutListsHasSums() {
        var result = SyncResult()
        #expect(result.activity == "Synchronizing" && result.lines == ["Nothing has changed on either side."])
        result.add(reply(nil, of: nil, received: 4, sent: 0))
        #expect(result.lines == ["4 received, 0 sent"])
    }

    @Test func problemsAreShownOnceWithTheirLines() {
        var result = SyncResult()
        result.add(
            reply(
                nil, of: "a", received: 0, sent: 0,
                problems: ["no answer\ntry later", "no answer\ntry later"]))
        #expect(result.problems == ["no answer\ntry later"])
        #expect(result.lines.isEmpty)
    }
}
