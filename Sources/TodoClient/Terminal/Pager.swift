internal import Glibc
internal import Platform
internal import TodoAPI

/// A pager for text that is longer than the screen, as in systemctl and git.
enum Pager {
    /// The default pager.
    ///
    /// It ends at once if the text fits on the screen, keeps colours, and leaves the text on the screen.
    private static let defaultCommand = "less -FRX"

    /// Prints the text, in a pager if it does not fit on the screen of `page`.
    static func print(_ text: String, _ page: Output.Page, isWanted: Bool) throws(ClientError) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
        guard isWanted, let rows = page.rows, lines >= rows, let command, show(text, with: command) else {
            return try Output.print(text)
        }
    }

    /// The pager that the user has set or the default one, or `nil` if the text is to be printed without a pager.
    private static var command: String? {
        for name in ["TODOCTL_PAGER", "PAGER"] {
            guard let command = Environment.variable(name) else { continue }
            return command.isEmpty || command == "cat" ? nil : command
        }
        return defaultCommand
    }

    /// Runs the command in a shell with the text as its input, and returns whether the pager ran.
    private static func show(_ text: String, with command: String) -> Bool {
        guard let input = try? file(holding: text + "\n") else { return false }
        // Set the options for a user with plain `less` as the pager.
        Environment.setDefault("LESS", to: "FRX")
        // Ctrl-C is for the pager.
        let interrupt = signal(SIGINT, SIG_IGN)
        let quit = signal(SIGQUIT, SIG_IGN)
        defer {
            signal(SIGINT, interrupt)
            signal(SIGQUIT, quit)
        }
        let status = Subprocess.run("/bin/sh", ["-c", command], input: input.number)
        // The shell could not find the pager or start it.
        return status != 126 && status != 127 && status != -1
    }

    /// Returns an unnamed file with the text.
    private static func file(holding text: String) throws(SystemError) -> FileDescriptor {
        let directory = Environment.variable("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        let file = try FileDescriptor(creatingTemporary: "\(directory)/todoctl-")
        try FileSystem.remove(file.path)
        try file.write(text)
        file.move(to: 0)
        return file
    }
}
