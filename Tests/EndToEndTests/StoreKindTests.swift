import Foundation
import Testing

/// The daemon keeps items in every kind of file.
@Suite struct StoreKindTests {
    @Test(arguments: [("sqlite", "SQLite"), ("xml", "XML"), ("binary", "binary")])
    func itemsAreKeptInAFileOfThatKind(_ kind: String, _ title: String) throws {
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        var daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("category", "add", "Home").status == 0)
        for name in ["Pay the rent", "Water <the> plants & \\u1b00", "Sleep"] {
            #expect(try sandbox.todoctl("add", name, "--category", "Home", "--due", "in 3 days").status == 0)
        }
        #expect(try sandbox.todoctl("done", "3").status == 0)
        #expect(try sandbox.todoctl("status").output.contains("todo.\(kind) (\(title), model"))
        // What was answered is in the file, whatever happens next.
        daemon.kill()
        daemon = try sandbox.startDaemon()
        let list = try sandbox.todoctl("list").output
        #expect(list.contains("Pay the rent") && list.contains("Water <the> plants & \\u1b00"))
        #expect(!list.contains("Sleep"))
        #expect(try sandbox.todoctl("list", "--done").output.contains("Sleep"))
        #expect(daemon.stop() == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(sandbox.directory)/data/todod")
        #expect(Set(files) == ["todo.\(kind)", "todo.\(kind).lock"])
    }

    @Test func aFileOfAnotherKindIsRefused() throws {
        let sandbox = try Sandbox()
        #expect(try sandbox.startDaemon().stop() == 0)
        try sandbox.write("[Store]\nType=xml\nPath=\(sandbox.store)\n", to: "config/todod/todod.conf")
        let result = try sandbox.run("todod", [])
        #expect(result.status == 1)
        #expect(result.errors.contains("todo.sqlite: the file is not an XML store; choose another path"))
    }
}
