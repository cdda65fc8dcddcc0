internal import Glibc

/// Something that the user decides while the command waits.
enum Question {
    /// Whether the answer is yes; nil when there is no terminal to ask on. An empty line means `customarily`.
    static func ask(_ text: String, customarily: Bool = false) -> Bool? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
        Output.writeError("\(text) \(customarily ? "[Y/n]" : "[y/N]") ")
        let answer = readLine()?.lowercased()
        if answer == "", customarily { return true }
        return answer == "y" || answer == "yes"
    }
}
