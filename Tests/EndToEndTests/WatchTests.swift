import Foundation
import Testing
import TodoAPI
import Varlink

@Suite struct WatchTests {
    @Test func watchReportsSavedChanges() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let watcher = try sandbox.connect()
        try watcher.call("Watch", more: true)
        #expect(try watcher.nextReply().text("event") == "ready")
        #expect(try sandbox.call("AddItem", #"{"name":"Tea"}"#).error == nil)
        let added = try watcher.nextReply()
        #expect(added.text("event") == "added" && added.names == ["Tea"] && added.continues)
        #expect(try sandbox.call("CompleteItems", #"{"ids":[1]}"#).error == nil)
        let changed = try watcher.nextReply()
        #expect(changed.text("event") == "changed" && changed.items.first?["completed"] == .boolean(true))
        // A refused change is not reported.
        #expect(try sandbox.call("CompleteItems", #"{"ids":[1,2]}"#).error != nil)
        #expect(try sandbox.call("DeleteItems", #"{"ids":[1]}"#).error == nil)
        let deleted = try watcher.nextReply()
        #expect(deleted.text("event") == "deleted" && deleted.parameters["ids"] == .array([.integer(1)]))
        #expect(deleted.items.isEmpty)
        #expect(try sandbox.call("AddCategory", #"{"name":"Home"}"#).error == nil)
        #expect(try watcher.nextReply().text("event") == "categories")
        #expect(try sandbox.call("Status").integer("watchers") == 1)
    }

    @Test func watchReportsAlerts() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let watcher = try sandbox.connect()
        try watcher.call("Watch", more: true)
        _ = try watcher.nextReply()
        #expect(try sandbox.call("AddItem", #"{"name":"Tea","due":"in 2 minutes"}"#).error == nil)
        var events: [String?] = []
        repeat {
            let reply = try watcher.nextReply()
            events.append(reply.text("event"))
            if reply.text("event") == "alert" {
                #expect(reply.text("alert") == "due-soon" && reply.names == ["Tea"])
            }
        } while events.last != "alert"
        #expect(events.first == "added")
    }

    /// A watcher could not read that many single events fast enough.
    @Test func watchReportsManyChangesAsOneEvent() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let watcher = try sandbox.connect()
        try watcher.call("Watch", more: true)
        #expect(try watcher.nextReply().text("event") == "ready")
        let items = (1...Watch.changesLimit).map { #"{"uid":"\#($0)","name":"x"}"# }.joined(separator: ",")
        let text = JSON.string(#"{"todod":1,"categories":[],"items":[\#(items)]}"#).text
        let added = try sandbox.call("Import", #"{"text":\#(text)}"#).integer("added")
        #expect(added == Int64(Watch.changesLimit))
        let reply = try watcher.nextReply()
        #expect(reply.text("event") == "many" && reply.items.isEmpty && reply.continues)
    }

    @Test func watchNeedsMore() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        #expect(try sandbox.call("Watch").error == "org.varlink.service.ExpectedMore")
    }

    /// The changes wait in the history of the store.
    @Test func slowWatcherGetsEveryChange() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let watcher = try sandbox.connect()
        try watcher.call("Watch", more: true)
        #expect(try watcher.nextReply().text("event") == "ready")
        let names = (1...7_000).map(String.init)
        try sandbox.addItems(names)
        var found: [String] = []
        while found.count < names.count {
            let reply = try watcher.nextReply()
            try #require(reply.text("event") == "added" && reply.continues, "\(reply)")
            found += reply.names
        }
        #expect(found == names)
    }

    @Test func watchOfSlowClientEndsWithoutDelayingOthers() throws {
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=xml\n", to: "config/todod/todod.conf")
        _ = try sandbox.startDaemon()
        let watcher = try sandbox.connect()
        try watcher.call("Watch", more: true)
        #expect(try watcher.nextReply().text("event") == "ready")
        try sandbox.addItems((1...7_000).map(String.init))
        var last = try watcher.nextReply()
        while last.continues { last = try watcher.nextReply() }
        #expect(last.error == "dev.todod.Todo.TooSlow")
        // The connection stays usable.
        try watcher.call("Status")
        #expect(try watcher.nextReply().integer("watchers") == 0)
    }

    @Test func changesAreReportedInBatches() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.addItems((1...250).map(String.init))
        let watcher = try sandbox.connect()
        try watcher.call("Watch", more: true)
        _ = try watcher.nextReply()
        let ids = (1...250).map(String.init).joined(separator: ",")
        #expect(try sandbox.call("CompleteItems", #"{"ids":[\#(ids)]}"#).error == nil)
        #expect(try (0..<3).map { _ in try watcher.nextReply().items.count } == [100, 100, 50])
    }
}

@Suite struct ManyClientsTests {
    /// Two clients that add items and one that completes items, each as fast as it can.
    @Test func concurrentWritersLoseNoChanges() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.addItems((1...200).map { "old \($0)" })
        let writers = try (0..<3).map { number in Writer(connection: try sandbox.connect(), number: number) }
        DispatchQueue.concurrentPerform(iterations: 3) { writers[$0].run() }
        #expect(writers.map(\.failures) == [0, 0, 0])
        let status = try sandbox.call("Status")
        #expect(status.integer("items") == 600 && status.integer("openItems") == 400)
    }
}

/// `@unchecked Sendable`: each writer runs on one thread, and its result is read after it has ended.
private final class Writer: @unchecked Sendable {
    private let connection: ClientConnection
    private let number: Int
    private(set) var failures = 0

    init(connection: ClientConnection, number: Int) {
        self.connection = connection
        self.number = number
    }

    func run() {
        for count in 1...200 {
            do {
                if number == 0 {
                    try connection.call("CompleteItems", #"{"ids":[\#(count)]}"#)
                } else {
                    try connection.call("AddItem", #"{"name":"\#(number) \#(count)"}"#)
                }
                if try connection.nextReply().error != nil { failures += 1 }
            } catch {
                failures += 1
            }
        }
    }
}
