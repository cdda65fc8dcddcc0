internal import Platform
internal import TodoAPI

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

    /// Asks for a line, and returns it without spaces around it, or `nil` at the end of the input.
    ///
    /// An empty line means `byDefault`.
    static func line(_ text: String, byDefault: String) -> String? {
        Output.writeError("\(text) [\(byDefault.oneLine())]: ")
        guard let line = readLine() else {
            Output.writeError("\n")
            return nil
        }
        let answer = String(line.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
        return answer.isEmpty ? byDefault : answer
    }

    /// Whether there is a terminal to ask on.
    static var isPossible: Bool {
        StandardStream.input.isTerminal && StandardStream.error.isTerminal
    }
}
