import Foundation
import Testing

/// Files that are not a store where a store should be, and file names that belong to a store.
@Suite(.timeLimit(.minutes(2))) struct StoreFileTests {
    private let sandbox: Sandbox
    private var directory: String { "\(sandbox.directory)/data/todod" }

    init() throws {
        sandbox = try Sandbox()
    }

    /// Starts the daemon with a socket path that is too long, so that it ends after it has opened the store.
    private func start(_ kind: String) throws -> Sandbox.Result {
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        return try sandbox.run(
            "todod", ["--socket", "\(sandbox.directory)/" + String(repeating: "s", count: 108)])
    }

    private func bytes(of kind: String) throws -> Data {
        try Data(contentsOf: URL(filePath: "Tests/Fixtures/reminders-4.\(kind)"))
    }

    private func put(_ bytes: Data, _ kind: String) throws {
        try? FileManager.default.removeItem(atPath: directory)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try bytes.write(to: URL(filePath: "\(directory)/todo.\(kind)"))
    }

    enum Wrong: String, CaseIterable {
        case empty, oneByte, header, half, withoutItsEnd, text, zeros, sqlite, xml, binary, foreignXML

        func bytes(of kind: String, _ fixture: (String) throws -> Data) throws -> Data? {
            let whole = try fixture(kind)
            return switch self {
            case .empty: Data()
            case .oneByte: whole.prefix(1)
            case .header: whole.prefix(100)
            case .half: whole.prefix(whole.count / 2)
            case .withoutItsEnd: whole.dropLast(5)
            case .text: Data("Dear diary, today I kept nothing. ".utf8)
            case .zeros: Data(count: 8_192)
            case .sqlite, .xml, .binary: rawValue == kind ? nil : try fixture(rawValue)
            case .foreignXML: Data("<?xml version=\"1.0\"?>\n<html></html>\n".utf8)
            }
        }
    }

    /// R6: `--check` and a start report the same about an empty, cut or foreign file, and leave it unchanged.
    @Test(arguments: ["sqlite", "xml", "binary"], Wrong.allCases)
    func checkAndStartReportTheSame(_ kind: String, _ wrong: Wrong) throws {
        guard let bytes = try wrong.bytes(of: kind, bytes(of:)) else { return }
        try put(bytes, kind)
        let started = try start(kind)
        let checked = try sandbox.run("todod", ["--check"])
        let path = "\(directory)/todo.\(kind)"
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        // A start does not read all of a database, so it reports less about one that is cut.
        if kind == "sqlite", wrong == .half || wrong == .withoutItsEnd {
            #expect(checked.status == 65, "\(checked)")
            #expect((checked.output + checked.errors).contains("is damaged"), "\(checked)")
            return
        }
        #expect(checked.status != 0 && checked.status == started.status, "\(checked), \(started)")
        let line = try #require((checked.errors + checked.output).split(separator: "\n").first)
        let reason = line.hasPrefix("todod: ") ? line.dropFirst("todod: ".count) : line
        #expect(reason.hasPrefix("\(path): ") && started.errors.contains(reason), "\(checked), \(started)")
    }

    /// R8: A named pipe, a device or a directory instead of a store, or of a copy, is refused immediately.
    @Test(arguments: ["sqlite", "xml", "binary"], ["pipe", "/dev/zero", "directory"])
    func pathThatIsNotAFileIsRefused(_ kind: String, _ place: String) throws {
        try put(bytes(of: kind), kind)
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        let path = place.hasPrefix("/") ? place : "\(sandbox.directory)/\(place)"
        if place == "pipe" { #expect(mkfifo(path, 0o600) == 0) }
        if place == "directory" {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        let reason =
            "todod: \(path): it is a \(place == "pipe" ? "named pipe" : place == "directory" ? place : "device"), not a file"
        for arguments in [
            ["--check", "--store", path], ["--restore", path], ["--migrate", "--store", path],
        ] {
            let result = try sandbox.run("todod", arguments)
            #expect(result.status == 1 && result.errors.hasPrefix(reason), "\(arguments): \(result)")
        }
        #expect(try Data(contentsOf: URL(filePath: "\(directory)/todo.\(kind)")) == bytes(of: kind))
    }

    /// R8: An import from a pipe waits only if a program has the pipe open for writing.
    @Test func importFromPipeWaitsOnlyForItsWriter() throws {
        _ = try sandbox.startDaemon()
        let pipe = "\(sandbox.directory)/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let result = try sandbox.todoctl("import", pipe)
        #expect(
            result.status == 1 && result.errors.contains("it is a pipe to which no program writes"),
            "\(result)")
        let text =
            #"[{"description":"piped","status":"pending","uuid":"6b1c0b5e-6d0c-4c1a-9a52-6e1f0c1c7a11"}]"#
        let piped = try sandbox.run(
            "/bin/bash", ["-c", "\(Sandbox.products)/todoctl import <(printf '%s' '\(text)')"])
        #expect(piped.status == 0, "\(piped)")
        #expect(try sandbox.todoctl("list").output.contains("piped"))
    }

    /// R8: A backup under a file name that the store uses is refused, and the next start works.
    @Test(arguments: [
        "todo.sqlite-journal", "todo.sqlite.new", "todo.sqlite.migrating0", "todo.sqlite.restoring",
        "todo.xml", "todo.binary.new", "../todod/todo.sqlite-journal",
        "todo.sqlite.1.handover",
    ])
    func backupUnderNameOfStoreIsRefused(_ name: String) throws {
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "kept").status == 0)
        let result = try sandbox.todoctl("backup", "\(directory)/\(name)")
        #expect(result.status == 1 && result.errors.contains("choose another name"), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: "\(directory)/\(name)"))
        #expect(try sandbox.todoctl("backup", "\(directory)/copy").status == 0)
        daemon.kill()
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("list").output.contains("kept"))
    }

    @Test func backupIntoMissingDirectoryIsRefused() throws {
        _ = try sandbox.startDaemon()
        let result = try sandbox.todoctl("backup", "\(sandbox.directory)/none/copy")
        #expect(result.status == 1)
        #expect(
            result.errors.contains("the directory \(sandbox.directory)/none does not exist; create it"),
            "\(result)")
        #expect(!FileManager.default.fileExists(atPath: "\(sandbox.directory)/none"))
    }

    /// R8: A killed backup does not prevent the next one.
    @Test(
        .enabled(if: TracedProgram.isPossible, "strace cannot trace here"),
        arguments: ["sqlite", "xml", "binary"])
    func backupAfterKilledBackupSucceeds(_ kind: String) throws {
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "kept").status == 0)
        let copy = "\(sandbox.directory)/copy"
        let trace = try TracedProgram.attach(
            to: daemon, in: sandbox, ["-e", "trace=renameat2", "-e", "inject=renameat2:signal=SIGKILL"])
        #expect(try sandbox.todoctl("backup", copy).status != 0)
        trace.waitUntilExit()
        let left = try FileManager.default.contentsOfDirectory(atPath: sandbox.directory).filter {
            $0.hasPrefix("copy")
        }
        #expect(left.count == 1 && left != ["copy"])
        _ = try sandbox.startDaemon()
        let result = try sandbox.todoctl("backup", copy)
        #expect(result.status == 0, "\(result)")
        let check = try sandbox.run("todod", ["--check", "--store", copy])
        #expect(check.output.contains("sound"), "\(check)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: sandbox.directory).filter {
                $0.hasPrefix("copy.")
            } == [])
    }

    /// R8: A second daemon cannot open a store that is in use, even if its lock file was removed.
    @Test(arguments: ["sqlite", "xml", "binary"]) func secondDaemonIsRefusedWithoutLockFile(_ kind: String)
        throws
    {
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "first").status == 0)
        try FileManager.default.removeItem(atPath: "\(directory)/todo.\(kind).lock")
        let second = try sandbox.run("todod", ["--socket", "\(sandbox.directory)/other"])
        #expect(
            second.status == 1 && second.errors.contains("another program has the store open"), "\(second)")
        let restored = try sandbox.run("todod", ["--restore", "Tests/Fixtures/reminders-4.\(kind)"])
        #expect(
            restored.status == 1 && restored.errors.contains("another program has the store open"),
            "\(restored)")
        #expect(try sandbox.todoctl("add", "second").status == 0)
        #expect(daemon.stop() == 0)
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("list", "--format", "{name}").output == "first\nsecond\n")
    }

    /// R6: A log that is damaged before its end is an error, because SQLite would drop the saved changes after the
    /// damage.
    @Test func damagedLogIsReported() throws {
        let daemon = try sandbox.startDaemon()
        for number in 1...5 { #expect(try sandbox.todoctl("add", "item \(number)").status == 0) }
        daemon.kill()
        let log = "\(sandbox.store)-wal"
        var bytes = try Data(contentsOf: URL(filePath: log))
        bytes[32 + 24 + 100] ^= 0xFF
        try bytes.write(to: URL(filePath: log))
        let started = try start("sqlite")
        let checked = try sandbox.run("todod", ["--check"])
        for result in [started, checked] {
            #expect(result.status == 65, "\(result)")
            #expect(result.errors.contains("its log is damaged, and at least"), "\(result)")
            #expect(result.errors.contains("or restore a backup with 'todod --restore COPY'"), "\(result)")
        }
        #expect(try Data(contentsOf: URL(filePath: log)) == bytes)
    }
}
