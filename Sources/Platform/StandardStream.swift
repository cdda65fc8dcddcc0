internal import CLinux
internal import Glibc

/// A standard stream of the program.
package enum StandardStream: Int32, CaseIterable, Sendable {
    case input = 0
    case output = 1
    case error = 2

    /// Opens /dev/null for each standard stream that the caller has closed. Otherwise the next opened socket
    /// or file would get its descriptor and receive the output. Call this before opening anything.
    package static func reserveDescriptors() {
        for stream in allCases where fcntl(stream.rawValue, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDONLY)
        }
    }

    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Whether the stream is a file on a disk.
    package var isFile: Bool {
        var status = stat()
        return fstat(rawValue, &status) == 0 && FileStatus(status).kind == .file
    }

    /// The columns and rows of the terminal, or `nil` if the stream is not a terminal or does not report them.
    ///
    /// A terminal that reports only its width has 0 rows.
    package var terminalSize: (columns: Int, rows: Int)? {
        var size = winsize()
        guard isTerminal, ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Writes all bytes, in several calls if the system accepts fewer at once.
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemError("write to the standard stream \(rawValue)")
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes the text at once, and returns whether the system accepted all of it.
    @discardableResult
    package func writeOnce(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress, $0.count) } == bytes.count
    }
}
