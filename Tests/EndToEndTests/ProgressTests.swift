import Dispatch
import Foundation
import TestProcesses
import Testing
import TodoAPI
import Varlink
import VarlinkServer

/// Progress reports of exports and imports.
@Suite struct ProgressTests {
    /// Returns a file for `todoctl import`. The item at `wrong` has no name.
    private func items(_ count: Int, wrong: Int? = nil) -> String {
        let items = (0..<count).map { #"{"uid":"\#($0)","name":"\#($0 == wrong ? "" : "Item \($0)")"}"# }
        return #"{"todod":1,"categories":[],"items":[\#(items.joined(separator: ","))]}"#
    }

    @Test func importReportsItsProgress() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let count = 2 * Import.itemsPerReply + 1
        let parameters = #"{"text":\#(JSON.string(items(count)).text)}"#
        let replies = try sandbox.replies("Import", parameters)
        let sent = [0, Int64(Import.itemsPerReply), 2 * Int64(Import.itemsPerReply), Int64(count)]
        #expect(replies.map { $0.integer("added") } == sent + [Int64(count)])
        #expect(replies.map { $0.integer("items") } == sent.map { _ in Int64(count) } + [nil])
        let again = try sandbox.replies("Import", parameters)
        #expect(again.map { $0.integer("unchanged") } == sent + [Int64(count)])
        #expect(try sandbox.call("Import", parameters).integer("unchanged") == Int64(count))
    }

    /// The store has no background writer, so the daemon does nothing else during the import.
    @Test func importIntoFileStoreKeepsWatchdogAlive() throws {
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=xml\n", to: "config/todod/todod.conf")
        let daemon = try sandbox.startDaemon(environment: ["WATCHDOG_USEC": "3600000000"])
        let parameters = #"{"text":\#(JSON.string(items(3)).text)}"#
        #expect(try sandbox.call("Import", parameters).integer("added") == 3)
        // Without the import, the next keep-alive message would be sent in half an hour.
        try daemon.waitFor("WATCHDOG=1")
    }

    @Test func failedImportKeepsNoReportedItems() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let text = items(2 * Import.itemsPerReply, wrong: Import.itemsPerReply + 1)
        let replies = try sandbox.replies("Import", #"{"text":\#(JSON.string(text).text)}"#)
        #expect(replies.map(\.error) == [nil, nil, "dev.todod.Todo.InvalidValue"])
        #expect(try sandbox.call("Status").integer("items") == 0)
    }

    // MARK: - On a terminal

    /// A stopped daemon sends no reply, so the import takes as long as the test needs.
    @Test(arguments: [
        (60, "[........................................] 0 % "), (20, "\u{1B}[K0 % "), (10, "\u{1B}[K0 %"),
    ])
    func terminalShowsBarAndErasesIt(columns: UInt16, bar: String) throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        try sandbox.write(items(3), to: "items.json")
        let terminal = try PseudoTerminal(columns: columns)
        daemon.send(SIGSTOP)
        let process = try sandbox.start(
            "todoctl", ["import", "\(sandbox.directory)/items.json"], on: terminal, ["TERM": "xterm"])
        try terminal.wait(for: bar)
        daemon.send(SIGCONT)
        process.waitUntilExit()
        terminal.read()
        #expect(process.terminationStatus == 0)
        #expect(terminal.shown.hasSuffix("\r\u{1B}[K3 added\r\n"), "\(terminal.shown.debugDescription)")
        let lines = terminal.shown.components(separatedBy: "\r\u{1B}[K").dropLast()
        #expect(lines.allSatisfy { $0.count < columns })
    }

    @Test(arguments: [
        (["import"], "Interrupted; either everything will be imported, or nothing.\r\n"),
        (["import", "--dry-run"], "Interrupted; nothing was changed.\r\n"),
    ])
    func interruptErasesBarAndReportsTheImport(words: [String], message: String) throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        try sandbox.write(items(3), to: "items.json")
        let terminal = try PseudoTerminal(columns: 60)
        daemon.send(SIGSTOP)
        defer { daemon.send(SIGCONT) }
        let process = try sandbox.startInterruptible(
            "todoctl", words + ["\(sandbox.directory)/items.json"], on: terminal)
        try terminal.wait(for: "0 % reading")
        process.interrupt()
        process.waitUntilExit()
        terminal.read()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGINT)
        #expect(terminal.shown.contains("\r\u{1B}[K\(message)"), "\(terminal.shown.debugDescription)")
        #expect(terminal.shown.hasSuffix(".\r\n"))
    }

    /// The daemon is a server that stops in the middle of its reply.
    @Test func interruptReportsIncompleteExport() throws {
        let sandbox = try Sandbox()
        let queue = DispatchQueue(label: "daemon")
        let listener = try UnixListener(at: try #require(UnixAddress(path: sandbox.socket)))
        let server = Server(listener: listener, queue: queue, brokenMessageError: "broken") { responder in
            let isExport = responder.call.method == Export.qualifiedName
            responder.reply(continues: isExport) { fields in
                if isExport {
                    FieldWriter.write(Export.Reply(text: "beginning"), to: &fields)
                } else {
                    FieldWriter.write(Status.Reply(), to: &fields)
                }
            }
        }
        try queue.sync { try server.start() }
        defer { queue.sync { server.stop() } }

        let terminal = try PseudoTerminal(columns: 60)
        let line = "exec \(Sandbox.products)/todoctl export > ~/items.json"
        let process = try sandbox.startInterruptible("/bin/sh", ["-c", line], on: terminal)
        try terminal.wait(for: " % exporting")
        process.interrupt()
        process.waitUntilExit()
        terminal.read()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGINT)
        #expect(terminal.shown.hasSuffix("\r\u{1B}[KInterrupted; the output is incomplete.\r\n"))
        #expect(try String(contentsOfFile: "\(sandbox.directory)/items.json", encoding: .utf8) == "beginning")
    }

    @Test func terminalShowsThatTheDaemonDoesNotAnswer() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        let terminal = try PseudoTerminal(columns: 80)
        daemon.send(SIGSTOP)
        defer { daemon.send(SIGCONT) }
        let process = try sandbox.startInterruptible("todoctl", ["list"], on: terminal)
        try terminal.wait(for: "No answer for 3 s; still waiting")
        daemon.send(SIGCONT)
        process.waitUntilExit()
        try terminal.wait(for: "Nothing to do.")
        #expect(process.terminationStatus == 0)
    }

    @Test func quickTransferShowsNoBar() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.write(items(3), to: "items.json")
        let line = "TERM=xterm; export TERM; todoctl import ~/items.json; todoctl export > ~/copy.json"
        #expect(try sandbox.terminal(line).output == "3 added\r\n")
        #expect(try sandbox.shell("todoctl import ~/copy.json").output == "3 unchanged\n")
    }
}
