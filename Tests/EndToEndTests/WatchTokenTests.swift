import CivilTime
import Foundation
import TestProcesses
import Testing
import TodoAPI
import Varlink

/// `since` of `Watch`: a client continues where it stopped.
@Suite struct WatchTokenTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// Returns a connection that watches, and its first reply.
    private func watch(since token: String? = nil) throws -> (
        connection: ClientConnection, first: MethodReply
    ) {
        let connection = try sandbox.connect()
        try connection.call("Watch", token.map { #"{"since":\#(JSON.string($0).text)}"# } ?? "{}", more: true)
        return (connection, try connection.nextReply())
    }

    /// Returns the token of the present state.
    private func token() throws -> String {
        let first = try watch().first
        #expect(first.text("event") == "ready")
        return try #require(first.text("token"))
    }

    /// Returns the error for a token.
    private func refusal(of token: String) throws -> String? {
        let first = try watch(since: token).first
        #expect(!first.continues)
        return first.error
    }

    /// Returns the events after a token until that of a new item, which is not among them.
    private func events(since token: String) throws -> [String] {
        let (watcher, first) = try watch(since: token)
        #expect(first.text("event") == "ready" && first.text("token") == token, "\(first)")
        _ = try sandbox.call("AddItem", #"{"name":"the end"}"#)
        var events: [String] = []
        while true {
            let reply = try watcher.nextReply()
            let names = reply.names.filter { $0 != "the end" }
            let event = ([reply.text("event") ?? "\(reply)"] + names).joined(separator: " ")
            guard reply.names.contains("the end") else {
                events.append(event)
                continue
            }
            return names.isEmpty ? events : events + [event]
        }
    }

    private func call(_ method: String, _ parameters: String) throws {
        let reply = try sandbox.call(method, parameters)
        #expect(reply.error == nil, "\(reply)")
    }

    // MARK: - Continuing

    @Test(arguments: [SIGTERM, SIGKILL]) func changeBeforeRestartIsReportedOnce(signal: Int32) throws {
        let daemon = try sandbox.startDaemon()
        let (watcher, first) = try watch()
        try call("AddItem", #"{"name":"a"}"#)
        let added = try watcher.nextReply()
        #expect(added.names == ["a"] && added.text("token") != first.text("token"))
        try call("AddItem", #"{"name":"b"}"#)
        daemon.send(signal)
        _ = daemon.waitForEnd()
        _ = try sandbox.startDaemon()
        #expect(try events(since: try #require(first.text("token"))) == ["added a b"])
        #expect(try events(since: try #require(added.text("token"))) == ["added b"])
    }

    @Test func changesOfAnItemAreReportedAsOne() throws {
        _ = try sandbox.startDaemon()
        try sandbox.addItems(["a", "b", "c"])
        let start = try token()
        for priority in 1...5 { try call("UpdateItems", #"{"ids":[1],"priority":\#(priority)}"#) }
        try call("CompleteItems", #"{"ids":[2]}"#)
        try call("DeleteItems", #"{"ids":[2]}"#)
        try call("DeleteItems", #"{"ids":[3]}"#)
        try call("Undo", "{}")
        try call("AddItem", #"{"name":"d"}"#)
        try call("DeleteItems", #"{"ids":[4]}"#)
        #expect(try events(since: start) == ["changed a c", "deleted"])
    }

    @Test func everyTokenWithinAChangeContinuesAfterItsReply() throws {
        var daemon = try sandbox.startDaemon()
        try sandbox.addItems((1...350).map(String.init))
        let (watcher, _) = try watch()
        let ids = (1...350).map(String.init).joined(separator: ",")
        try call("CompleteItems", #"{"ids":[\#(ids)]}"#)
        let replies = try (0..<4).map { _ in try watcher.nextReply() }
        #expect(replies.map(\.items.count) == [100, 100, 100, 50])
        // Later changes do not move the items between the replies.
        try call("DeleteItems", #"{"ids":[20,120,320]}"#)
        #expect(daemon.stop() == 0)
        daemon = try sandbox.startDaemon()
        for (number, reply) in replies.enumerated() {
            let token: String = try #require(reply.text("token"))
            let (again, _) = try watch(since: token)
            for later in replies[(number + 1)...] {
                #expect(try again.nextReply().parameters["ids"] == later.parameters["ids"])
            }
            #expect(try again.nextReply().parameters["ids"] == .array([20, 120, 320].map { .integer($0) }))
        }
    }

    @Test func watchersAreIndependent() throws {
        _ = try sandbox.startDaemon()
        let start = try token()
        let early = try watch(since: start).connection
        try sandbox.addItems(["a"])
        #expect(try early.nextReply().names == ["a"])
        let late = try watch(since: start).connection
        #expect(try late.nextReply().names == ["a"])
        try sandbox.addItems(["b"])
        for watcher in [early, late] { #expect(try watcher.nextReply().names == ["b"]) }
    }

    @Test func changesOfBackgroundWriterAreReported() throws {
        _ = try sandbox.startDaemon()
        let start = try token()
        let items = (1...700).map { #"{"uid":"\#($0)","name":"x","category":"c","tags":["t"]}"# }
        let text = #"{"todod":1,"categories":[],"items":[\#(items.joined(separator: ","))]}"#
        try call("Import", #"{"text":\#(JSON.string(text).text)}"#)
        let (watcher, _) = try watch(since: start)
        var count = 0
        while count < 700 { count += try watcher.nextReply().items.count }
        #expect(
            try [watcher.nextReply(), watcher.nextReply()].map { $0.text("event") } == ["categories", "tags"])
    }

    @Test func bookkeepingIsNotReported() throws {
        _ = try sandbox.startDaemon()
        try sandbox.addItems(["a"])
        let start = try token()
        // The change is recorded for undo, and quiet periods in the metadata.
        try call("AddCategory", #"{"name":"Home"}"#)
        try call("Quiet", #"{"until":"in 1 hour"}"#)
        try call("Quiet", #"{"off":true}"#)
        #expect(try events(since: start) == ["categories"])
    }

    @Test func todoctlShowsChangesAfterToken() throws {
        let daemon = try sandbox.startDaemon()
        let start = try token()
        try sandbox.addItems(["Pay the rent"])
        let terminal = try PseudoTerminal(columns: 400)
        let process = try sandbox.start(
            "\(Sandbox.products)/todoctl", ["watch", "--json", "--since", start], on: terminal)
        try terminal.wait(for: #""event":"ready""#)
        try terminal.wait(for: "Pay the rent")
        let refused = try sandbox.todoctl("watch", "--since", "x")
        #expect(refused.status == 1)
        #expect(
            refused.errors == "todoctl: cannot use the token: it is not the token of a reply of Watch\n")
        #expect(daemon.stop() == 0)
        process.waitUntilExit()
    }

    // MARK: - Refused tokens

    @Test func tokenOfAnotherStoreIsRefused() throws {
        let other = try WatchTokenTests()
        for sandbox in [sandbox, other.sandbox] {
            _ = try sandbox.startDaemon()
            try sandbox.addItems(["a"])
        }
        #expect(try refusal(of: other.token()) == "dev.todod.Todo.TokenNotFound")
        let result = try sandbox.todoctl("watch", "--since", other.token())
        #expect(result.status == 1)
        #expect(
            result.errors == """
                todoctl: cannot continue from the token: the token is of another store; list the items again, and watch \
                from a new token
                For a new token:  todoctl watch --json

                """)
    }

    @Test func textThatIsNoTokenIsRefused() throws {
        _ = try sandbox.startDaemon()
        try sandbox.addItems(["a", "b"])
        let token = try token()
        let fields = token.split(separator: "/").map(String.init)
        let (store, number, writer) = (fields[0], try #require(Int64(fields[1])), fields[2])
        for text in [
            "", "x", "/", "//", store, "\(store)/\(number)", "\(store)/x/\(writer)", "\(token)/",
            "\(token)/\(number + 1)/\(writer)", "\(token)/\(number + 1)/\(writer)/0",
            "\(token)/1/\(writer)/1",
            "\(token)/\(number + 1)/\(writer)/-1", "\(store)/\(number - 1)/\(writer)/\(number)/\(writer)/9",
            "\(token) ", "\(token)/\(number + 1)/\(writer)/1/1", "0/0/0", "\(store)/99999999999999999999/0",
            String(repeating: "/", count: 10_000),
        ] {
            #expect(try refusal(of: text) == "dev.todod.Todo.InvalidValue", "\(text)")
        }
        for text in [
            "\(store)/\(number + 1)/\(writer)", "\(store)/\(number)/1", "\(store)/-1/\(writer)",
            "\(store)/\(Int64.max)/\(writer)", "\(token)/\(number + 1)/\(writer)/1",
            "\(token)/\(Int64.max)/\(writer)/1",
        ] {
            let error = try refusal(of: text)
            #expect(
                ["dev.todod.Todo.TokenNotFound", "dev.todod.Todo.TokenTooOld"].contains(error), "\(text)")
        }
        #expect(try events(since: token).isEmpty)
    }

    @Test func tokenOfPurgedChangesIsTooOld() throws {
        var daemon = try sandbox.startDaemon()
        let first = try token()
        try sandbox.addItems(["a"])
        try sandbox.addItems(["b"])
        let last = try token()
        #expect(daemon.stop() == 0)
        let seconds = Double(Watch.historyDaysLimit) * 86_400
        for (offset, error) in [(seconds - 3_600, nil), (seconds + 60, "dev.todod.Todo.TokenTooOld")] {
            daemon = try sandbox.startDaemon(environment: Sandbox.clock(at: sandbox.now + offset))
            let before = try sandbox.call("Status").text("lastTick")
            daemon.send(SIGUSR1)
            while try sandbox.call("Status").text("lastTick") == before {}
            let reply = try watch(since: first).first
            #expect(reply.error == error, "\(reply)")
            // A client that has received everything can always continue.
            #expect(try watch(since: last).first.text("event") == "ready")
            #expect(daemon.stop() == 0)
        }
    }

    /// The numbers of the transactions after the copy are used again.
    @Test func tokenNewerThanRestoredCopyIsRefused() throws {
        let daemon = try sandbox.startDaemon()
        try sandbox.addItems((1...150).map(String.init))
        let early = try token()
        let copy = "\(sandbox.directory)/copy"
        #expect(try sandbox.todoctl("backup", copy).status == 0)
        let (watcher, _) = try watch()
        let ids = (1...150).map(String.init).joined(separator: ",")
        try call("CompleteItems", #"{"ids":[\#(ids)]}"#)
        let lost = try (0..<2).map { _ in try #require(try watcher.nextReply().text("token")) }
        #expect(daemon.stop() == 0)
        #expect(try sandbox.run("todod", ["--restore", copy]).status == 0)
        _ = try sandbox.startDaemon()
        for token in lost { #expect(try refusal(of: token) == "dev.todod.Todo.TokenNotFound") }
        try call("MuteItems", #"{"ids":[\#(ids)],"muted":true}"#)
        for token in lost { #expect(try refusal(of: token) == "dev.todod.Todo.TokenNotFound") }
        #expect(try watch(since: early).connection.nextReply().text("event") == "changed")
    }

    @Test(arguments: ["xml", "binary"]) func storeWithoutHistoryHasNoTokens(kind: String) throws {
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        _ = try sandbox.startDaemon()
        let (watcher, first) = try watch()
        try sandbox.addItems(["a"])
        let added = try watcher.nextReply()
        #expect(added.names == ["a"])
        for reply in [first, added] { #expect(reply.parameters["token"] == nil) }
        for text in ["x", "\(UUID().uuidString)/1/1"] {
            #expect(try refusal(of: text) == "dev.todod.Todo.NoHistory")
        }
    }
}
