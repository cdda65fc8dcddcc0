internal import Glibc

/// Whole files of text.
enum TextFile {
    /// Why a file is not to be had as text.
    struct Failure: Error {
        let reason: String
        /// It is what `todoctl backup` writes.
        var isStore = false
    }

    /// The text of a file, or with `-` of standard input.
    static func contents(of path: String) throws(Failure) -> String {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(reason: String(cString: strerror(errno))) }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 { throw Failure(reason: String(cString: strerror(errno))) }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        let whole = String(validating: bytes, as: UTF8.self)
        guard let text = whole ?? String(validating: withWholeCharacters(bytes), as: UTF8.self) else {
            if bytes.starts(with: "SQLite format 3\0".utf8) {
                throw Failure(reason: "it is a store, or a copy of one", isStore: true)
            }
            throw Failure(reason: "it is not UTF-8 text")
        }
        return text
    }

    /// Some calendars break their lines between the bytes of a character (RFC 5545, 3.1 has readers put up with that): such
    /// a break, CR LF or LF and then a space or a tab, goes behind the character.
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

    /// Replaces the text of a file that is there; false, with errno set, when that fails.
    static func write(_ text: String, to path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return Output.write(Array(text.utf8), to: descriptor)
    }
}
