internal import Glibc

/// A file that is written beside another one and takes its place when it is whole and on disk.
///
/// Until `finish` returns, the old file is as it was. One that is never finished goes away.
final class FileReplacement {
    private static let bufferSize = 256 << 10

    /// The store, for errors.
    private let path: String
    /// The file that is replaced: where `path` leads to when it is a symbolic link.
    private let target: String
    private let temporary: String
    private var descriptor: Int32
    private var buffer: [UInt8] = []

    init(of path: String) throws(StoreError) {
        self.path = path
        target = FileSystem.target(path)
        temporary = Self.temporary(target)
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure() }
        var status = stat()
        if stat(target, &status) == 0 { _ = fchmod(descriptor, status.st_mode & 0o777) }
        buffer.reserveCapacity(Self.bufferSize)
    }

    deinit {
        guard descriptor >= 0 else { return }
        _ = Glibc.close(descriptor)
        unlink(temporary)
    }

    func append(_ bytes: some Sequence<UInt8>) throws(StoreError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    func append(_ text: String) throws(StoreError) {
        try append(text.utf8)
    }

    /// Writes over what was appended before, such as a header that could not be known earlier.
    func overwrite(_ bytes: [UInt8], at offset: Int) throws(StoreError) {
        try flush()
        guard pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count else { throw failure() }
    }

    /// Brings the file to the disk, and then to its name.
    ///
    /// - Parameter check: looks at the file before it gets its name; when it throws, the old file stays.
    func finish(_ check: (_ path: String) throws -> Void) throws {
        try flush()
        try check(temporary)
        try finish()
    }

    /// Brings the file to the disk, and then to its name.
    func finish() throws(StoreError) {
        try flush()
        guard fsync(descriptor) == 0 else { throw failure() }
        let closed = Glibc.close(descriptor)
        descriptor = -1
        guard closed == 0, rename(temporary, target) == 0 else {
            let error = failure()
            unlink(temporary)
            throw error
        }
        try syncDirectory()
    }

    private func flush() throws(StoreError) {
        var written = 0
        while written < buffer.count {
            let count = buffer.withUnsafeBytes { bytes in
                write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure()
            }
            written += count
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// The new name of a file is an entry of its directory, and that has to be on disk too.
    private func syncDirectory() throws(StoreError) {
        let end = target.lastIndex(of: "/")
        let directory = end.map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure() }
        defer { _ = Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure() }
    }

    private func failure() -> StoreError {
        let code = errno
        switch code {
        case ENOSPC, EDQUOT, EFBIG:
            return FileSystem.error(
                code, "no space is left; nothing was saved, make room and save again", path: path)
        default:
            return FileSystem.error(
                code, "the file cannot be written; nothing was saved, check its directory", path: path)
        }
    }

    private static func temporary(_ target: String) -> String { target + ".new" }

    /// Removes what a crash left behind; for who has the lock of the store.
    static func removeLeftover(of path: String) {
        // What cannot be removed is in nobody's way before the next save, which says so.
        unlink(temporary(FileSystem.target(path)))
    }
}
