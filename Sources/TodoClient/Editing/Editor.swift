internal import Glibc
internal import Platform
internal import TodoAPI

/// The user's editor, and the file that it opens.
struct Editor {
    /// The command as the shell reads it: `vim`, `code --wait`.
    private let command: String
    let path: String

    /// The editor that Debian's alternatives system selects for all users.
    private static let chosenForAll = "/usr/bin/editor"

    /// The command of the user's editor, else of the system's editor if there is a terminal, else `nil`.
    static var preferred: String? {
        for name in ["VISUAL", "EDITOR"] {
            if let command = Environment.variable(name), !command.isEmpty { return command }
        }
        guard StandardStream.input.isTerminal, StandardStream.output.isTerminal else { return nil }
        return FileSystem.has(.execute, for: chosenForAll) ? chosenForAll : "vi"
    }

    /// Creates a temporary file that only this user may read.
    init(_ command: String) throws(ClientError) {
        self.command = command
        let directory = Environment.variable("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        do throws(SystemError) {
            path = try FileDescriptor(creatingTemporary: "\(directory)/todoctl-", suffix: ".txt").path
        } catch {
            throw .refused("todoctl: cannot create a file to edit in \(directory): \(error.reason)")
        }
    }

    /// Writes the text to the file, opens the editor, and returns the edited text.
    func edit(_ text: String) throws(ClientError) -> String {
        do throws(SystemError) {
            try TextFile.write(text, to: path)
        } catch {
            throw .refused("todoctl: cannot write \(path): \(error.reason)")
        }
        let status = run()
        guard status == 0 else {
            throw .refused(
                "todoctl: the editor '\(command)' failed; nothing was changed\nThe text is in \(path)")
        }
        do throws(TextFile.Failure) {
            return try TextFile.contents(of: path)
        } catch {
            throw .refused("todoctl: cannot read \(path) any more: \(error.reason); nothing was changed")
        }
    }

    func removeFile() { try? FileSystem.remove(path) }

    /// Runs the editor in a shell, because other programs treat these variables as shell commands, too.
    private func run() -> Int32 {
        // Ctrl-C is for the editor.
        let interrupt = signal(SIGINT, SIG_IGN)
        let quit = signal(SIGQUIT, SIG_IGN)
        defer {
            signal(SIGINT, interrupt)
            signal(SIGQUIT, quit)
        }
        return Subprocess.run("/bin/sh", ["-c", command + " \"$1\"", command, path])
    }
}
