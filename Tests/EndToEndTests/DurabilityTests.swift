import Foundation
import Testing
import Varlink

/// Saves on disks that fail before or after the file is written.
@Suite(.waiting, .enabled(if: TracedProgram.isPossible, "strace cannot trace here")) struct DurabilityTests {
    private let sandbox: Sandbox
    private var directory: String { "\(sandbox.directory)/data/todod" }

    init() throws {
        sandbox = try Sandbox()
    }

    private func names() throws -> [String] {
        let daemon = try sandbox.startDaemon()
        defer { _ = daemon.stop() }
        return try sandbox.todoctl("list", "--format", "{name}").output.split(separator: "\n").map(
            String.init)
    }

    /// Starts a daemon with a store of this kind and one item, in which this system call fails on the directory.
    private func daemon(_ kind: String, failing call: String) throws -> RunningDaemon {
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        let first = try sandbox.startDaemon()
        try sandbox.addItems(["first"])
        #expect(first.stop() == 0)
        return try sandbox.startDaemon(traced: [
            "-P", directory, "-e", "trace=fsync,openat", "-e", "inject=\(call)",
        ])
    }

    /// R4: A save is reported as done, with a warning in the log, if only the sync of the directory fails.
    @Test(arguments: ["xml", "binary"]) func saveIsReportedAlthoughDirectoryCannotBeSynced(_ kind: String)
        throws
    {
        let daemon = try daemon(kind, failing: "fsync:error=EIO")
        for name in ["second", "third"] {
            let result = try sandbox.todoctl("add", name)
            #expect(result.status == 0, "\(result)")
        }
        #expect(
            daemon.errors.components(separatedBy: "Changes were saved, but may be lost in a loss of power")
                .count == 2,
            "\(daemon.errors)")
        daemon.kill()
        #expect(try names() == ["first", "second", "third"])
    }

    /// R4: A refused save changes nothing, and the next save succeeds.
    @Test(arguments: ["xml", "binary"]) func saveIsRefusedWhileDirectoryCannotBeOpened(_ kind: String) throws
    {
        let daemon = try daemon(kind, failing: "openat:error=EIO:when=1")
        let refused = try sandbox.todoctl("add", "second")
        #expect(refused.status == 1 && refused.errors.contains("nothing was changed"), "\(refused)")
        #expect(try sandbox.todoctl("list", "--format", "{name}").output == "first\n")
        #expect(try sandbox.todoctl("add", "third").status == 0)
        daemon.kill()
        #expect(try names() == ["first", "third"])
    }

    // MARK: - Reads

    /// A change that one call makes.
    struct Change: Sendable, CustomTestStringConvertible {
        let method: String
        let parameters: String
        var testDescription: String { method }

        static let all = [
            Change(method: "Undo", parameters: "{}"),
            Change(method: "UpdateItems", parameters: #"{"ids":[1],"name":"changed"}"#),
            Change(method: "UpdateCategory", parameters: #"{"name":"Home","newName":"House"}"#),
            Change(method: "CompleteItems", parameters: #"{"ids":[1,2]}"#),
            Change(
                method: "Import",
                parameters:
                    #"{"text":"[{\"description\":\"new\",\"status\":\"pending\",\"uuid\":\"6b1c0b5e-6d0c-4c1a-9a52-6e1f0c1c7a11\"}]"}"#
            ),
        ]
    }

    private func items(of sandbox: Sandbox) throws -> [String] {
        try sandbox.call("ListItems", #"{"state":"all","order":["id"]}"#).items.map { item in
            ["name", "category", "completed"].map { "\(item[$0] ?? .null)" }.joined(separator: ", ")
        }
    }

    /// R4: A call fails because of a read error only if it has changed nothing.
    @Test(arguments: Change.all) func failedReadDoesNotHideSave(_ change: Change) throws {
        let takesAll = ProcessInfo.processInfo.environment["TODOD_FAULTS"] == "all"
        var number = 1
        while number < 60 {
            let sandbox = try Sandbox()
            let daemon = try sandbox.startDaemon()
            #expect(try sandbox.call("AddCategory", #"{"name":"Home"}"#).error == nil)
            for name in ["one", "two"] {
                let item = #"{"name":"\#(name)","category":"Home","leads":"1h","due":"tomorrow"}"#
                #expect(try sandbox.call("AddItem", item).error == nil)
            }
            // The new daemon has an empty cache, so it has to read.
            #expect(daemon.stop() == 0)
            let again = try sandbox.startDaemon()
            let before = try items(of: sandbox)
            let trace = try TracedProgram.attach(
                to: again, in: sandbox,
                ["-P", sandbox.store, "-P", sandbox.store + "-wal", "-e", "trace=pread64"]
                    + ["-e", "inject=pread64:error=EIO:when=\(number)"])
            // A daemon that regards the error as damage stops, possibly without a reply.
            let reply = try? sandbox.call(change.method, change.parameters)
            again.kill()
            trace.waitUntilExit()
            _ = try sandbox.startDaemon()
            let isChanged = try items(of: sandbox) != before
            if let reply {
                #expect((reply.error == nil) == isChanged, "read \(number): \(reply)")
            } else {
                #expect(!isChanged, "read \(number) ended the daemon before its answer")
            }
            let text = (try? String(contentsOfFile: "\(sandbox.directory)/trace", encoding: .utf8)) ?? ""
            if !text.contains("INJECTED") { return }
            number += takesAll ? 1 : 4
        }
    }
}
