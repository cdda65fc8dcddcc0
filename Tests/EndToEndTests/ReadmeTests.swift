import Foundation
import TestServers
import Testing

/// The sessions in the README and the screens in docs/screens.md, compared with the output on a terminal.
///
/// They run on the date on which they were recorded. Only the form of times is compared.
@Suite struct ReadmeTests {
    private struct Step {
        let line: String
        var output: [String] = []
    }

    /// A local time, because it has no offset.
    private static let recorded = "2026-11-21T08:12:00"
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the sessions in the blocks of a text: each typed line and its output.
    private func sessions(_ text: String) -> [[Step]] {
        text.components(separatedBy: "```console\n").dropFirst().map { block in
            var steps: [Step] = []
            for line in block.components(separatedBy: "```")[0].split(separator: "\n").map(String.init) {
                if line.hasPrefix("$ ") {
                    steps.append(Step(line: String(line.dropFirst(2))))
                } else if !steps.isEmpty {
                    steps[steps.count - 1].output.append(line)
                }
            }
            return steps
        }
    }

    private func page(_ path: String) throws -> String {
        try String(contentsOf: Self.repository.appending(path: path), encoding: .utf8)
    }

    /// Only the sessions that call nothing but todoctl. The container tests run the one that reads the journal.
    @Test func readmeSessionsShowRealOutput() throws {
        let sessions = sessions(try page("README.md")).filter {
            $0.allSatisfy { $0.line.hasPrefix("todoctl ") && !$0.line.hasPrefix("todoctl sync add") }
        }
        #expect(sessions.count == 2)
        for session in sessions {
            let sandbox = try Sandbox(now: Self.recorded)
            _ = try sandbox.startDaemon()
            // A session may show a category that an earlier session has added.
            for name in ["Home"] where !session.contains(where: { $0.line.contains("category add \(name)") })
            {
                #expect(try sandbox.todoctl("category", "add", name).status == 0)
            }
            for step in session {
                let result = try sandbox.shell(step.line)
                let lines = (result.output + result.errors).split(separator: "\n").map(String.init)
                #expect(lines.terminalForms == step.output.terminalForms, "\(step.line): \(lines)")
            }
        }
    }

    /// The session runs with a new Radicale server, which listens on another port.
    @Test func readmeSessionWithServerShowsRealOutput() throws {
        let found = sessions(try page("README.md")).filter {
            $0.contains { $0.line.contains("todoctl sync add") }
        }
        let steps = try #require(found.first)
        #expect(found.count == 1)
        let server = try TestServer(.radicaleOfDebian)
        let tasks = try RemoteTasks(on: server, name: "Home")
        try tasks.add("1", name: "Mow the lawn")
        try tasks.add("2", name: "Call the plumber")
        let sandbox = try Sandbox(now: Self.recorded)
        _ = try sandbox.startDaemon()
        _ = try sandbox.startSynchronization()
        try sandbox.write("\(TestServer.password)\n", to: "secret")
        #expect(chmod("\(sandbox.directory)/secret", 0o600) == 0)
        _ = try sandbox.run(todoctl: "category add Home")
        _ = try sandbox.run(todoctl: "add Pay the rent --due 'tomorrow 9am' --category Home")
        for step in steps {
            let result = try sandbox.shell(step.line.replacing(":5232", with: ":\(server.port)"))
            let lines = (result.output + result.errors).split(separator: "\n").map(String.init)
            // The order of the tasks is that of the server.
            #expect(lines.taskForms == step.output.taskForms, "\(step.line): \(lines)")
            if step.line.hasPrefix("todoctl sync add") { _ = try sandbox.run(todoctl: "sync now") }
        }
    }

