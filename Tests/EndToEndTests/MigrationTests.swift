import Foundation
import Testing

/// The real daemon finds a store that an older one left behind.
@Suite struct MigrationTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures")

    private func sandbox(version: String) throws -> Sandbox {
        let sandbox = try Sandbox()
        let store = URL(filePath: sandbox.store)
        try FileManager.default.createDirectory(
            at: store.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: Self.fixtures.appending(path: "reminders-\(version).sqlite"), to: store)
        return sandbox
    }

    @Test func daemonMigratesAtStart() throws {
        let sandbox = try sandbox(version: "1")
        try sandbox.write("[Migration]\nMutePrefix=pay\n", to: "config/todod/todod.conf")
        let check = try sandbox.run("todod", ["--check"])
        #expect(check.status == 0)
        #expect(check.output.contains("sound, and of model 1 with 14 objects"))
        #expect(check.output.contains("from 1 to 2, object by object, because ToDo has a policy"))
        #expect(check.output.contains("from 2 to 3, in place"))
        #expect(check.output.contains("from 3 to 4, object by object, because Alarm has a policy"))

        let daemon = try sandbox.startDaemon()
        let locked = try sandbox.run("todod", ["--migrate"])
        #expect(locked.status == 1)
        #expect(locked.errors.contains("todod runs already"))
        let list = try sandbox.todoctl("list", "--all", "--json").output
        #expect(list.components(separatedBy: "\"id\":").count - 1 == 10)
        #expect(list.components(separatedBy: "\"muted\":true").count - 1 == 1)
        #expect(try sandbox.todoctl("add", "new").output == "Added 11  new\n")
        #expect(daemon.stop() == 0)
        #expect(daemon.errors.contains("from model 1 to 4 (14 objects)"))
        #expect(try sandbox.run("todod", ["--check"]).output.hasSuffix("sound, and of the present model\n"))
    }

    @Test func migrateMigratesAndExits() throws {
        let sandbox = try sandbox(version: "2")
        let first = try sandbox.run("todod", ["--migrate"])
        #expect(first.status == 0)
        #expect(first.output.contains("from model 2 to 4 (14 objects); the old store is kept as "))
        #expect(first.errors == "")
        let second = try sandbox.run("todod", ["--migrate"])
        #expect(second.status == 0)
        #expect(second.output.hasSuffix("of the present model already; nothing to migrate\n"))
    }
}
