internal import Platform
internal import TodoAPI
internal import Varlink

/// The standard streams, and the properties of standard output.
enum Output {
    /// The size of the output, and whether it can have colours.
    struct Page {
        /// The width of the screen, or `nil` if lines can have any length, as in a pipe or a file.
        let columns: Int?
        /// The height of the screen, or `nil` if the output is not a screen or cannot be paged.
        let rows: Int?
        let hasColour: Bool

        init(columns: Int?, rows: Int? = nil, hasColour: Bool) {
            self.columns = columns
            self.rows = rows
            self.hasColour = hasColour
        }

        static func standardOutput(_ colour: ColourUse) -> Page {
            let isTerminal = StandardStream.output.isTerminal
            let size = StandardStream.output.terminalSize
            let columns = size?.columns ?? (isTerminal ? 80 : nil)
            let rows = size.flatMap { $0.rows > 0 && !isDumb ? $0.rows : nil }
            let hasColour =
                switch colour {
                case .always: true
                case .never: false
                case .auto: isTerminal && takesColour
                }
            return Page(columns: columns, rows: rows, hasColour: hasColour)
        }

        private static var takesColour: Bool {
            let isUnwanted = Environment.variable("NO_COLOR").map { !$0.isEmpty } ?? false
            return !isUnwanted && !isDumb
        }

        private static var isDumb: Bool { Environment.variable("TERM").map { $0 == "dumb" } ?? true }
    }

    /// Whether standard output is a file on a disk, so that the output is not visible on a screen.
    static var isFile: Bool { StandardStream.output.isFile }

    // MARK: - Standard output

    static func print(_ text: String) throws(ClientError) { try write(text + "\n") }

    static func printJSON(_ writer: borrowing JSONWriter) throws(ClientError) {
        try print(String(decoding: writer.bytes, as: UTF8.self).printableJSON())
    }

    /// Writes the text without adding a newline.
    static func write(_ text: String) throws(ClientError) { try write(Array(text.utf8)) }

    static func write(_ bytes: [UInt8]) throws(ClientError) {
        do throws(SystemError) {
            try StandardStream.output.write(bytes)
        } catch {
            throw .unwritten(error.reason)
        }
    }

    // MARK: - Standard error

    static func printError(_ text: String) { writeError(text + "\n") }

    /// Writes the text without adding a newline.
    ///
    /// Errors are ignored, because they cannot be reported.
    static func writeError(_ text: String) { try? StandardStream.error.write(Array(text.utf8)) }
}

/// The value of `--color`: whether text on a terminal has colours.
enum ColourUse: String, FieldChoice {
    case auto, always, never
}
