import Foundation
import TestProcesses
import Testing

/// Every line with `todoctl` in the pages, typed into the shells that people use.
///
/// A shell changes some characters before a program sees them, and an interactive one more than a script: `!`, `#`, `*`
/// or `(`. The lines have to give todoctl the same words everywhere.
@Suite struct TypedLineTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// A program in place of todoctl that records its words, and reports when a line has ended.
    private static let recorder = """
        #!/bin/sh
        if [ "$1" = --line-ends ]; then printf 'end %s\\n' "$2" >> ~/words; printf 'line-%s-has-ended\\n' "$2"; exit; fi
        printf 'call' >> ~/words
        for word in "$@"; do printf ' [%s]' "$word" >> ~/words; done
        printf '\\n' >> ~/words

        """

    /// A shell, and its options for a session without a user's settings.
    enum Shell: String, CaseIterable {
        case bash, zsh, fish

        var path: String { "/usr/bin/\(rawValue)" }

        var options: [String] {
            switch self {
            case .bash: ["--norc", "-i"]
            case .zsh: ["-f", "-i"]
            case .fish: ["--no-config", "-i"]
            }
        }
    }

    @Test(arguments: Shell.allCases.filter { FileManager.default.isExecutableFile(atPath: $0.path) })
    func documentedLineHasSameWordsInInteractiveShell(_ shell: Shell) throws {
        let lines = try Self.documentedLines()
        try #require(lines.count > 120)
        let expected = try words(of: lines) { sandbox in
            for (number, line) in lines.enumerated() {
                _ = try sandbox.run(
                    "/bin/sh", ["-c", "cd ~; \(line)"], environment: Self.variables(of: sandbox))
                _ = try sandbox.run("\(sandbox.directory)/bin/todoctl", ["--line-ends", "\(number)"])
            }
        }
        let typed = try words(of: lines) { sandbox in
            let terminal = try PseudoTerminal(columns: 200)
            // fish waits until it is in the foreground of its own terminal.
            let process = try sandbox.start(
                "/usr/bin/setsid", ["--ctty", "--wait", shell.path] + shell.options, on: terminal,
                Self.variables(of: sandbox))
            defer { process.terminate() }
            // A line may write into the current directory.
            try terminal.type("cd ~\n")
            for (number, line) in lines.enumerated() {
                try terminal.type("\(line)\ntodoctl --line-ends \(number)\n")
                try terminal.wait(for: "line-\(number)-has-ended")
            }
            try terminal.type("exit\n")
            process.waitUntilExit()
        }
        for (number, line) in lines.enumerated() {
            #expect(!expected[number].isEmpty, "no call in: \(line)")
            #expect(typed[number] == expected[number], "\(line)")
        }
    }

    private static func variables(of sandbox: Sandbox) -> [String: String] {
        ["PATH": "\(sandbox.directory)/bin:/usr/bin:/bin", "TERM": "xterm", "LANG": "C.UTF-8"]
    }

    /// Returns the recorded calls of each line.
    private func words(of lines: [String], typing: (Sandbox) throws -> Void) throws -> [[String]] {
        let sandbox = try Sandbox()
        // Lines also call these.
        for name in ["todoctl", "task", "journalctl", "systemctl", "sudo", "nc"] {
            try sandbox.write(name == "todoctl" ? Self.recorder : "#!/bin/sh\n", to: "bin/\(name)")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: "\(sandbox.directory)/bin/\(name)")
        }
        try typing(sandbox)
        // The directories of two sandboxes have different names.
        let text = try String(contentsOfFile: "\(sandbox.directory)/words", encoding: .utf8)
            .replacing(sandbox.directory, with: "HOME")
        var (calls, result): ([String], [[String]]) = ([], [])
        for record in text.split(separator: "\n") {
            if record.hasPrefix("end ") {
                result.append(calls)
                calls = []
            } else {
                calls.append(String(record))
            }
        }
        try #require(result.count == lines.count)
        return result
    }

    // MARK: - Lines

    private static func documentedLines() throws -> [String] {
        let docs = repository.appending(path: "docs")
        let pages = try [docs, docs.appending(path: "man")].flatMap {
            try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
        }
        var lines: [String] = []
        for page in [repository.appending(path: "README.md")] + pages.sorted(by: { $0.path < $1.path })
        where ["md", "1", "5", "7", "8"].contains(page.pathExtension) {
            let text = try String(contentsOf: page, encoding: .utf8)
            lines += page.pathExtension == "md" ? self.lines(ofPage: text) : self.lines(ofManual: text)
        }
        var seen: Set<String> = []
        return lines.filter { $0.contains("todoctl") && seen.insert($0).inserted }
    }

    /// Returns the lines of the shell blocks, and the code in sentences.
    private static func lines(ofPage text: String) -> [String] {
        var (lines, language): ([String], String?) = ([], nil)
        for line in text.split(separator: "\n").map(String.init) {
            if line.hasPrefix("```") {
                language = language == nil ? String(line.dropFirst(3)) : nil
            } else if language == "sh" {
                lines.append(line)
            } else if language == "console" {
                if line.hasPrefix("$ ") { lines.append(String(line.dropFirst(2))) }
            } else if language == nil {
                let codes = line.split(separator: "`", omittingEmptySubsequences: false)
                lines += codes.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
                    .filter { $0.contains("todoctl ") }
            }
        }
        return lines
    }

    /// Returns the lines with a prompt, without the escapes of mdoc.
    private static func lines(ofManual text: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("$ ") }.map { line in
            String(line.dropFirst(2)).replacing("\\-", with: "-").replacing("\\(aq", with: "'")
                .replacing("\\(dq", with: "\"").replacing("\\e", with: "\\")
        }
    }
}
