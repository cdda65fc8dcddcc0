internal import Glibc
internal import TodoAPI

/// The editor of the user, and a file for it to work on.
struct Editor {
    /// As in a shell: `vim`, `code --wait`.
    private let command: String
    let path: String

    /// What Debian has for the editor that was chosen for all users.
    private static let chosenForAll = "/usr/bin/editor"

    /// The editor that the user has named or, on a terminal, the customary one.
    static var customary: String? {
        for name in ["VISUAL", "EDITOR"] {
            if let command = UserDirectories.variable(name), !command.isEmpty { return command }
        }
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
        return access(chosenForAll, X_OK) == 0 ? chosenForAll : "vi"
    }

    /// Makes the file, which nobody else may read.
    init(_ command: String) throws(ClientError) {
        self.command = command
        let directory = UserDirectories.variable("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        let suffix = ".txt"
        var name = Array("\(directory)/todoctl-XXXXXX\(suffix)".utf8CString)
        let descriptor = mkstemps(&name, Int32(suffix.utf8.count))
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw .refused("todoctl: cannot make a file in \(directory) to edit: \(reason)")
        }
        close(descriptor)
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Writes the text, lets the user edit it, and returns what it is then.
    func edit(_ text: String) throws(ClientError) -> String {
        guard TextFile.write(text, to: path) else {
            throw .refused("todoctl: cannot write \(path): \(String(cString: strerror(errno)))")
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

    func removeFile() { unlink(path) }

    /// A shell takes the command apart, as it does wherever else the variables are used.
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
