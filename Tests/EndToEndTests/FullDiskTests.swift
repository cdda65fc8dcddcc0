import CivilTime
import Foundation
import Testing
import Varlink

/// A full disk, which SQLite notices at the COMMIT.
@Suite struct FullDiskTests {
    /// Limits the size of the daemon's files, as if the disk were full.
    private func limitFiles(of daemon: RunningDaemon, to bytes: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/prlimit")
        process.arguments = ["--pid", "\(daemon.processID)", "--fsize=\(bytes):"]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    private func names(_ sandbox: Sandbox) throws -> [String] {
        try sandbox.call("ListItems", #"{"state":"all","order":["id"]}"#).names
    }

    @Test(arguments: ["sqlite", "xml", "binary"])
    func waitingCallsAreRefusedAndTheDaemonContinues(kind: String) throws {
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        var daemon = try sandbox.startDaemon()
        try sandbox.addItems(["before"])
        let watcher = try sandbox.connect()
        try watcher.call("Watch", more: true)
        #expect(try watcher.nextReply().text("event") == "ready")

        try limitFiles(of: daemon, to: "64")
        let clients = try (1...4).map { _ in try sandbox.connect() }
        for (number, client) in clients.enumerated() {
            for call in 1...5 { try client.call("AddItem", #"{"name":"lost \#(number) \#(call)"}"#) }
            try client.call("CompleteItems", #"{"ids":[1]}"#)
        }
        for client in clients {
            for _ in 1...6 { #expect(try client.nextReply().error == "dev.todod.Todo.StoreFailure") }
        }
        #expect(try names(sandbox) == ["before"])
        #expect(try sandbox.call("Undo").error == "dev.todod.Todo.StoreFailure")

        try limitFiles(of: daemon, to: "unlimited")
        try sandbox.addItems(["after"])
        // The lost changes were not reported to the watcher.
        #expect(try watcher.nextReply().names == ["after"])
        #expect(try names(sandbox) == ["before", "after"])
        #expect(try sandbox.call("Undo", #"{"count":2}"#).error == nil)
        #expect(try sandbox.call("Redo", #"{"count":2}"#).error == nil)
        #expect(daemon.stop() == 0)
        daemon = try sandbox.startDaemon()
        #expect(try names(sandbox) == ["before", "after"])
    }

    /// A store of an earlier version has no history, and there is no room to begin one.
    @Test func storeWithoutHistoryIsUsedOnFullDisk() throws {
        let sandbox = try Sandbox()
        var daemon = try sandbox.startDaemon()
        try sandbox.addItems(["one"])
        #expect(daemon.stop() == 0)
        let removal =
            "DROP TABLE _preserved; DROP TABLE _changes; DROP TABLE _transactions; PRAGMA user_version = 1"
        #expect(try sandbox.shell("sqlite3 \(sandbox.store) '\(removal)'").status == 0)

        daemon = try sandbox.startDaemon(fileSizeLimit: 4_096)
        #expect(try names(sandbox) == ["one"])
        #expect(daemon.errors.contains("not recorded for Watch until todod restarts"), "\(daemon.errors)")
        let watcher = try sandbox.connect()
        try watcher.call("Watch", more: true)
        #expect(try watcher.nextReply().text("token") == nil)
        let since = try sandbox.replies("Watch", #"{"since":"x"}"#)
        #expect(since.first?.error == "dev.todod.Todo.NoHistory")
        #expect(since.first?.text("reason")?.contains("make room on the disk") == true)
        _ = daemon.stop()

        daemon = try sandbox.startDaemon()
        let other = try sandbox.connect()
        try other.call("Watch", more: true)
        #expect(try other.nextReply().text("token") != nil)
    }

    /// The disk has space for the record of the change in the old store, or not even for that.
    @Test(arguments: [100_000, 16_384]) func changeOfKindOnFullDiskKeepsTheStore(limit: Int) throws {
        let sandbox = try Sandbox()
        let note = String(repeating: "n", count: 30_000)
        var daemon = try sandbox.startDaemon()
        for name in ["one", "two"] {
            #expect(try sandbox.call("AddItem", #"{"name":"\#(name)","notes":"\#(note)"}"#).error == nil)
        }
        #expect(daemon.stop() == 0)
        try sandbox.write("[Store]\nType=xml\n", to: "config/todod/todod.conf")
        daemon = try sandbox.startDaemon(fileSizeLimit: limit)
        #expect(try names(sandbox) == ["one", "two"])
        let warning = "todod.conf:2: Type=: the items cannot be moved: "
        #expect(daemon.errors.contains(warning), "\(daemon.errors)")
        #expect(daemon.errors.contains("the items stay in \(sandbox.store) until it is corrected"))
        let status = try sandbox.todoctl("status")
        #expect("\(status)".contains("the items cannot be moved"), "\(status)")
        _ = daemon.stop()
        try FileManager.default.removeItem(atPath: "\(sandbox.directory)/config/todod/todod.conf")
        daemon = try sandbox.startDaemon(fileSizeLimit: 4_096)
        #expect(try names(sandbox) == ["one", "two"])
        _ = daemon.stop()
        try sandbox.write("[Store]\nType=xml\n", to: "config/todod/todod.conf")
        daemon = try sandbox.startDaemon()
        #expect(try names(sandbox) == ["one", "two"])
        #expect(daemon.stop() == 0)
        #expect(daemon.errors.contains("The items were moved to todo.xml"), "\(daemon.errors)")
    }

    /// The daemon has opened the store exclusively, so the check cannot read it.
    @Test func checkOnFullDiskSuggestsMakingRoom() throws {
        let sandbox = try Sandbox()
        #expect(try sandbox.startDaemon().stop() == 0)
        _ = try sandbox.startDaemon(fileSizeLimit: 16_384)
        let check = try sandbox.run("todod", ["--check"])
        #expect(check.status == 1, "\(check)")
        #expect(
            check.errors.contains("as todod does on a full disk, so it cannot be read; make room"), "\(check)"
        )
        #expect(!check.errors.contains("transaction"), "\(check)")
    }

    enum Log: CaseIterable {
        /// There is no log, because the daemon stopped normally.
        case none
        /// A crash left the log, and its index was removed.
        case withoutIndex
    }

    /// On a disk without free inodes, SQLite cannot create a file beside the database.
    @Test(.enabled(if: TracedProgram.isPossible, "strace cannot trace here"), arguments: Log.allCases)
    func startWithoutInodesSendsAlertsAndSavesNothing(log: Log) throws {
        let sandbox = try Sandbox()
        var daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "rent", "--due", "in 60 minutes").status == 0)
        switch log {
        case .none: #expect(daemon.stop() == 0)
        case .withoutIndex:
            daemon.kill()
            _ = daemon.waitForEnd()
            try FileManager.default.removeItem(atPath: sandbox.store + "-shm")
        }
        let missing = log == .none ? ["-wal", "-shm", ".new"] : ["-shm", ".new"]
        let time = Sandbox.clock(at: sandbox.now + 57 * 60.0)
        daemon = try sandbox.startDaemon(
            environment: time,
            traced: missing.flatMap { ["-P", sandbox.store + $0] }
                + ["-e", "trace=openat", "-e", "inject=openat:error=ENOSPC"])
        _ = try sandbox.todoctl("evaluate", environment: time)
        #expect(try names(sandbox) == ["rent"])
        #expect(try sandbox.call("Export").error == nil)
        if log == .none {
            let refused = try sandbox.todoctl("add", "lost", environment: time)
            #expect(
                refused.status == 1 && refused.errors.contains("nothing can be saved; make room"),
                "\(refused)")
        }
        _ = daemon.stop()
        #expect(daemon.errors.contains("The disk of the store is full"), "\(daemon.errors)")
        #expect(daemon.errors.contains("rent"), "\(daemon.errors)")
        daemon = try sandbox.startDaemon()
        #expect(try names(sandbox) == ["rent"])
        try sandbox.addItems(["after"])
        #expect(daemon.stop() == 0)
    }

    /// The index of a log that a crash left is missing, and there is no room for a new one.
    @Test func startOnFullDiskReadsLogWithoutIndex() throws {
        let sandbox = try Sandbox()
        var daemon = try sandbox.startDaemon()
        try sandbox.addItems(["rent"])
        daemon.kill()
        _ = daemon.waitForEnd()
        try FileManager.default.removeItem(atPath: sandbox.store + "-shm")
        daemon = try sandbox.startDaemon(fileSizeLimit: 16_384)
        #expect(try names(sandbox) == ["rent"])
        _ = daemon.stop()
        #expect(daemon.errors.contains("The disk of the store is full"), "\(daemon.errors)")
        _ = try sandbox.startDaemon()
        #expect(try names(sandbox) == ["rent"])
    }

    /// SQLite has no room for the index of the log, which it creates beside the database.
    @Test func startOnFullDiskSendsAlertsAndSavesNothing() throws {
        let sandbox = try Sandbox()
        var daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "rent", "--due", "in 60 minutes").status == 0)
        #expect(daemon.stop() == 0)
        // Only the database is left.
        #expect(!FileManager.default.fileExists(atPath: sandbox.store + "-wal"))

        let time = Sandbox.clock(at: sandbox.now + 57 * 60.0)
        daemon = try sandbox.startDaemon(environment: time, fileSizeLimit: 16_384)
        _ = try sandbox.todoctl("evaluate", environment: time)
        #expect(try names(sandbox) == ["rent"])
        #expect(try sandbox.call("Export").error == nil)
        #expect(try sandbox.call("AddItem", #"{"name":"lost"}"#).error == "dev.todod.Todo.StoreFailure")
        let status = try sandbox.todoctl("status", environment: time).output
        #expect(status.contains("the disk of the store was full at the start"), "\(status)")
        let backup = try sandbox.todoctl("backup", "\(sandbox.directory)/copy", environment: time)
        #expect(backup.errors.contains("no space was left when it was opened"), "\(backup)")

        try limitFiles(of: daemon, to: "unlimited")
        try sandbox.addItems(["after"])
        #expect(try sandbox.call("CompleteItems", #"{"ids":[1]}"#).error == nil)
        #expect(daemon.stop() == 0)
        #expect(daemon.errors.contains("The disk of the store is full"), "\(daemon.errors)")
        #expect(daemon.errors.contains("rent"), "\(daemon.errors)")
        daemon = try sandbox.startDaemon()
        #expect(try names(sandbox) == ["rent", "after"])
        #expect(try sandbox.todoctl("backup", "\(sandbox.directory)/copy").status == 0)
    }
}
