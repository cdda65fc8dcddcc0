internal import Platform

/// A question to the user.
enum Question {
    /// Returns whether the answer is yes, or `nil` if there is no terminal to ask on.
    ///
    /// An empty line means `byDefault`.
    static func ask(_ text: String, byDefault: Bool = false) -> Bool? {
        guard isPossible else { return nil }
        Output.writeError("\(text) \(byDefault ? "[Y/n]" : "[y/N]") ")
        let answer = readLine()?.lowercased()
        if answer == "", byDefault { return true }
        return answer == "y" || answer == "yes"
    }

    /// Asks until the answer is one of `words` or the beginning of one, and returns the word.
    ///
    /// An empty line means the first word, and the end of the input the last one.
    static func choose(_ text: String, hint: String, among words: [String]) -> String? {
        guard isPossible else { return nil }
        while true {
            Output.writeError("\(text) [\(hint)] ")
            guard let answer = readLine()?.lowercased().filter({ !$0.isWhitespace }) else {
                Output.writeError("\n")
                return words.last
            }
            if let word = words.first(where: { $0.hasPrefix(answer) }) { return word }
        }
    }

    private static var isPossible: Bool {
        StandardStream.input.isTerminal && StandardStream.error.isTerminal
    }
}
