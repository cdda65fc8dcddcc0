internal import Platform
internal import TodoAPI

/// A text file that is read or written as a whole.
enum TextFile {
    private static let chunkBytes = 64 << 10

    /// The reasons why a file cannot be read as text.
    enum Failure: Error {
        case unreadable(SystemError)
        case noText
        /// The file is a store or a backup of one.
        case store
        case longer(thanBytes: Int)
        /// The file is a named pipe to which no program writes.
        case unusedPipe

        var reason: String {
            switch self {
            case .unreadable(let error): error.reason
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
        let bytes = try bytes(of: path, limit: limit)
        let whole = String(validating: bytes, as: UTF8.self)
        guard let text = whole ?? String(validating: withWholeCharacters(bytes), as: UTF8.self) else {
            throw .noText
        }
        return text
    }

    private static func bytes(of path: String, limit: Int) throws(Failure) -> [UInt8] {
        let isStandardInput = path == "-"
        let file = try open(path)
        var bytes: [UInt8] = []
        while true {
            let chunk: [UInt8]
            do throws(SystemError) {
                chunk = try file.bytes(count: chunkBytes)
            } catch {
                guard error.wouldBlock, !isStandardInput else { throw .unreadable(error) }
                // A program has opened the other end, so block until it writes.
                file.waitForBytes()
                continue
            }
            if chunk.isEmpty {
                let isPipe = (try? file.status())?.kind == .pipe
                if bytes.isEmpty, !isStandardInput, isPipe { throw .unusedPipe }
                return bytes
            }
            bytes += chunk
            if isStore(bytes) { throw .store }
            guard bytes.count <= limit else { throw .longer(thanBytes: limit) }
        }
    }

    private static func open(_ path: String) throws(Failure) -> FileDescriptor {
        do throws(SystemError) {
            if path == "-" { return try FileDescriptor(duplicating: .input) }
            // Otherwise, opening a named pipe would block until a program opens its other end.
            return try FileDescriptor(opening: path, for: .reading, .doesNotWait)
        } catch {
            throw .unreadable(error)
        }
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

    /// Replaces the text of an existing file.
    static func write(_ text: String, to path: String) throws(SystemError) {
        try FileDescriptor(opening: path, for: .writing, .truncates).write(text)
    }
}
