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

    @Test func itemsComeOverToAnotherKind() throws {
        let sandbox = try Sandbox()
        var daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Pay the rent", "--due", "in 3 days").status == 0)
        #expect(daemon.stop() == 0)
        for (kind, old) in [("xml", "sqlite"), ("binary", "xml"), ("sqlite", "binary"), ("xml", "sqlite")] {
            try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
            daemon = try sandbox.startDaemon()
            #expect(try sandbox.todoctl("list").output.contains("Pay the rent"))
            #expect(try sandbox.todoctl("add", "Item of \(kind)").status == 0)
            #expect(daemon.stop() == 0)
            // The log is complete when the daemon has ended.
            #expect(daemon.errors.contains("The items were brought over to todo.\(kind)"))
            let files = try FileManager.default.contentsOfDirectory(atPath: "\(sandbox.directory)/data/todod")
            #expect(files.contains("todo.\(old).old") && !files.contains("todo.\(old)"))
        }
        daemon = try sandbox.startDaemon()
        #expect(
            try sandbox.todoctl("list", "--json").output.components(separatedBy: "\"id\":").count - 1 == 5)
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(sandbox.directory)/data/todod")
        #expect(files.contains("todo.sqlite.old.2"))
    }

    @Test func itemsInTwoPlacesAreNotGuessedAt() throws {
        let sandbox = try Sandbox()
        for kind in ["sqlite", "xml"] {
            try sandbox.write(
                "[Store]\nType=\(kind)\nPath=\(sandbox.directory)/data/todod/todo.\(kind)\n",
                to: "config/todod/todod.conf")
            #expect(try sandbox.startDaemon().stop() == 0)
        }
        try sandbox.write("[Store]\nType=binary\n", to: "config/todod/todod.conf")
        let result = try sandbox.run("todod", [])
        #expect(result.status == 1)
        #expect(result.errors.contains("the items may be in todo.sqlite and todo.xml"))
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
