internal import Glibc

/// A file that the daemon has written where it may, brought to a place where only its user may write.
struct FetchedFile {
    /// What cannot be done, and the reason.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ path: String, _ code: Int32 = errno) {
            self.init(path, reason: String(cString: strerror(code)))
        }

        init(_ path: String, reason: String) {
            description = "\(path): \(reason)"
        }
    }

    private static let chunkBytes = 1 << 20

    let source: String

    /// Copies the file to `path`, where nothing may be yet. The copy has its name when all of it is on disk.
    func copy(to path: String) throws(Failure) {
        let input = open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard input >= 0 else { throw Failure(source) }
        defer { close(input) }
        guard access(path, F_OK) != 0 else { throw Failure(path, EEXIST) }
        let partial = "\(path).partial"
        let output = try Self.openPartial(partial)
        defer { close(output) }
        // After the link below, only the other name remains.
        defer { unlink(partial) }
        let error = Self.copy(input, to: output)
        if let error { throw Failure(partial, error) }
        try Self.name(partial, path)
        let directory = open(Self.directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return }
        fsync(directory)
        close(directory)
    }

    /// Makes the file that becomes the copy, and locks it. One that an interrupted copy has left is removed.
    private static func openPartial(_ partial: String) throws(Failure) -> Int32 {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        var output = open(partial, flags, 0o600)
        if output < 0, errno == EEXIST {
            try removeUnlocked(partial)
            output = open(partial, flags, 0o600)
        }
        guard output >= 0 else { throw Failure(partial) }
        flock(output, LOCK_EX | LOCK_NB)
        return output
    }

    /// Removes a file that no other program is writing. It may be a second name of a complete copy, which stays.
    private static func removeUnlocked(_ partial: String) throws(Failure) {
        let leftover = open(partial, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard leftover >= 0 else { throw Failure(partial) }
        defer { close(leftover) }
        guard flock(leftover, LOCK_EX | LOCK_NB) == 0 else {
            throw Failure(partial, reason: "another backup is writing it; wait for its end")
        }
        guard unlink(partial) == 0 else { throw Failure(partial) }
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
