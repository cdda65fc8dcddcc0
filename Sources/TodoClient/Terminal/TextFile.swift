internal import Glibc
internal import TodoAPI

/// A text file that is read or written as a whole.
enum TextFile {
    /// The reasons why a file cannot be read as text.
    enum Failure: Error {
        case unreadable(errno: Int32)
        case noText
        /// The file is a store or a backup of one.
        case store
        case longer(thanBytes: Int)
        /// The file is a named pipe to which no program writes.
        case unusedPipe

        var reason: String {
            switch self {
            case .unreadable(let errno): String(cString: strerror(errno))
            case .noText: "it is not UTF-8 text"
            case .store: "it is a store, or a copy of one"
            case .longer(let limit): "it is longer than \(limit >> 20) MiB"
            case .unusedPipe: "it is a pipe to which no program writes"
            }
        }
    }

    /// Returns the text of a file or, if `path` is `-`, of standard input.
    ///
    /// - Parameter limit: the maximum size in bytes. Standard input may have no end.
    static func contents(
        of path: String, limit: Int = Import.textBytesLimit
    ) throws(Failure) -> String {
        // Without `O_NONBLOCK`, opening a named pipe blocks until a program opens its other end.
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(errno: errno) }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EAGAIN, path != "-" {
                // A program has opened the other end, so block until it writes.
                _ = fcntl(descriptor, F_SETFL, O_RDONLY)
                continue
            }
            if count < 0 { throw .unreadable(errno: errno) }
            if count == 0, bytes.isEmpty, path != "-", isPipe(descriptor) { throw .unusedPipe }
            if count == 0 { break }
            bytes += chunk[..<count]
            if isStore(bytes) { throw .store }
            guard bytes.count <= limit else { throw .longer(thanBytes: limit) }
        }
        let whole = String(validating: bytes, as: UTF8.self)
        guard let text = whole ?? String(validating: withWholeCharacters(bytes), as: UTF8.self) else {
            throw .noText
        }
        return text
    }

    private static func isPipe(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    private static func isStore(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "SQLite format 3\0".utf8) }

    /// Moves line breaks out of the bytes of a character, so that the text is valid UTF-8.
    ///
    /// Some calendars fold a line between the bytes of a character. RFC 5545, 3.1 requires readers to restore such a
    /// character. The fold, CR LF or LF followed by a space or a tab, is moved to the end of the character.
    private static func withWholeCharacters(_ bytes: [UInt8]) -> [UInt8] {
        let isInside = { (position: Int) in position < bytes.count && bytes[position] & 0xC0 == 0x80 }
        var mended: [UInt8] = []
        var position = 0
        while position < bytes.count {
            var end = position
            if bytes[end] == UInt8(ascii: "\r") { end += 1 }
            let isBreak =
                isInside(end + 2) && bytes[end] == UInt8(ascii: "\n") && " \t".utf8.contains(bytes[end + 1])
            guard isBreak else {
                mended.append(bytes[position])
                position += 1
                continue
            }
            end += 2
            var next = end
            while isInside(next) { next += 1 }
            mended += bytes[end..<next] + bytes[position..<end]
            position = next
        }
        return mended
    }

    /// Replaces the text of an existing file, or returns false and sets `errno`.
    static func write(_ text: String, to path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return Output.write(Array(text.utf8), to: descriptor)
    }
}
