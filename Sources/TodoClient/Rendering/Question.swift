internal import Glibc

/// Something that the user decides while the command waits.
enum Question {
    /// Whether the answer is yes; nil when there is no terminal to ask on.
    static func ask(_ text: String) -> Bool? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
        Output.writeError("\(text) [y/N] ")
        let answer = readLine()?.lowercased()
        return answer == "y" || answer == "yes"
    }
}
