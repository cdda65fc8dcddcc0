import Foundation
import Testing
import Varlink

/// Checks that every example in the help, the README and the manual pages works.
@Suite(.waiting) struct ExampleTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Programs that cannot run here. Scripts replace them and print an empty JSON list, which is enough for the
    /// examples.
    private static let others = ["journalctl", "loginctl", "systemctl", "task"]

    /// Starts a daemon with the items and files that the examples use.
    private func filled() throws -> Sandbox {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        for name in ["Home", "Work"] { #expect(try sandbox.todoctl("category", "add", name).status == 0) }
        try sandbox.addItems((1...8).map { "Item \($0)" })
        #expect(try sandbox.shell("todoctl edit 1 2 3 --tag errand,post").status == 0)
        // The items include a repeating one and a done one, and one change was undone.
        for line in ["edit 5 6 --parent 4", "edit 3 --due tomorrow --every week", "done 7", "mute 8", "undo"]
        {
            #expect(try sandbox.shell("todoctl \(line)").status == 0)
        }
        for name in Self.others {
            try sandbox.write("#!/bin/sh\necho '[]'\n", to: "bin/\(name)")
            #expect(chmod("\(sandbox.directory)/bin/\(name)", 0o755) == 0)
        }
        try sandbox.write("TYPE,CONTENT\ntask,Mow the lawn\n", to: "work/Garden.csv")
        let watcher = try sandbox.connect()
        try watcher.call("Watch", more: true)
        try sandbox.write(try #require(try watcher.nextReply().text("token")), to: "work/token")
        #expect(try sandbox.shell("todoctl export > items.json").status == 0)
        #expect(try sandbox.shell("todoctl export --format icalendar > items.ics").status == 0)
        #expect(try sandbox.shell("todoctl export --format coredata > reminders.xml").status == 0)
        return sandbox
    }

    private func run(_ example: String) throws {
        let sandbox = try filled()
        // A command that runs until Ctrl-C is still running after half a second.
        let isEndless = example.contains("watch")
        let line = isEndless ? "timeout 0.5 \(example)" : example
        try sandbox.write(line, to: "line.sh")
        let result = try sandbox.shell("EDITOR=true PATH=~/bin:$PATH bash ~/line.sh")
        if example.hasPrefix("todoctl alerts"), result.errors.contains("journal") { return }
        #expect(result.status == (isEndless ? 124 : 0), "\(example): \(result)")
    }

    // MARK: - Help

    @Test func examplesOfHelpWork() throws {
        let sandbox = try Sandbox()
        var count = 0
        for verb in try verbs(sandbox) {
            let help = try sandbox.shell("todoctl \(verb) --help").output
            let examples = examples(inHelp: help)
            #expect(!examples.isEmpty, "\(verb)")
            for example in examples { try run(example) }
            count += examples.count
        }
        #expect(count > 40)
    }

    private func verbs(_ sandbox: Sandbox) throws -> [String] {
        func candidates(_ words: String...) throws -> [String] {
            try sandbox.run("todoctl", ["__complete"] + words + [""]).output.split(separator: "\n").map {
                String($0.prefix { $0 != "\t" })
            }
        }
        // The examples of `sync` need a server. `SyncCommandTests` runs them.
        return try candidates().filter { $0 != "sync" }.flatMap { verb in
            ["category", "config", "tag"].contains(verb)
                ? try candidates(verb).map { "\(verb) \($0)" } : [verb]
        }
    }

    private func examples(inHelp help: String) -> [String] {
        let lines = help.split(separator: "\n")
        if let line = lines.first(where: { $0.hasPrefix("Example: ") }) { return [String(line.dropFirst(9))] }
        return lines.drop { $0 != "Examples:" }.dropFirst().map { String($0.dropFirst(2)) }
    }

    // MARK: - README

    /// The lines with `todoctl` in the tables of the README, and the one with `task`.
    @Test func examplesOfReadmeWork() throws {
        let text = try String(contentsOf: Self.repository.appending(path: "README.md"), encoding: .utf8)
        let examples = text.split(separator: "\n").compactMap { line -> String? in
            guard line.hasPrefix("| `todoctl ") || line.hasPrefix("`task ") else { return nil }
            return String(line.split(separator: "`", omittingEmptySubsequences: false)[1])
        }
        #expect(examples.count > 15)
        for example in examples { try run(example) }
    }

    // MARK: - Manual pages

    /// A line with a prompt is an example. The examples of todoctl's commands are those of the help.
    @Test(arguments: ["todoctl.1", "todod.8", "todod.conf.5", "todod-protocol.7"])
    func examplesOfManualWork(page: String) throws {
        let url = Self.repository.appending(path: "docs/man/\(page)")
        let text = try String(contentsOf: url, encoding: .utf8)
        let own =
            text.split(separator: ".\\\" BEGIN COMMANDS")[0]
            + (text.split(separator: ".\\\" END COMMANDS").last ?? "")
        let examples = own.split(separator: "\n").compactMap { line in
            ["$ ", ".Dl $ "].first { line.hasPrefix($0) }.map { plain(line.dropFirst($0.count)) }
        }
        #expect(!examples.isEmpty)
        for example in examples where !example.hasPrefix("todod ") { try run(example) }
    }

    /// Returns the text that a reader of the page sees.
    private func plain(_ text: Substring) -> String {
        let names = [
            "\\(aq": "'", "\\(dq": "\"", "\\-": "-", "\\e": "\\", "\\(ti": "~", "\\(ga": "`", "\\(ha": "^",
        ]
        return names.reduce(String(text)) { $0.replacing($1.key, with: $1.value) }
    }

    @Test func storeCheckWorks() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        #expect(daemon.stop() == 0)
        #expect(try sandbox.shell("todod --check").status == 0)
    }
}
