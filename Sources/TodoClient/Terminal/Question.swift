internal import Platform

/// A yes-or-no question to the user.
enum Question {
    /// Returns whether the answer is yes, or `nil` if there is no terminal to ask on.
    ///
    /// An empty line means `byDefault`.
    static func ask(_ text: String, byDefault: Bool = false) -> Bool? {
        guard StandardStream.input.isTerminal, StandardStream.error.isTerminal else { return nil }
        Output.writeError("\(text) \(byDefault ? "[Y/n]" : "[y/N]") ")
        let answer = readLine()?.lowercased()
        if answer == "", byDefault { return true }
        return answer == "y" || answer == "yes"
    }
}
