import Foundation
import Testing

/// A daemon that meets, while it runs, a part of its store that cannot be read.
@Suite struct DamageTests {
    /// A store of a hundred items that looks sound from its first pages, and is not in the middle.
    private func sandboxWithADamagedStore(pages: Int = .max) throws -> (Sandbox, sound: Data, damaged: Data) {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        let text = String(repeating: "x", count: 1_000)
        for number in 0..<100 {
            #expect(try sandbox.todoctl("add", "item \(number)", "--notes", text).status == 0)
        }
        #expect(daemon.stop() == 0)
        let sound = try Data(contentsOf: URL(filePath: sandbox.store))
        var damaged = sound
        // From a third on there are only rows, of which the items' notes make nearly all.
        for page in stride(from: sound.count / 3 / 4096 * 4096, to: sound.count, by: 4096).prefix(pages) {
            damaged.replaceSubrange(page..<page + 64, with: Data(repeating: 0xA5, count: 64))
        }
        try damaged.write(to: URL(filePath: sandbox.store))
        return (sandbox, sound, damaged)
    }

    @Test func whatCanBeReadIsSavedByTheCommandsOfThePage() throws {
        let (sandbox, _, _) = try sandboxWithADamagedStore(pages: 1)
        let page = try String(contentsOfFile: "docs/store-formats.md", encoding: .utf8)
        // The page has a command for a damaged log, too.
        let commands = page.split(separator: "\n").filter {
            $0.hasPrefix("sqlite3 ") && !$0.contains("wal_checkpoint")
        }
        #expect(commands.count == 2)
        let directory = "\(sandbox.directory)/data/todod"
        for command in commands {
            let shell = Process()
            shell.executableURL = URL(filePath: "/bin/sh")
            shell.arguments = ["-c", "cd \(directory) && \(command)"]
            shell.standardError = FileHandle.nullDevice
            try shell.run()
            shell.waitUntilExit()
            #expect(shell.terminationStatus == 0)
        }
        let saved = "\(directory)/saved.sqlite"
        #expect(try sandbox.run("todod", ["--check", "--store", saved]).output.contains("sound"))
        _ = try sandbox.startDaemon("--store", saved)
        let list = try sandbox.todoctl("list", "--json").output
        #expect((90..<100).contains(list.components(separatedBy: "\"id\":").count - 1))
    }

    @Test(arguments: [["list"], ["show", "90"], ["done", "90"], ["list", "--where", "notes CONTAINS 'y'"]])
    func theDaemonSaysSoAndEnds(_ command: [String]) throws {
        let (sandbox, sound, damaged) = try sandboxWithADamagedStore()
        let daemon = try sandbox.startDaemon()
        let result = try sandbox.run("todoctl", command)
        #expect(result.status == 1)
        #expect(result.errors.contains("the database is damaged; stop, keep a copy, and restore a backup"))
        #expect(daemon.waitForEnd() == 65)
        #expect(daemon.errors.contains("todod ends, and has changed nothing since"), "\(daemon.errors)")
        #expect(try Data(contentsOf: URL(filePath: sandbox.store)) == damaged)

        try sound.write(to: URL(filePath: sandbox.store))
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("show", "90").output.contains("item 89"))
    }
}