    /// A shell uses the socket without todoctl.
    @Test func readmeSessionWithoutTodoctlShowsRealOutput() throws {
        let sessions = sessions(try page("README.md")).filter { $0.contains { $0.line.contains("nc -N") } }
        let steps = try #require(sessions.first)
        #expect(sessions.count == 1)
        let sandbox = try Sandbox(now: Self.recorded)
        // This is the default place of the socket.
        let runtime = "\(sandbox.directory)/run"
        try sandbox.write("", to: "run/todod/place")
        let variables = ["XDG_RUNTIME_DIR": runtime, "TODOD_SOCKET": "\(runtime)/todod/socket"]
        _ = try sandbox.startDaemon(environment: variables)
        for words in [["category", "add", "Home"], ["add", "x", "--category", "Home"]] {
            #expect(try sandbox.run("todoctl", words, environment: variables).status == 0)
        }
        for step in steps {
            let result = try sandbox.run("/bin/sh", ["-c", step.line], environment: variables)
            #expect(result.output == step.output.map { $0 + "\n" }.joined(), "\(step.line): \(result)")
        }
    }

    /// C9: The README's line for zsh lets its completion system find the function of todoctl.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zsh")))
    func zshFindsFunctionWithLineOfReadme() throws {
        let line = try #require(page("README.md").split(separator: "\n").first { $0.hasPrefix("fpath=") })
        let sandbox = try Sandbox()
        let functions = ".local/share/zsh/site-functions"
        try sandbox.write(try sandbox.todoctl("completion", "zsh").output, to: "\(functions)/_todoctl")
        let ending = "autoload -Uz compinit && compinit -u -d ~/dump; print -r -- $_comps[todoctl]"
        for (beginning, found) in [("", ""), ("\(line)\n", "_todoctl")] {
            try sandbox.write("HOME=\(sandbox.directory)\n\(beginning)\(ending)\n", to: "find.zsh")
            let result = try sandbox.run("/usr/bin/zsh", ["-f", "\(sandbox.directory)/find.zsh"])
            #expect(result.output == "\(found)\n", "\(result)")
        }
    }

    /// L11: Every journalctl line of the README selects the entries of todod.
    @Test func readmeJournalLinesSelectTodod() throws {
        let lines = try page("README.md").split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix("journalctl") || $0.hasPrefix("$ journalctl") }
        #expect(lines.count >= 3)
        for line in lines {
            let names = ["-u todod", "-t todod", "TODO_ALERT=", "TODO_ID="]
            #expect(names.contains { line.contains($0) }, "\(line)")
        }
    }

    /// The headings contain the number of columns of the terminal.
    @Test func screensShowRealOutput() throws {
        let sandbox = try Sandbox(now: Self.recorded)
        _ = try sandbox.startDaemon()
        let screens = try #require(page("docs/screens.md").components(separatedBy: "\n# A week\n").first)
        let sections = screens.components(separatedBy: "\n## ").dropFirst()
        #expect(sections.count == 5)
        for section in sections {
            let columns = try #require(Int(section.prefix { $0 != " " }))
            for step in try #require(sessions(section).first) {
                let result = try sandbox.terminal("stty cols \(columns); \(step.line)")
                let lines = result.output.split(whereSeparator: \.isNewline).map(String.init)
                #expect(lines.terminalForms == step.output.terminalForms, "\(step.line): \(lines)")
                #expect(lines.allSatisfy { $0.count <= columns })
            }
        }
    }
}

extension [String] {
    /// The forms without the numbers of items.
    fileprivate var taskForms: [String] {
        terminalForms.map { $0.replacing(#/^ *\d+ /#, with: "") }.sorted()
    }

    /// The lines of a terminal without text that depends on the time, in alphabetical order, because the order of rows also
    /// depends on it.
    var terminalForms: [String] {
        map { line in
            line.replacing(
                #/(today|tomorrow|yesterday)? ?((Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d+ [A-Z][a-z]{2}( \d{4})? )?\d\d:\d\d/#,
                with: " WHEN"
            )
            .replacing(
                #/(in \d+ (s|min|h|days|weeks|months|years)|\d+ (s|min|h|days|weeks|months|years) ago|now)\b/#,
                with: "SPAN"
            )
            .replacing(#/\d{4}-\d\d-\d\d/#, with: "DATE").replacing(#/UID: .*/#, with: "UID")
            .replacing(#/ [*!] /#, with: " ").replacing(#/ +/#, with: " ")
        }.sorted()
    }
}
