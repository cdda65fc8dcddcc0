import Foundation
import Testing

/// `todod --restore`, which replaces the store by a copy.
@Suite struct StoreRestorationTests {
    private let sandbox: Sandbox
    private var copy: String { "\(sandbox.directory)/copy" }

    init() throws {
        sandbox = try Sandbox()
    }

    private func names(inStore path: String? = nil) throws -> [String] {
        let daemon = try path.map { try sandbox.startDaemon("--store", $0) } ?? sandbox.startDaemon()
        defer { _ = daemon.stop() }
        return try sandbox.todoctl("list", "--format", "{name}").output.split(separator: "\n").map(
            String.init)
    }

    /// Returns the files of the store, except for the lock file, which contains the process that had the lock.
    private func storeFiles() throws -> [String: Data] {
        let directory = "\(sandbox.directory)/data/todod"
        let names = try FileManager.default.contentsOfDirectory(atPath: directory).filter {
            !$0.hasSuffix(".lock")
        }
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, try Data(contentsOf: URL(filePath: "\(directory)/\($0)")))
            })
    }

    private func filesBesideTheCopy() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: sandbox.directory).filter { $0.hasPrefix("copy") }
    }

    /// Starts a daemon with one item more in its store than in the copy.
    private func daemonAfterItsCopy() throws -> RunningDaemon {
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "early").status == 0)
        #expect(try sandbox.todoctl("backup", copy).status == 0)
        #expect(try sandbox.todoctl("add", "late").status == 0)
        return daemon
    }

    @Test(arguments: [false, true]) func replacedStoreIsKept(afterACrash: Bool) throws {
        let daemon = try daemonAfterItsCopy()
        if afterACrash {
            daemon.kill()
            // The last save is only in the log.
            #expect(try storeFiles()["todo.sqlite-wal"]?.isEmpty == false)
        } else {
            #expect(daemon.stop() == 0)
        }
        let result = try sandbox.run("todod", ["--restore", copy])
        let lines = result.output.split(separator: "\n")
        #expect(result.status == 0 && result.errors == "")
        try #require(lines.count == 2)
        #expect(lines[0] == "\(sandbox.store): restored from \(copy)")
        #expect(try filesBesideTheCopy() == ["copy"])
        let kept = try #require(
            lines[1].wholeMatch(of: #/The old store is kept as (?<path>.*\.before-Restore\.backup)\./#))
        #expect(try names() == ["early"])
        #expect(try names(inStore: String(kept.path)) == ["early", "late"])
        // The kept store can be restored, too.
        #expect(try sandbox.run("todod", ["--restore", String(kept.path)]).status == 0)
        #expect(try names() == ["early", "late"])
    }

    @Test func restorationIsRefusedWhileTheDaemonRuns() throws {
        let daemon = try daemonAfterItsCopy()
        let result = try sandbox.run("todod", ["--restore", copy])
        #expect(result.status == 1)
        #expect(
            result.errors.hasPrefix(
                "todod: another todod is running: \(sandbox.store): the process \(daemon.processID) has the store open; "
                    + "stop it first"), "\(result.errors)")
        #expect(try sandbox.todoctl("list").output.contains("late"))
    }

    @Test(arguments: [
        ("damaged", 65, "the copy is damaged, and nothing was changed; take another one: "),
        ("missing", 1, "there is no such copy; check the path"),
        ("reminders-1.xml", 1, "the file is not a database; choose another path"),
    ])
    func invalidCopyIsRefused(_ kind: String, _ status: Int32, _ reason: String) throws {
        #expect(try daemonAfterItsCopy().stop() == 0)
        switch kind {
        case "missing": try FileManager.default.removeItem(atPath: copy)
        case "damaged":
            var bytes = try Data(contentsOf: URL(filePath: copy))
            // The last page is damaged, because the first ones identify the file.
            bytes.replaceSubrange(
                bytes.count - 4096..<bytes.count - 4000, with: Data(repeating: 0xA5, count: 96))
            try bytes.write(to: URL(filePath: copy))
        default:
            let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Fixtures/\(kind)")
            try Data(contentsOf: fixture).write(to: URL(filePath: copy))
        }
        let before = try storeFiles()
        let copies = try filesBesideTheCopy()
        let result = try sandbox.run("todod", ["--restore", copy])
        #expect(result.status == status)
        #expect(result.errors.hasPrefix("todod: \(copy): \(reason)"), "\(result.errors)")
        #expect(try storeFiles() == before)
        #expect(try filesBesideTheCopy() == copies)
    }

    @Test func olderCopyIsMigratedByTheNextStart() throws {
        #expect(try daemonAfterItsCopy().stop() == 0)
        let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/reminders-1.sqlite")
        let result = try sandbox.run("todod", ["--restore", fixture.path])
        #expect(result.output.hasSuffix("\nIt is of an older model; the daemon will migrate it.\n"))
        #expect(try names().count > 2)
    }

    @Test func checkLeavesNoFilesBesideTheStore() throws {
        #expect(try daemonAfterItsCopy().stop() == 0)
        let before = try storeFiles()
        #expect(try sandbox.run("todod", ["--check"]).output.contains(": sound"))
        #expect(try sandbox.run("todod", ["--check", "--store", copy]).output.contains(": sound"))
        #expect(try storeFiles() == before)
        #expect(try filesBesideTheCopy() == ["copy"])
    }

    @Test func storeIsRefusedAsItsOwnCopy() throws {
        #expect(try daemonAfterItsCopy().stop() == 0)
        let before = try storeFiles()
        try FileManager.default.createSymbolicLink(
            atPath: "\(sandbox.directory)/link", withDestinationPath: sandbox.store)
        try FileManager.default.linkItem(atPath: sandbox.store, toPath: "\(sandbox.directory)/hard")
        for path in [sandbox.store, "\(sandbox.directory)/link", "\(sandbox.directory)/hard"] {
            let result = try sandbox.run("todod", ["--restore", path])
            #expect(result.status == 1)
            #expect(
                result.errors
                    == "todod: \(path): this is the store itself, not a copy of it; name a copy\n")
        }
        #expect(try storeFiles() == before)
    }

    @Test func restoreNeedsACopy() throws {
        let result = try sandbox.run("todod", ["--restore"])
        #expect(result.status == 1 && result.errors.hasPrefix("todod: --restore needs a value\n"))
    }
}
