import Foundation
import Testing

/// The sessions that the README shows, and the screens in docs/screens.md, are what a terminal shows.
///
/// They run on the day on which they were recorded; of times only the form is compared.
@Suite struct ReadmeTests {
    private struct Step {
        let line: String
        var output: [String] = []
    }

    /// Without an offset: in the zone of the run.
    private static let recorded = "2026-11-21T08:12:00"
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// What the blocks of a text show: what is typed, and what comes of it.
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

    /// Those in which only todoctl is called; the container tests replay the one that reads the journal.
    @Test func theSessionsOfTheReadme() throws {
        let sessions = sessions(try page("README.md")).filter {
            $0.allSatisfy { $0.line.hasPrefix("todoctl ") }
        }
        #expect(sessions.count == 2)
        for session in sessions {
            let sandbox = try Sandbox(now: Self.recorded)
            _ = try sandbox.startDaemon()
            // What a session shows of categories may come from the one before it.
            for name in ["Home"] where !session.contains(where: { $0.line.contains("category add \(name)") })
            {
                #expect(try sandbox.todoctl("category", "add", name).status == 0)
            }
            for step in session {
                let result = try sandbox.shell(step.line)
                let lines = (result.output + result.errors).split(separator: "\n").map(String.init)
                #expect(forms(lines) == forms(step.output), "\(step.line): \(lines)")
            }
        }
    }

    /// A shell that talks to the socket by itself.
    @Test func theSessionWithoutTodoctl() throws {
        let sessions = sessions(try page("README.md")).filter { $0.contains { $0.line.contains("nc -N") } }
        let steps = try #require(sessions.first)
        #expect(sessions.count == 1)
        let sandbox = try Sandbox(now: Self.recorded)
        // Where the socket is by default.
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

    /// C9: With the line that the README gives for zsh, its completion system finds our function.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zsh")))
    func zshFindsFunctionAfterTheLineOfTheReadme() throws {
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

    /// L11: Every journalctl line of the README is limited to the entries of todod.
    @Test func journalLinesOfTheReadmeNameTodod() throws {
        let lines = try page("README.md").split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix("journalctl") || $0.hasPrefix("$ journalctl") }
        #expect(lines.count >= 3)
        for line in lines {
            let names = ["-u todod", "-t todod", "TODO_ALERT=", "TODO_ID="]
            #expect(names.contains { line.contains($0) }, "\(line)")
        }
    }

    /// Each heading says how many columns the terminal has.
    @Test func theScreens() throws {
        let sandbox = try Sandbox(now: Self.recorded)
        _ = try sandbox.startDaemon()
        let sections = try page("docs/screens.md").components(separatedBy: "\n## ").dropFirst()
        #expect(sections.count == 4)
        for section in sections {
            let columns = try #require(Int(section.prefix { $0 != " " }))
            for step in try #require(sessions(section).first) {
                let result = try sandbox.terminal("stty cols \(columns); \(step.line)")
                let lines = result.output.split(whereSeparator: \.isNewline).map(String.init)
                #expect(forms(lines) == forms(step.output), "\(step.line): \(lines)")
                #expect(lines.allSatisfy { $0.count <= columns })
            }
        }
    }

    /// Lines without what depends on the moment; their order in a table does too.
    private func forms(_ lines: [String]) -> [String] {
        lines.map { line in
            line.replacing(
                #/(today|tomorrow|yesterday)? ?((Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d+ [A-Z][a-z]{2}( \d{4})? )?\d\d:\d\d/#,
                with: " WHEN"
            )
            .replacing(#/(in \d+ (s|min|h|days|weeks|months|years)|now)\b/#, with: "SPAN")
            .replacing(#/\d{4}-\d\d-\d\d/#, with: "DATE")
            .replacing(#/ [*!] /#, with: " ").replacing(#/ +/#, with: " ")
        }.sorted()
    }
}
