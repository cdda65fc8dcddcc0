import Foundation
import Testing

/// Files of the store that are removed or replaced while the daemon runs.
@Suite struct ReplacedStoreTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    private var directory: String { "\(sandbox.directory)/data/todod" }

    private func daemonWithItems(_ count: Int = 3) throws -> RunningDaemon {
        let daemon = try sandbox.startDaemon("--tick-seconds", "1")
        for number in 1...count { try add("item \(number)") }
        return daemon
    }

    private func add(_ name: String) throws {
        #expect(try sandbox.todoctl("add", name).status == 0)
    }

    private func names(inStore path: String? = nil) throws -> [String] {
        let daemon = try path.map { try sandbox.startDaemon("--store", $0) } ?? sandbox.startDaemon()
        defer { _ = daemon.stop() }
        return try sandbox.todoctl("list", "--format", "{name}").output.split(separator: "\n").map(
            String.init)
    }

    /// Returns the path of the safety copy that the daemon has made.
    private func copy() throws -> String {
        let copies = try FileManager.default.contentsOfDirectory(atPath: directory).filter {
            $0.hasSuffix(".before-Replacement.backup")
        }
        #expect(copies.count == 1)
        return "\(directory)/\(try #require(copies.first))"
    }

    @Test func removedFileIsKeptAndLaterChangesAreRefused() throws {
        let daemon = try daemonWithItems()
        try FileManager.default.removeItem(atPath: sandbox.store)
        // The change is refused, whether the daemon has noticed the removal before it or not.
        #expect(try sandbox.todoctl("add", "late").status != 0)
        #expect(daemon.waitForEnd() == 1)
        let copy = try copy()
        #expect(
            daemon.errors.contains(
                "todo.sqlite: the file was removed while it was open; nothing more is saved; its contents are kept as \(copy); "
                    + "todod ends, so that it starts with the current file"), "\(daemon.errors)")
        #expect(try names() == [])
        #expect(try names(inStore: copy) == ["item 1", "item 2", "item 3"])
    }

    @Test func removalIsNoticedWithoutACall() throws {
        let daemon = try daemonWithItems()
        try FileManager.default.removeItem(atPath: directory)
        #expect(daemon.waitForEnd() == 1)
        #expect(try names(inStore: try copy()) == ["item 1", "item 2", "item 3"])
    }

    @Test func removedFileIsKeptWhenTheDaemonStops() throws {
        let daemon = try sandbox.startDaemon()
        try add("item 1")
        try FileManager.default.removeItem(atPath: sandbox.store)
        #expect(daemon.stop() == 1)
        #expect(try names(inStore: try copy()) == ["item 1"])
    }

    /// Otherwise SQLite would use the log of the old file for the new one, which would restore old items or damage the
    /// file.
    @Test func copyInPlaceOfTheStoreIsUsed() throws {
        let daemon = try daemonWithItems()
        #expect(try sandbox.todoctl("backup", "\(sandbox.directory)/copy").status == 0)
        try add("after the copy")
        #expect(rename("\(sandbox.directory)/copy", sandbox.store) == 0)
        #expect(daemon.waitForEnd() == 1)
        #expect(
            daemon.errors.contains("the file was replaced while it was open"), "\(daemon.errors)")
        #expect(!FileManager.default.fileExists(atPath: sandbox.store + "-wal"))
        #expect(try names() == ["item 1", "item 2", "item 3"])
        #expect(try names(inStore: try copy()) == ["item 1", "item 2", "item 3", "after the copy"])
    }

    @Test func editedFileIsReadAtTheNextStart() throws {
        try sandbox.write("[Store]\nType=xml\n", to: "config/todod/todod.conf")
        let daemon = try daemonWithItems()
        let path = "\(directory)/todo.xml"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing("item 2", with: "edited").write(toFile: path, atomically: true, encoding: .utf8)
        #expect(daemon.waitForEnd() == 1)
        #expect(try names() == ["item 1", "edited", "item 3"])
        #expect(try names(inStore: try copy()) == ["item 1", "item 2", "item 3"])
    }

    @Test(arguments: ["xml", "binary"], [true, false])
    func removedFileOfEveryKindIsKept(kind: String, isStopped: Bool) throws {
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        let daemon = try isStopped ? sandbox.startDaemon() : sandbox.startDaemon("--tick-seconds", "1")
        for number in 1...2 { try add("item \(number)") }
        try FileManager.default.removeItem(atPath: "\(directory)/todo.\(kind)")
        #expect((isStopped ? daemon.stop() : daemon.waitForEnd()) == 1)
        #expect(
            daemon.errors.contains("todo.\(kind): the file was removed while it was open"), "\(daemon.errors)"
        )
        #expect(!daemon.errors.contains("everything is saved"))
        #expect(try names() == [])
        #expect(try names(inStore: try copy()) == ["item 1", "item 2"])
    }

    /// If the daemon were killed, everything in a removed log would be lost.
    @Test func removedLogIsNoticedBeforeChangeIsAcknowledged() throws {
        let daemon = try sandbox.startDaemon()
        for number in 1...2 { try add("item \(number)") }
        for suffix in ["-wal", "-shm"] {
            try FileManager.default.removeItem(atPath: sandbox.store + suffix)
        }
        #expect(try sandbox.todoctl("add", "late").status != 0)
        #expect(daemon.waitForEnd() == 1)
        #expect(daemon.errors.contains("todo.sqlite-wal was removed or replaced"), "\(daemon.errors)")
        #expect(try names() == ["item 1", "item 2"])
        #expect(try names(inStore: try copy()) == ["item 1", "item 2"])
    }

    /// Without the index of the log, another program writes to the place where the daemon would write next.
    @Test func removedIndexIsNoticedBeforeChangeIsAcknowledged() throws {
        let daemon = try sandbox.startDaemon()
        for number in 1...2 { try add("item \(number)") }
        try FileManager.default.removeItem(atPath: sandbox.store + "-shm")
        let update = "update ToDo set name='outside' where id=1"
        #expect(try sandbox.shell("sqlite3 \(sandbox.store) \"\(update)\"").status == 0)
        #expect(try sandbox.todoctl("add", "late").status != 0)
        #expect(daemon.waitForEnd() == 1)
        #expect(daemon.errors.contains("todo.sqlite-shm was removed or replaced"), "\(daemon.errors)")
        #expect(try names() == ["outside", "item 2"])
        #expect(try names(inStore: try copy()) == ["item 1", "item 2"])
    }

    @Test func replacedIndexIsNoticedWithoutCall() throws {
        let daemon = try daemonWithItems()
        try Data().write(to: URL(filePath: sandbox.store + "-other"))
        #expect(rename(sandbox.store + "-other", sandbox.store + "-shm") == 0)
        #expect(daemon.waitForEnd() == 1)
        #expect(try names() == ["item 1", "item 2", "item 3"])
        #expect(try names(inStore: try copy()) == ["item 1", "item 2", "item 3"])
    }

    @Test func replacedLogIsNoticedWithoutCall() throws {
        let daemon = try daemonWithItems()
        try Data().write(to: URL(filePath: sandbox.store + "-other"))
        #expect(rename(sandbox.store + "-other", sandbox.store + "-wal") == 0)
        #expect(daemon.waitForEnd() == 1)
        #expect(try names() == ["item 1", "item 2", "item 3"])
        #expect(try names(inStore: try copy()) == ["item 1", "item 2", "item 3"])
    }

    /// Pages that the daemon moved from its log into the other file would damage that file.
    @Test(arguments: [true, false]) func overwrittenFileIsNotWritten(isStopped: Bool) throws {
        let path = "\(sandbox.directory)/other.sqlite"
        let other = try sandbox.startDaemon("--store", path)
        try add("other")
        #expect(other.stop() == 0)
        let daemon = try isStopped ? sandbox.startDaemon() : sandbox.startDaemon("--tick-seconds", "1")
        for number in 1...3 { try add("item \(number)") }
        #expect(try sandbox.shell("cp \(path) \(sandbox.store)").status == 0)
        #expect((isStopped ? daemon.stop() : daemon.waitForEnd()) == 1)
        #expect(
            daemon.errors.contains("todo.sqlite: another program overwrote the file while it was open"),
            "\(daemon.errors)")
        #expect(!daemon.errors.contains("everything is saved"))
        #expect(!FileManager.default.fileExists(atPath: sandbox.store + "-wal"))
        #expect(try Data(contentsOf: URL(filePath: sandbox.store)) == Data(contentsOf: URL(filePath: path)))
        #expect(try names() == ["other"])
        #expect(try sandbox.run("todod", ["--check"]).status == 0)
    }

    @Test func changeAfterOverwriteIsRefused() throws {
        let daemon = try sandbox.startDaemon()
        for number in 1...3 { try add("item \(number)") }
        #expect(try sandbox.todoctl("backup", "\(sandbox.directory)/copy").status == 0)
        try add("after the copy")
        #expect(try sandbox.shell("cat ~/copy > \(sandbox.store)").status == 0)
        #expect(try sandbox.todoctl("add", "late").status != 0)
        #expect(daemon.waitForEnd() == 1)
        #expect(try names() == ["item 1", "item 2", "item 3"])
    }

    @Test func truncatedFileIsNoticed() throws {
        let daemon = try sandbox.startDaemon()
        for number in 1...3 { try add("item \(number)") }
        #expect(truncate(sandbox.store, 0) == 0)
        #expect(daemon.stop() == 1)
        #expect(daemon.errors.contains("another program overwrote the file"), "\(daemon.errors)")
        #expect(try sandbox.run("todod", []).errors.contains("the file is empty"))
    }

    /// A checkpoint by another program and a changed time of the file do not end the use of the store.
    @Test func useByOtherProgramsIsNotAnOverwrite() throws {
        let daemon = try sandbox.startDaemon("--tick-seconds", "1")
        for command in [
            "sqlite3 STORE 'PRAGMA wal_checkpoint(TRUNCATE)'", "sqlite3 STORE VACUUM",
            "sqlite3 STORE 'PRAGMA wal_checkpoint'", "sqlite3 STORE '.backup COPY'", "touch STORE",
            "chmod 640 STORE", "cat COPY > /dev/null",
        ] {
            try add(command)
            let text = command.replacing("STORE", with: sandbox.store)
            let result = try sandbox.shell(text.replacing("COPY", with: "\(sandbox.directory)/copy"))
            #expect(result.status == 0, "\(result)")
            #expect(try sandbox.todoctl("evaluate").status == 0)
        }
        try add("last")
        #expect(daemon.stop() == 0)
        #expect(try names().count == 8)
    }

    /// R6: SQLite drops a log with a wrong header without an error.
    @Test(arguments: [(20, 1), (0, 32), (0, 4096)])
    func damagedHeaderOfLogIsReported(offset: Int, count: Int) throws {
        #expect(try daemonWithItems().stop() == 0)
        let daemon = try sandbox.startDaemon()
        for number in 4...8 { try add("item \(number)") }
        daemon.kill()
        _ = daemon.waitForEnd()
        let log = URL(filePath: sandbox.store + "-wal")
        var bytes = try Data(contentsOf: log)
        for position in offset..<offset + count { bytes[position] = bytes[position] == 0 ? 1 : 0 }
        try bytes.write(to: log)
        let result = try sandbox.run("todod", [])
        #expect(result.status == 65)
        #expect(result.errors.contains("its log is damaged, and at least "), "\(result)")
        #expect(try sandbox.run("todod", ["--check"]).status == 65)
        #expect(try Data(contentsOf: log) == bytes)
    }

    /// Copies the open store with its log and the index of the log.
    private func copyFiles(of store: String, to name: String) throws -> String {
        let copy = "\(sandbox.directory)/\(name)"
        for suffix in ["", "-wal", "-shm"] {
            try FileManager.default.copyItem(atPath: store + suffix, toPath: copy + suffix)
        }
        return copy
    }

    /// Writes over the files, which keep their inodes.
    private func overwrite(_ suffixes: [String], with copy: String) throws {
        for suffix in suffixes {
            #expect(try sandbox.shell("cp \(copy)\(suffix) \(sandbox.store)\(suffix)").status == 0)
        }
    }

    /// Returns the copied files of another store, which was not stopped.
    private func otherStore() throws -> String {
        let path = "\(sandbox.directory)/other.sqlite"
        let daemon = try sandbox.startDaemon("--store", path)
        for number in 1...9 { try add("other \(number)") }
        let copy = try copyFiles(of: path, to: "copy")
        #expect(daemon.stop() == 0)
        return copy
    }

    /// Checks that a change is refused, and returns the messages of the daemon, which has ended.
    private func messagesAfterRefusal(_ daemon: RunningDaemon) throws -> String {
        #expect(try sandbox.todoctl("add", "late").status != 0)
        #expect(daemon.waitForEnd() == 1)
        #expect(!daemon.errors.contains("everything is saved"), "\(daemon.errors)")
        return daemon.errors
    }

    @Test func overwrittenFilesOfOtherStoreAreNotChanged() throws {
        let other = try otherStore()
        let daemon = try daemonAtRest()
        try overwrite(["", "-shm", "-wal"], with: other)
        let messages = try messagesAfterRefusal(daemon)
        #expect(messages.contains("while it was open; nothing more is saved"), "\(messages)")
        #expect(messages.contains("no copy is kept"), "\(messages)")
        #expect(try names() == (1...9).map { "other \($0)" })
    }

    private func daemonAtRest() throws -> RunningDaemon {
        let daemon = try sandbox.startDaemon()
        for number in 1...4 { try add("item \(number)") }
        return daemon
    }

    /// An older copy has the identifier of the store.
    @Test(arguments: [true, false]) func overwrittenFilesOfOlderCopyAreNotChanged(isRestarted: Bool) throws {
        var daemon = try daemonAtRest()
        let copy = try copyFiles(of: sandbox.store, to: "copy")
        if isRestarted {
            #expect(daemon.stop() == 0)
            daemon = try sandbox.startDaemon()
            for number in 5...30 { try add("item \(number)") }
        }
        try add("after the copy")
        try overwrite(["", "-shm", "-wal"], with: copy)
        _ = try messagesAfterRefusal(daemon)
        #expect(try names() == (1...4).map { "item \($0)" })
    }

    /// The log is part of the other store.
    @Test func overwrittenFileIsReadWithItsLog() throws {
        let other = try otherStore()
        let daemon = try daemonAtRest()
        try overwrite(["", "-wal"], with: other)
        _ = try messagesAfterRefusal(daemon)
        #expect(try names() == (1...9).map { "other \($0)" })
    }

    @Test func restorationInShellEndsUseOfStore() throws {
        let other = try otherStore()
        let daemon = try daemonAtRest()
        #expect(try sandbox.shell("sqlite3 \(sandbox.store) '.restore \(other)'").status == 0)
        let messages = try messagesAfterRefusal(daemon)
        #expect(messages.contains("another store was written over it while it was open"), "\(messages)")
        #expect(try names() == (1...9).map { "other \($0)" })
    }

    @Test(arguments: [
        ": > LOG", "truncate -s 20000 LOG", "dd if=/dev/zero of=LOG bs=4k seek=5 count=5 conv=notrunc",
        "dd if=/dev/urandom of=LOG bs=4k seek=5 count=5 conv=notrunc",
    ])
    func overwrittenLogIsNotUsed(command: String) throws {
        let daemon = try daemonAtRest()
        #expect(try sandbox.shell(command.replacing("LOG", with: sandbox.store + "-wal")).status == 0)
        let messages = try messagesAfterRefusal(daemon)
        #expect(messages.contains("another program overwrote its log while it was open"), "\(messages)")
        #expect(try names(inStore: try copy()) == (1...4).map { "item \($0)" })
    }

    @Test(arguments: [true, false]) func overwrittenIndexIsNotUsed(isStopped: Bool) throws {
        let other = try otherStore()
        let daemon = try daemonAtRest()
        try overwrite(["-shm"], with: other)
        if isStopped { #expect(daemon.stop() == 1) } else { _ = try messagesAfterRefusal(daemon) }
        #expect(!daemon.errors.contains("everything is saved"), "\(daemon.errors)")
        #expect(try names() == (1...4).map { "item \($0)" })
    }

    /// A background change and a copy open the file a second time. They do not open another file with its name.
    @Test(arguments: ["undo", "import", "backup"])
    func fileMovedOverStoreIsNotChanged(command: String) throws {
        let daemon = try daemonAtRest()
        let moved = "\(sandbox.directory)/moved.sqlite"
        #expect(try sandbox.todoctl("backup", moved).status == 0)
        try add("item 5")
        let calendar = "\(sandbox.directory)/tasks.ics"
        try "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:1\r\nSUMMARY:Tea\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
            .write(toFile: calendar, atomically: true, encoding: .utf8)
        #expect(rename(moved, sandbox.store) == 0)
        let arguments =
            ["undo": ["undo"], "import": ["import", calendar], "backup": ["backup", moved]][command] ?? []
        #expect(try sandbox.run("todoctl", arguments).status != 0)
        _ = try messagesAfterRefusal(daemon)
        #expect(try names() == (1...4).map { "item \($0)" })
        #expect(try names(inStore: try copy()) == (1...5).map { "item \($0)" })
    }

    /// Something that is not a file has the name of the store, its log or its index.
    @Test(arguments: ["", "-wal", "-shm"], ["mkdir F", "ln -s $(basename F) F", "mkfifo F"])
    func otherThanFileInPlaceOfStoreIsNoticed(suffix: String, command: String) throws {
        let daemon = try daemonAtRest()
        let file = sandbox.store + suffix
        #expect(try sandbox.shell("rm \(file); \(command.replacing("F", with: file))").status == 0)
        let messages = try messagesAfterRefusal(daemon)
        #expect(messages.contains("while it was open; nothing more is saved"), "\(messages)")
        #expect(try names(inStore: try copy()) == (1...4).map { "item \($0)" })
    }

    /// If nothing can be copied, the last changes are only in the log.
    @Test func logOfLostFileIsKept() throws {
        let text = String(repeating: "x", count: 30_000)
        let first = try sandbox.startDaemon()
        for number in 1...100 {
            #expect(try sandbox.todoctl("add", "item \(number)", "--notes", text).status == 0)
        }
        #expect(first.stop() == 0)
        let daemon = try sandbox.startDaemon()
        try add("last")
        let log = try Data(contentsOf: URL(filePath: sandbox.store + "-wal"))
        #expect(truncate(sandbox.store, 0) == 0)
        let messages = try messagesAfterRefusal(daemon)
        #expect(messages.contains("its log with the last changes is kept as \(directory)/"), "\(messages)")
        let kept = try FileManager.default.contentsOfDirectory(atPath: directory).filter {
            $0.hasSuffix(".before-Replacement.backup-wal")
        }
        #expect(try kept.map { try Data(contentsOf: URL(filePath: "\(directory)/\($0)")) } == [log])
    }

    /// No empty store is created while the log may still contain items.
    @Test func logWithoutItsFileIsKept() throws {
        let daemon = try daemonWithItems()
        daemon.kill()
        _ = daemon.waitForEnd()
        try FileManager.default.moveItem(atPath: sandbox.store, toPath: sandbox.store + ".away")
        let result = try sandbox.run("todod", [])
        #expect(result.status == 1)
        #expect(
            result.errors.contains("the file is missing, but its log exists; put the file back, or remove "),
            "\(result)")
        try FileManager.default.moveItem(atPath: sandbox.store + ".away", toPath: sandbox.store)
        #expect(try names() == ["item 1", "item 2", "item 3"])
    }
}
