internal import Glibc

/// A file that the daemon has written where it may, brought to a place where only its user may write.
struct FetchedFile {
    /// What cannot be done, and the reason.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ path: String, _ code: Int32 = errno) {
            description = "\(path): \(String(cString: strerror(code)))"
        }
    }

    private static let chunkBytes = 1 << 20

    let source: String

    /// Copies the file to `path`, where nothing may be yet. The copy has its name when all of it is on disk.
    func copy(to path: String) throws(Failure) {
        let input = open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard input >= 0 else { throw Failure(source) }
        defer { close(input) }
        let partial = "\(path).partial"
        let output = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard output >= 0 else { throw Failure(partial) }
        // After the link below, only the other name remains.
        defer { unlink(partial) }
        let error = Self.copy(input, to: output)
        close(output)
        if let error { throw Failure(partial, error) }
        try Self.name(partial, path)
        let directory = open(Self.directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return }
        fsync(directory)
        close(directory)
    }

    /// Returns the number of the error, or `nil`.
    private static func copy(_ input: Int32, to output: Int32) -> Int32? {
        var chunk = [UInt8](repeating: 0, count: chunkBytes)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(input, $0.baseAddress, $0.count) }
            if count < 0 { return errno }
            if count == 0 { return fsync(output) == 0 ? nil : errno }
            guard Output.write(Array(chunk[..<count]), to: output) else { return errno }
        }
    }

    /// Takes the place of no other file. Some disks, such as sticks, know no links.
    private static func name(_ partial: String, _ path: String) throws(Failure) {
        if link(partial, path) == 0 { return }
        guard errno == EPERM || errno == EOPNOTSUPP || errno == EMLINK else { throw Failure(path) }
        guard access(path, F_OK) != 0 else { throw Failure(path, EEXIST) }
        guard rename(partial, path) == 0 else { throw Failure(path) }
    }

    private static func directory(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }
}
