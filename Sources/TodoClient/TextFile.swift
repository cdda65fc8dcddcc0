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
        guard let text = String(validating: bytes, as: UTF8.self) else {
            if bytes.starts(with: "SQLite format 3\0".utf8) {
                throw Failure(reason: "it is a store, or a copy of one", isStore: true)
            }
            throw Failure(reason: "it is not UTF-8 text")
        }
        return text
    }

    /// Replaces the text of a file that is there; false, with errno set, when that fails.
    static func write(_ text: String, to path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return Output.write(Array(text.utf8), to: descriptor)
    }
}
