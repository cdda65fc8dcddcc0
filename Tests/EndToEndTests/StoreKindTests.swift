import CivilTime
import Foundation
import Testing

/// Daemons with every kind of store.
@Suite struct StoreKindTests {
    @Test(arguments: [("sqlite", "SQLite"), ("xml", "XML"), ("binary", "binary")])
    func itemsAreKeptInEveryKindOfStore(_ kind: String, _ title: String) throws {
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        var daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("category", "add", "Home").status == 0)
        for name in ["Pay the rent", "Water <the> plants & \\u1b00", "Sleep"] {
            #expect(try sandbox.todoctl("add", name, "--category", "Home", "--due", "in 3 days").status == 0)
        }
        #expect(try sandbox.todoctl("done", "3").status == 0)
        #expect(try sandbox.todoctl("status").output.contains("todo.\(kind) (\(title), model"))
        // An answered change is in the file, even after a kill.
        daemon.kill()
        daemon = try sandbox.startDaemon()
        let list = try sandbox.todoctl("list").output
        #expect(list.contains("Pay the rent") && list.contains("Water <the> plants & \\u1b00"))
        #expect(!list.contains("Sleep"))
        #expect(try sandbox.todoctl("list", "--done").output.contains("Sleep"))
        // A copy and a check work while the daemon runs.
        let copy = "\(sandbox.directory)/copy"
        #expect(try sandbox.todoctl("backup", copy).status == 0)
        let check = try sandbox.run("todod", ["--check"])
        #expect(check.status == 0 && check.output.hasSuffix("sound, and of the current model\n"))
        #expect(daemon.stop() == 0)
        try sandbox.write("[Store]\nType=\(kind)\nPath=\(copy)\n", to: "config/todod/todod.conf")
        #expect(try sandbox.startDaemon().stop() == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(sandbox.directory)/data/todod")
        #expect(Set(files) == ["todo.\(kind)", "todo.\(kind).lock"])
    }

    @Test func itemsAreMovedToAnotherKindOfStore() throws {
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
            // The log is complete after the daemon has ended.
            #expect(daemon.errors.contains("The items were moved to todo.\(kind)"))
            let files = try FileManager.default.contentsOfDirectory(atPath: "\(sandbox.directory)/data/todod")
            #expect(files.contains("todo.\(old).old") && !files.contains("todo.\(old)"))
        }
        daemon = try sandbox.startDaemon()
        #expect(
            try sandbox.todoctl("list", "--json").output.components(separatedBy: "\"id\":").count - 1 == 5)
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(sandbox.directory)/data/todod")
        #expect(files.contains("todo.sqlite.old.2"))
    }

    @Test func itemsInTwoStoresAreAnError() throws {
        let sandbox = try Sandbox()
        for kind in ["sqlite", "xml"] {
            try sandbox.write(
                "[Store]\nType=\(kind)\nPath=\(sandbox.directory)/data/todod/todo.\(kind)\n",
                to: "config/todod/todod.conf")
            #expect(try sandbox.startDaemon().stop() == 0)
        }
        try sandbox.write("[Store]\nType=binary\n", to: "config/todod/todod.conf")
        try FileManager.default.removeItem(atPath: "\(sandbox.directory)/state")
        let result = try sandbox.run("todod", [])
        #expect(result.status == 1)
        #expect(result.errors.contains("it is unclear whether the items are in todo.sqlite and todo.xml"))
    }

    /// If there are two stores, the daemon takes the items from the recorded one.
    @Test func itemsComeFromTheRecordedStore() throws {
        let sandbox = try Sandbox()
        for kind in ["binary", "xml"] {
            try sandbox.write(
                "[Store]\nType=\(kind)\nPath=\(sandbox.directory)/data/todod/todo.\(kind)\n",
                to: "config/todod/todod.conf")
            let daemon = try sandbox.startDaemon()
            try sandbox.addItems(["of \(kind)"])
            #expect(daemon.stop() == 0)
        }
        try sandbox.write("[Store]\nType=sqlite\n", to: "config/todod/todod.conf")
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("list").output.contains("of xml"))
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(sandbox.directory)/data/todod")
        #expect(files.contains("todo.binary") && files.contains("todo.xml.old"), "\(files)")
    }

    /// A daemon that has recorded another store continues with that one, see `StoreInDoubtTests`.
    @Test func fileOfAnotherKindIsRefused() throws {
        let sandbox = try Sandbox()
        #expect(try sandbox.startDaemon("--store", sandbox.store).stop() == 0)
        try sandbox.write("[Store]\nType=xml\nPath=\(sandbox.store)\n", to: "config/todod/todod.conf")
        let result = try sandbox.run("todod", [])
        #expect(result.status == 1)
        #expect(result.errors.contains("todo.sqlite: the file is not an XML store; choose another path"))
    }

    /// Several programs add items at the same time, and the daemon is killed while it works.
    @Test(arguments: ["sqlite", "xml", "binary"])
    func answeredChangesOfSeveralClientsAreKeptAfterKill(_ kind: String) throws {
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        var answered: [String] = []
        for round in 0..<3 {
            let daemon = try sandbox.startDaemon()
            let clients = try (0..<12).map { number in
                try sandbox.start("todoctl", ["add", "item \(round)-\(number)"])
            }
            clients[round * 2].waitUntilExit()
            daemon.kill()
            for (number, client) in clients.enumerated() {
                client.waitUntilExit()
                if client.terminationStatus == 0 { answered.append("item \(round)-\(number)") }
            }
            let check = try sandbox.run("todod", ["--check"])
            #expect(check.status == 0 && check.output.hasSuffix("sound, and of the current model\n"))
        }
        #expect(!answered.isEmpty)
        let daemon = try sandbox.startDaemon()
        let list = try sandbox.todoctl("list", "--json").output
        for name in answered { #expect(list.contains("\"\(name)\"")) }
        #expect(daemon.stop() == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(sandbox.directory)/data/todod")
        #expect(Set(files) == ["todo.\(kind)", "todo.\(kind).lock"])
    }

    @Test(arguments: ["sqlite", "xml", "binary"])
    func checkFindsDamage(_ kind: String) throws {
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
        let daemon = try sandbox.startDaemon()
        for number in 0..<40 {
            #expect(
                try sandbox.todoctl("add", "item \(number) " + String(repeating: "x", count: 200)).status == 0
            )
        }
        #expect(daemon.stop() == 0)
        let url = URL(filePath: "\(sandbox.directory)/data/todod/todo.\(kind)")
        var bytes = try Data(contentsOf: url)
        for position in bytes.count / 2..<bytes.count / 2 + 3000 { bytes[position] = UInt8(ascii: "<") }
        try bytes.write(to: url)
        let check = try sandbox.run("todod", ["--check"])
        #expect(check.status == 65)
        #expect((check.output + check.errors).contains("'todod --restore COPY'"))
        #expect(try Data(contentsOf: url) == bytes)
    }

    @Test func documentFromMacIsOpened() throws {
        let sandbox = try Sandbox()
        try sandbox.write("[Store]\nType=xml\n", to: "config/todod/todod.conf")
        try sandbox.write(Self.documentFromTheMac, to: "data/todod/todo.xml")
        let check = try sandbox.run("todod", ["--check"])
        #expect(check.status == 0)
        #expect(check.output.contains("of model 1 with 3 objects"))
        let daemon = try sandbox.startDaemon()
        let list = try sandbox.todoctl("list", "--all", "--json").output
        #expect(list.contains("\"Pay & sign\"") && list.contains("\"Home\""))
        // 336046917 seconds after the start of 2001.
        let dues = try sandbox.call("ListItems", #"{"state":"all"}"#).items.compactMap { $0.moment("due") }
        #expect(dues == [Timestamp(secondsSince1970: 978_307_200 + 336_046_917)])
        #expect(try sandbox.todoctl("add", "Ours", "--category", "home").status == 0)
        #expect(daemon.stop() == 0)
        #expect(daemon.errors.contains("from model 1 to 5 (3 objects)"))
        let directory = "\(sandbox.directory)/data/todod"
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        let backup = try #require(names.first { $0.hasSuffix(".model1.backup") })
        #expect(
            try String(contentsOfFile: "\(directory)/\(backup)", encoding: .utf8) == Self.documentFromTheMac)
        try sandbox.write(
            Self.documentFromTheMac.replacing("\"duedate\"", with: "\"deadline\""), to: "data/todod/todo.xml")
        let refused = try sandbox.run("todod", [])
        #expect(refused.status == 1)
        #expect(refused.errors.contains("fits no model; model 1: TODO has no attribute deadline"))
    }

    private static let documentFromTheMac = """
        <?xml version="1.0" standalone="yes"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

        <database>
            <databaseInfo>
                <version>134481920</version>
                <UUID>343C8D7F-A000-42C4-8463-43FA1E5EF3FB</UUID>
                <nextObjectID>104</nextObjectID>
                <metadata>
                    <plist version="1.0">
                        <dict>
                            <key>NSPersistenceFrameworkVersion</key>
                            <integer>641</integer>
                        </dict>
                    </plist>
                </metadata>
            </databaseInfo>
            <object type="CATEGORY" id="z102">
                <attribute name="name" type="string">Home</attribute>
                <relationship name="todos" type="0/0" destination="TODO" idrefs="z104 z103"></relationship>
            </object>
            <object type="TODO" id="z103">
                <attribute name="name" type="string">Pay &amp; sign</attribute>
                <attribute name="duedate" type="date">336046917.00000000000000000000</attribute>
                <attribute name="completed" type="bool">0</attribute>
                <relationship name="category" type="1/1" destination="CATEGORY" idrefs="z102"></relationship>
            </object>
            <object type="TODO" id="z104">
                <attribute name="name" type="string">Water the plants</attribute>
                <attribute name="completed" type="bool">1</attribute>
                <relationship name="category" type="1/1" destination="CATEGORY" idrefs="z102"></relationship>
            </object>
        </database>

        """
}
