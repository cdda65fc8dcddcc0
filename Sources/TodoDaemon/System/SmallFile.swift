internal import Glibc
internal import TodoService
internal import Varlink

/// A small file of the daemon, which is replaced as a whole.
enum SmallFile {
    static let bytesLimit = 1 << 20

    /// Returns the bytes of the file, or `nil` if it cannot be read or is too large.
    static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: bytesLimit)
        var count = 0
        while count < bytesLimit {
            let result = bytes[count...].withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            if result < 0 { return nil }
            if result == 0 { return Array(bytes[..<count]) }
            count += result
        }
        return nil
    }

    /// Replaces the file, and creates its directory if it is missing. After a crash, there is either the old or the
    /// new file.
    static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        try Directory.create(above: path)
        let new = "\(path).new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemError("create \(new)") }
        let error = write(bytes, to: descriptor)
        close(descriptor)
        if let error {
            unlink(new)
            throw SystemError("write \(new)", code: error)
        }
        guard rename(new, path) == 0 else { throw SystemError("rename \(new)") }
        let directory = open(Directory.split(path).directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw SystemError("open the directory of \(path)") }
        defer { close(directory) }
        if fsync(directory) != 0 { throw SystemError("sync the directory of \(path)") }
    }

    /// Writes and syncs all bytes. Returns the error number if that fails, otherwise `nil`.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                return errno
            }
            rest = rest.dropFirst(count)
        }
        return fsync(descriptor) == 0 ? nil : errno
    }
}
