internal import Glibc
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
            let isTerminal = isatty(STDOUT_FILENO) == 1
            var size = winsize()
            let known = isTerminal && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
            let columns = known ? Int(size.ws_col) : isTerminal ? 80 : nil
            let rows = known && size.ws_row > 0 && !isDumb ? Int(size.ws_row) : nil
            let hasColour =
                switch colour {
                case .always: true
                case .never: false
                case .auto: isTerminal && takesColour
                }
            return Page(columns: columns, rows: rows, hasColour: hasColour)
        }

        private static var takesColour: Bool {
            let isUnwanted = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
            return !isUnwanted && !isDumb
        }

        private static var isDumb: Bool { getenv("TERM").map { String(cString: $0) == "dumb" } ?? true }
    }

    /// Whether standard output is a file on a disk, so that the output is not visible on a screen.
    static var isFile: Bool {
        var status = stat()
        return fstat(STDOUT_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    // MARK: - Standard output

    static func print(_ text: String) throws(ClientError) { try write(text + "\n") }

    static func printJSON(_ writer: borrowing JSONWriter) throws(ClientError) {
        try print(String(decoding: writer.bytes, as: UTF8.self).printableJSON())
    }

    /// Writes the text without adding a newline.
    static func write(_ text: String) throws(ClientError) { try write(Array(text.utf8)) }

    static func write(_ bytes: [UInt8]) throws(ClientError) {
        guard !write(bytes, to: STDOUT_FILENO) else { return }
        throw .unwritten(String(cString: strerror(errno)))
    }

    // MARK: - Standard error

    static func printError(_ text: String) { writeError(text + "\n") }

    /// Writes the text without adding a newline.
    ///
    /// Errors are ignored, because they cannot be reported.
    static func writeError(_ text: String) { _ = write(Array(text.utf8), to: STDERR_FILENO) }

    /// Writes all bytes, or returns false and sets `errno`.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            bytes = bytes.dropFirst(count)
        }
        return true
    }
}

/// The value of `--color`: whether text on a terminal has colours.
enum ColourUse: String, FieldChoice {
    case auto, always, never
}
