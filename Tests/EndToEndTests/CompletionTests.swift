import Foundation
import TestProcesses
import Testing

/// The completion scripts, each in its shell.
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

    /// Returns the completions that bash shows for the words typed so far.
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

    @Test func bashCompletesWords() throws {
        let sandbox = try filled()
        let cases: [([String], [String])] = [
            (["sho"], ["show"]), (["category", "del"], ["delete"]),
            (["sync", "acc"], ["accept"]), (["sync", "conflicts", "re"], ["restore"]),
            (["list", "--due-"], ["--due-before", "--due-after"]),
            (["done", "1"], ["1"]), (["add", "x", "-c", "my"], [#"My\ garden"#]),
            (["add", "x", "-c", "\"My"], ["My garden"]),
            (["add", "--category", "=", "Ho"], ["Home"]), (["import", "x"], ["compopt -o default"]),
            (["done", "--where", ""], []),
        ]
        for (words, replies) in cases {
            // Several completions are shown with a description.
            let completed = try complete(sandbox, words).map { $0.components(separatedBy: "  ")[0] }
            #expect(completed == replies, "\(words)")
        }
        #expect(
            try complete(sandbox, ["done", ""]) == [
                "1  Pay the rent", #"2  50 % \t of \u{1B}[31mit"#, "3  $(touch /tmp/never)",
            ])
    }

    /// The daemon accepts every key that is offered for `--sort`.
    @Test func completedSortKeysAreAccepted() throws {
        let sandbox = try filled()
        let keys = try complete(sandbox, ["list", "--sort", ""])
        #expect(keys.count > 10 && keys.contains("due"))
        for key in keys {
            let result = try sandbox.todoctl("list", "--sort", "\(key),-\(key)")
            #expect(result.status == 0, "\(key): \(result.errors)")
        }
        #expect(try complete(sandbox, ["snooze", "1", "o"]) == ["off"])
    }

    @Test func bashCompletesTypedLine() throws {
        let sandbox = try filled()
        let line = "exec bash --norc -i"
        let typed = "eval \"$(todoctl completion bash)\"\ntodoctl sh\t1 --js\t\nexit\n"
        let result = try sandbox.terminal(line, typing: typed)
        #expect(result.output.contains(#""name":"Pay the rent""#), "\(result)")
    }

    @Test func completionIsSilentWithoutDaemon() throws {
        let sandbox = try Sandbox()
        let result = try sandbox.todoctl("__complete", "done", "")
        #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty)
        #expect(try complete(sandbox, ["stat"]) == ["status"])
    }

    private static let hasFish = FileManager.default.isExecutableFile(atPath: "/usr/bin/fish")

    @Test(.enabled(if: hasFish))
    func fishCompletesWords() throws {
        let sandbox = try filled()
        try sandbox.write(try sandbox.todoctl("completion", "fish").output, to: "todoctl.fish")
        try sandbox.write("", to: "work/items.json")
        for (typed, shown) in [
            ("sho", "show\tShow everything about items\n"), ("done 1", "1\tPay the rent\n"),
            ("list --due-b", "--due-before\tonly items due before WHEN: tomorrow, fri 15:30, 2026-12-24\n"),
            ("add x -c my", "My garden\t0 open\n"), ("add --category=ho", "--category=Home\t0 open\n"),
            ("import it", "items.json\n"), ("call --socket=it", "--socket=items.json\n"),
            ("category mute \"My", "My garden\t0 open\n"), ("frob ", ""),
        ] {
            try sandbox.write(
                "source ~/todoctl.fish; complete --do-complete 'todoctl \(typed)'", to: "ask.fish")
            let result = try sandbox.shell("fish --no-config ~/ask.fish")
            #expect(result.output == shown && result.errors.isEmpty, "\(typed): \(result)")
        }
        try sandbox.write(
            "source ~/todoctl.fish; complete --do-complete 'todoctl done '", to: "ask.fish")
        let items = try sandbox.shell("fish --no-config ~/ask.fish").output
        #expect(items == "1\tPay the rent\n2\t50 % \\t of \\u{1B}[31mit\n3\t$(touch /tmp/never)\n")
    }

    private static let hasZsh = FileManager.default.isExecutableFile(atPath: "/usr/bin/zsh")

    /// An interactive zsh with its own completion system.
    @Test(.enabled(if: hasZsh))
    func zshCompletesTypedLine() throws {
        let sandbox = try filled()
        try sandbox.write(try sandbox.todoctl("completion", "zsh").output, to: "functions/_todoctl")
        try sandbox.write(try sandbox.todoctl("export").output, to: "items.json")
        let terminal = try PseudoTerminal(columns: 80)
        let shell = try sandbox.start(
            "/usr/bin/setsid", ["--ctty", "zsh", "-f", "-i"], on: terminal,
            ["TERM": "xterm", "PS1": "ready> ", "PATH": "\(Sandbox.products):/usr/bin:/bin"])
        try terminal.wait(for: "ready> ")
        try terminal.type(
            "cd; fpath=(~/functions $fpath); autoload -Uz compinit; compinit -u -D; print s''et\r")
        try terminal.wait(for: "\nset\r\n")
        for (typed, shown) in [
            ("todoctl sh\t1 --js\t\r", #""name":"Pay the rent""#), ("todoctl done \t", "1  -- Pay the rent"),
            ("\u{15}todoctl category mute my\t\r", "Muted category My garden"),
            ("todoctl import it\t--dry-r\t\r", "3 unchanged"), ("todoctl list --gr\tdu\t\r", "No date (3)"),
            ("todoctl done \t", #"2  -- 50 % \t of \u{1B}[31mit"#), ("\u{15}exit\r", "exit"),
        ] {
            try terminal.type(typed)
            try terminal.wait(for: shown)
        }
        shell.waitUntilExit()
    }

    @Test(.enabled(if: hasZsh))
    func zshCompletesWords() throws {
        let sandbox = try filled()
        let script = """
            compdef() { :; }
            _describe() { print -r -- ${(P)argv[3]}; print -rl -- ${(P)argv[3]}; }
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
