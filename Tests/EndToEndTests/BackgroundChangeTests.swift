import Foundation
import SQLiteDriver
import Testing
import TodoAPI
import Varlink

/// Long changes delay neither readers nor alerts, and are saved completely or not at all.
@Suite struct BackgroundChangeTests {
    /// More items than the daemon imports while it answers a few calls.
    private static let many = 50_000

    /// Sends all of an import with this many items and returns its connection, without waiting for the reply.
    private func importItems(_ count: Int, _ sandbox: Sandbox) throws -> ClientConnection {
        let items = (0..<count).map { #"{"uid":"\#($0)","name":"Item \#($0)"}"# }
        var rest = Substring(#"{"todod":1,"categories":[],"items":[\#(items.joined(separator: ","))]}"#)
        let connection = try sandbox.connect()
        while rest.utf8.count > Import.chunkBytes {
            let piece = JSON.string(String(rest.prefix(Import.chunkBytes))).text
            try connection.call("Import", #"{"text":\#(piece),"continues":true}"#)
            #expect(try connection.nextReply().error == nil)
            rest = rest.dropFirst(Import.chunkBytes)
        }
        try connection.call("Import", #"{"text":\#(JSON.string(String(rest)).text)}"#, more: true)
        return connection
    }

    /// Starts a very long import, and returns its connection after the first progress reply.
    private func importMany(_ sandbox: Sandbox) throws -> ClientConnection {
        let connection = try importItems(Self.many, sandbox)
        #expect(try connection.nextReply().continues)
        return connection
    }

    /// Returns the last reply to a call.
    private func end(_ connection: ClientConnection) throws -> MethodReply {
        while true {
            let reply = try connection.nextReply()
            if !reply.continues { return reply }
        }
    }

    @Test func longImportDelaysNeitherReadersNorAlerts() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon("--tick-seconds", "1")
        let watcher = try sandbox.connect()
        try watcher.call("Watch", more: true)
        #expect(try watcher.nextReply().text("event") == "ready")
        _ = try sandbox.call("AddItem", #"{"name":"Tea","due":"in 303 seconds"}"#)
        #expect(try watcher.nextReply().text("event") == "added")
        let importer = try importMany(sandbox)
        let writer = try sandbox.connect()
        try writer.call("AddItem", #"{"name":"Milk"}"#)
        #expect(try sandbox.call("GetItem", #"{"id":1}"#).error == nil)
        let sent = try watcher.nextReply()
        #expect(sent.text("event") == "alert")
        #expect(sent.names == ["Tea"])
        // All these replies came before the end of the import and of the later change.
        #expect(try sandbox.call("Status").integer("items") == 1)
        #expect(try end(importer).integer("added") == Int64(Self.many))
        #expect(try writer.nextReply().error == nil)
        #expect(try sandbox.call("Status").integer("items") == Int64(Self.many) + 2)
        #expect(try sandbox.todoctl("show", "1").output.contains("Last alert"))
        #expect(try sandbox.todoctl("undo").output.contains("Milk"))
    }

    @Test func importIsCancelledWhenItsClientDisconnects() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        do { _ = try importMany(sandbox) }
        // The change waits until the store is free.
        #expect(try sandbox.call("AddItem", #"{"name":"Milk"}"#).error == nil)
        #expect(try sandbox.call("Status").integer("items") == 1)
    }

    @Test(arguments: [SIGKILL, SIGTERM])
    func importIsRolledBackWhenTheDaemonEnds(_ signal: Int32) throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        _ = try sandbox.call("AddItem", #"{"name":"Milk"}"#)
        let importer = try importMany(sandbox)
        #expect(daemon.stop(signal) == (signal == SIGKILL ? SIGKILL : 0))
        #expect(throws: (any Error).self) { try self.end(importer) }
        #expect(try sandbox.run("todod", ["--check"]).status == 0)
        _ = try sandbox.startDaemon()
        #expect(try sandbox.call("ListItems").names == ["Milk"])
    }

    @Test func largeImportIsPrecededBySafetyCopy() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        _ = try sandbox.call("AddItem", #"{"name":"Milk"}"#)
        let importer = try importItems(10_001, sandbox)
        #expect(try end(importer).integer("added") == 10_001)
        #expect(try sandbox.todoctl("undo").errors.contains("exceeds the undo limit"))
        let directory = (sandbox.store as NSString).deletingLastPathComponent
        let copies = try FileManager.default.contentsOfDirectory(atPath: directory)
            .filter { $0.hasSuffix(".backup") }
        #expect(copies.count == 1)
        let copy = try SQLiteConnection(path: "\(directory)/\(copies[0])", mode: .readOnly)
        #expect(try copy.integer("SELECT count(*) FROM ToDo") == 1)
    }

    // MARK: - Lock of another program

    @Test func readersAreAnsweredWhileAnotherProgramLocksTheStore() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        _ = try sandbox.call("AddItem", #"{"name":"Milk"}"#)
        let blocker = try SQLiteConnection(path: sandbox.store, mode: .readWrite)
        try blocker.execute("BEGIN IMMEDIATE")
        let writers = try [#"{"name":"Tea"}"#, #"{"name":"Bread"}"#].map { item in
            let writer = try sandbox.connect()
            try writer.call("AddItem", item)
            return writer
        }
        let importer = try importItems(2, sandbox)
        #expect(try sandbox.call("ListItems").names == ["Milk"])
        try blocker.execute("ROLLBACK")
        for writer in writers { #expect(try writer.nextReply().error == nil) }
        #expect(try end(importer).integer("added") == 2)
        #expect(try sandbox.call("Status").integer("items") == 5)
    }
}
