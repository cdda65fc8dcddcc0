internal import Glibc

/// Whole files of text.
enum TextFile {
    /// The text of a file, or with `-` of standard input; nil, with errno set, when it cannot be read or is no UTF-8.
    static func contents(of path: String) -> String? {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 { return nil }
            if count == 0 { return String(validating: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
    }

    /// Replaces the text of a file that is there; false, with errno set, when that fails.
    static func write(_ text: String, to path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return Output.write(Array(text.utf8), to: descriptor)
    }
}
