internal import CLinux
internal import Glibc

/// A new file that replaces another one when it is complete and on disk.
///
/// It is written under a temporary name in the same directory. The old file is unchanged until `finish`
/// renames the new one. A replacement that is never finished is removed.
final class FileReplacement {
    /// The result of a replacement that has taken effect.
    struct Outcome {
        let stamp: FileStamp
        /// Why a loss of power may restore the old file, or `nil` if the new file's name is on disk.
        let durabilityError: StoreError?
        /// The lock on the new file, or `nil` if none was requested or the file cannot be locked.
        let heldFile: LockedFile?

        /// Throws if a loss of power may restore the old file.
        func requireDurable() throws(StoreError) {
            if let durabilityError { throw durabilityError }
        }
    }

    private static let bufferSize = 256 << 10

    /// The path of the store, for error messages.
    private let path: String
    /// The path of the file that is replaced: the target of `path` if that is a symbolic link.
    private let target: String
    private let temporary: String
    /// Whether it is an error if the file to replace exists.
    private let isNew: Bool
    private var descriptor: Int32
    /// The lock on a new file. It shows other programs that the file is still being written.
    private var heldFile: LockedFile?
    private var buffer: [UInt8] = []

    /// Creates the temporary file, with the permissions of the file that it replaces.
    ///
    /// - Parameter isNew: whether it is an error if a file exists at `path` when this one is finished.
    init(of path: String, isNew: Bool = false) throws(StoreError) {
        self.path = path
        self.isNew = isNew
        target = FileSystem.target(path)
        temporary = isNew ? PartialFile.newPath(of: target) : Self.temporary(target)
        descriptor = Self.make(temporary)
        guard descriptor >= 0 else { throw failure() }
        if isNew, case .held(let file) = LockedFile.lock(duplicateOf: descriptor) { heldFile = file }
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

    /// Overwrites bytes that were appended before, such as a header that depends on the bytes after it.
    func overwrite(_ bytes: [UInt8], at offset: Int) throws(StoreError) {
        try flush()
        try write(bytes) { bytes, count, written in pwrite(descriptor, bytes, count, off_t(offset + written))
        }
    }

    /// Checks the file, syncs it to disk, and gives it its final name.
    ///
    /// - Parameter check: checks the file at its temporary path. If it throws, the old file stays.
    /// - Throws: the error of `check`, or a `StoreError` if nothing was saved or a loss of power may undo the
    ///   replacement.
    func finish(_ check: (_ path: String) throws -> Void) throws {
        try flush()
        try check(temporary)
        try finish().requireDurable()
    }

    /// Syncs the file to disk and gives it its final name.
    ///
    /// - Parameter isHeld: whether to lock the file itself before it has its final name.
    /// - Throws: a `StoreError` if nothing was saved. The old file is unchanged.
    func finish(isHeld: Bool = false) throws(StoreError) -> Outcome {
        try flush()
        let directory = try ContainingDirectory(of: target)
        guard fsync(descriptor) == 0 else { throw failure() }
        let stamp = try FileStamp(descriptor, path: path)
        if isHeld, heldFile == nil, case .held(let file) = LockedFile.lock(duplicateOf: descriptor) {
            heldFile = file
        }
        defer { heldFile = nil }
        let closed = Glibc.close(descriptor)
        descriptor = -1
        guard closed == 0, moveIntoPlace() else {
            let error = failure()
            unlink(temporary)
            throw error
        }
        do throws(StoreError) {
            try directory.synchronize()
            return Outcome(stamp: stamp, durabilityError: nil, heldFile: isHeld ? heldFile : nil)
        } catch {
            return Outcome(stamp: stamp, durabilityError: error, heldFile: isHeld ? heldFile : nil)
        }
    }

    private func moveIntoPlace() -> Bool {
        isNew ? FileSystem.renameUnlessThere(temporary, target) : rename(temporary, target) == 0
    }

    private func flush() throws(StoreError) {
        try write(buffer) { bytes, count, _ in Glibc.write(descriptor, bytes, count) }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Writes all of `bytes`, in several calls if the system accepts fewer at once.
    private func write(
        _ bytes: [UInt8], _ write: (UnsafeRawPointer?, _ count: Int, _ written: Int) -> Int
    ) throws(StoreError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { rest in
                write(rest.baseAddress.map { $0 + written }, rest.count - written, written)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure()
            }
            written += count
        }
    }

    /// Creates the temporary file, in place of one that a crash may have left.
    ///
    /// - Returns: the descriptor of the file, or -1 with `errno` set.
    private static func make(_ temporary: String) -> Int32 {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let descriptor = open(temporary, flags, 0o600)
        guard descriptor < 0, errno == EEXIST, unlink(temporary) == 0 else { return descriptor }
        return open(temporary, flags, 0o600)
    }

    private func failure() -> StoreError {
        let code = errno
        switch code {
        case EEXIST where isNew && descriptor < 0:
            return FileSystem.error(
                code, "the file exists already; choose another name", path: path)
        case ENOSPC, EDQUOT, EFBIG:
            return FileSystem.error(
                code, "no space is left; nothing was saved, make room and save again", path: path)
        default:
            return FileSystem.error(
                code, "the file cannot be written; nothing was saved, check its directory", path: path)
        }
    }

    private static func temporary(_ target: String) -> String { target + ".new" }

    /// Removes the temporary file that a crash may have left. The caller has the lock of the store.
    static func removeLeftover(of path: String) {
        // A leftover that cannot be removed is harmless until the next save, which reports it.
        let target = FileSystem.target(path)
        unlink(temporary(target))
        PartialFile.removeLeftovers(of: target)
    }
}
