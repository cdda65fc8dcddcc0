import Foundation
import Testing

/// The completion scripts, in the shells that they are for.
@Suite struct ShellCompletionTests {
    private func filled() throws -> Sandbox {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        for name in ["Home", "My garden"] {
            #expect(try sandbox.todoctl("category", "add", name).status == 0)
        }
        try sandbox.addItems(["Pay the rent", #"50 % \t of \u001B[31mit"#, "$(touch /tmp/never)"])
        return sandbox
    }

    /// What bash would show and insert for a line that has been typed so far.
    private func complete(_ sandbox: Sandbox, _ words: [String]) throws -> [String] {
        let quoted = words.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
        let script = """
            compopt() { echo "compopt $*"; }
            eval "$(todoctl completion bash)"
            COMP_WORDS=(todoctl \(quoted)) COMP_CWORD=\(words.count)
            _todoctl
            for reply in "${COMPREPLY[@]}"; do printf '%s\\n' "$reply"; done
            """
        try sandbox.write(script, to: "complete.bash")
        let result = try sandbox.shell("bash --norc ~/complete.bash")
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test func bashIsToldWhatFits() throws {
        let sandbox = try filled()
        let cases: [([String], [String])] = [
            (["sho"], ["show"]), (["category", "del"], ["delete"]),
            (["list", "--due-"], ["--due-before", "--due-after"]),
            (["done", "1"], ["1"]), (["add", "x", "-c", "my"], [#"My\ garden"#]),
            (["add", "x", "-c", "\"My"], ["My garden"]),
            (["add", "--category", "=", "Ho"], ["Home"]), (["import", "x"], ["compopt -o default"]),
            (["done", "--where", ""], []),
        ]
        for (words, replies) in cases {
            // Several come with what there is to say about them.
            let completed = try complete(sandbox, words).map { $0.components(separatedBy: "  ")[0] }
            #expect(completed == replies, "\(words)")
        }
        #expect(
            try complete(sandbox, ["done", ""]) == [
                "1  Pay the rent", #"2  50 % \u{9} of \u{1B}[31mit"#, "3  $(touch /tmp/never)",
            ])
    }

    @Test func bashCompletesWhatIsTyped() throws {
        let sandbox = try filled()
        let line = "exec bash --norc -i"
        let typed = "eval \"$(todoctl completion bash)\"\ntodoctl sh\t1 --js\t\nexit\n"
        let result = try sandbox.terminal(line, typing: typed)
        #expect(result.output.contains(#""name":"Pay the rent""#), "\(result)")
    }

    @Test func withoutADaemonNothingIsSaid() throws {
        let sandbox = try Sandbox()
        let result = try sandbox.todoctl("__complete", "done", "")
        #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty)
        #expect(try complete(sandbox, ["stat"]) == ["status"])
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zsh")))
    func zshIsToldWhatFits() throws {
        let sandbox = try filled()
        let script = """
            compdef() { :; }
            _describe() { print -r -- ${(P)argv[-1]}; print -rl -- ${(P)argv[-1]}; }
            _files() { print files; }
            eval "$(todoctl completion zsh)"
            for line in "done " "import " "add -c my"; do
                words=(todoctl "${(@s: :)line}") CURRENT=${#words}
                _todoctl
            done
            """
        try sandbox.write(script, to: "complete.zsh")
        let result = try sandbox.shell("zsh -f ~/complete.zsh")
        #expect(result.errors.isEmpty, "\(result.errors)")
        #expect(
            result.output.contains("\n1:Pay the rent\n") && result.output.contains("\nfiles\n"),
            "\(result.output)")
        #expect(result.output.hasSuffix("\nMy garden:0 open\n"), "\(result.output)")
    }
}
