/// Text of words with colours, which is wrapped between the words.
struct StyledText {
    enum Colour: String {
        case red = "\u{1B}[31m"
        case green = "\u{1B}[32m"
        case yellow = "\u{1B}[33m"
        case blue = "\u{1B}[34m"
        case magenta = "\u{1B}[35m"
        case cyan = "\u{1B}[36m"
    }

    private var words: [(text: String, colour: Colour?)] = []

    /// Adds the words of `text`. Control characters in it must be escaped.
    mutating func add(_ text: String, _ colour: Colour? = nil) {
        words += text.split(separator: " ").map { (String($0), colour) }
    }

    /// Returns the lines without a newline at the end.
    func text(for page: Output.Page) -> String {
        var lines: [String] = []
        var line = ""
        var width = 0
        for (text, colour) in words {
            if width > 0, width + 1 + text.displayWidth > page.columns ?? .max {
                lines.append(line)
                (line, width) = ("", 0)
            }
            let styled = colour.flatMap { page.hasColour ? $0.rawValue + text + "\u{1B}[0m" : nil } ?? text
            line += (width > 0 ? " " : "") + styled
            width += (width > 0 ? 1 : 0) + text.displayWidth
        }
        return (lines + [line]).joined(separator: "\n")
    }
}
