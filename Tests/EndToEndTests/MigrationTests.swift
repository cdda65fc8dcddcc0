import Foundation
import Testing

/// Stores that an older daemon wrote, opened by the real daemon.
@Suite struct MigrationTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures")
    static let kinds = ["sqlite", "xml", "binary"]

    private func sandbox(version: String, kind: String, settings: String = "") throws -> Sandbox {
        let sandbox = try Sandbox()
        let store = URL(filePath: "\(sandbox.directory)/data/todod/todo.\(kind)")
        try FileManager.default.createDirectory(
            at: store.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: Self.fixtures.appending(path: "reminders-\(version).\(kind)"), to: store)
        try sandbox.write("[Store]\nType=\(kind)\n\(settings)", to: "config/todod/todod.conf")
        return sandbox
    }

    @Test(arguments: kinds) func daemonMigratesAtStart(kind: String) throws {
        let sandbox = try sandbox(version: "1", kind: kind, settings: "[Migration]\nMutePrefix=pay\n")
        let check = try sandbox.run("todod", ["--check"])
        #expect(check.status == 0)
        #expect(check.output.contains("sound, and of model 1 with 14 objects"))
        if kind == "sqlite" {
            #expect(check.output.contains("from 1 to 2, object by object, because ToDo has a policy"))
            #expect(check.output.contains("from 2 to 3, in place"))
            #expect(check.output.contains("from 3 to 4, object by object, because Alarm has a policy"))
            #expect(check.output.contains("from 4 to 5, in place"))
        } else {
            #expect(
                check.output.contains("from 2 to 3, object by object, because the file is written as a whole")
            )
        }

        let daemon = try sandbox.startDaemon()
        let locked = try sandbox.run("todod", ["--migrate"])
        #expect(locked.status == 1)
        #expect(locked.errors.contains("todod is running"))
        let list = try sandbox.todoctl("list", "--all", "--json").output
        #expect(list.components(separatedBy: "\"id\":").count - 1 == 10)
        #expect(list.components(separatedBy: "\"muted\":true").count - 1 == 1)
        #expect(try sandbox.todoctl("add", "new").output == "Added 11  new\n")
        #expect(daemon.stop() == 0)
        #expect(daemon.errors.contains("from model 1 to 5 (14 objects)"))
        #expect(try sandbox.run("todod", ["--check"]).output.hasSuffix("sound, and of the current model\n"))
    }

    @Test(arguments: kinds) func migrateOptionMigratesAndExits(kind: String) throws {
        let sandbox = try sandbox(version: "2", kind: kind)
        let first = try sandbox.run("todod", ["--migrate"])
        #expect(first.status == 0)
        #expect(first.output.contains("from model 2 to 5 (14 objects); the old store is kept as "))
        #expect(first.errors == "")
        let second = try sandbox.run("todod", ["--migrate"])
        #expect(second.status == 0)
        #expect(second.output.hasSuffix("already of the current model; nothing to migrate\n"))
    }

    @Test(arguments: kinds) func damagedStoreStopsTheStart(kind: String) throws {
        let sandbox = try sandbox(version: "1", kind: kind)
        let store = URL(filePath: "\(sandbox.directory)/data/todod/todo.\(kind)")
        var bytes = try Data(contentsOf: store)
        bytes.replaceSubrange(3_000..<3_600, with: Data(repeating: 0xA5, count: 600))
        try bytes.write(to: store)
        for arguments in [["--check"], ["--migrate"], []] {
            let result = try sandbox.run("todod", arguments)
            #expect(result.status == 65)
            #expect("\(result.output)\(result.errors)".contains("restore a backup"))
            #expect(try Data(contentsOf: store) == bytes)
        }
    }

    /// R6: An empty file is refused instead of being used as a new store, and `--check` reports the same as a start.
    @Test(arguments: ["sqlite", "xml", "binary"]) func emptyFileIsRefused(_ kind: String) throws {
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        try sandbox.write("", to: "data/todod/todo.\(kind)")
        for arguments in [["--check"], ["--migrate"], []] {
            let result = try sandbox.run("todod", arguments)
            #expect(result.status == 65)
            #expect(
                result.errors.hasSuffix(
                    "/todo.\(kind): the file is empty; remove it to begin with an empty store, or restore a backup "
                        + "with 'todod --restore COPY'\n"), "\(result)")
        }
    }

    @Test func oldStoresAreKeptAsConfigured() throws {
        let sandbox = try sandbox(version: "1", kind: "xml", settings: "[Migration]\nBackups=0\n")
        let result = try sandbox.run("todod", ["--migrate"])
        #expect(result.output.hasSuffix("the old store is not kept\n"))
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(sandbox.directory)/data/todod")
        #expect(files.sorted() == ["todo.xml", "todo.xml.lock"])
    }
}
