internal import CLinux
internal import Glibc

/// An open file or directory, which is closed with the value.
package struct FileDescriptor: ~Copyable, Sendable {
    package enum Access: Sendable {
        case reading, writing, readingAndWriting
    }

    package struct Options: OptionSet, Sendable {
        package let rawValue: Int32

        package init(rawValue: Int32) { self.rawValue = rawValue }

        /// Creates the file if there is none, accessible to the owner only.
        package static let creates = Options(rawValue: O_CREAT)
        /// Creates the file, accessible to the owner only. It is an error if one exists.
        package static let createsNew = Options(rawValue: O_CREAT | O_EXCL)
        package static let truncates = Options(rawValue: O_TRUNC)
        /// It is an error if the path is a symbolic link.
        package static let refusesLinks = Options(rawValue: O_NOFOLLOW)
        /// It is an error if the path is not a directory.
        package static let directory = Options(rawValue: O_DIRECTORY)
        /// Does not wait for a program at the other end of a named pipe, and does not open a terminal as that of the
        /// process.
        package static let doesNotWait = Options(rawValue: O_NONBLOCK | O_NOCTTY)
        /// Does not change the time of the last access when the file is read. Only the owner of a file may open it so.
        package static let keepsAccessTime = Options(rawValue: todod_keeps_access_time)
    }

    /// The number that the system gave to the open file, or -1 after it was closed.
    package private(set) var number: Int32
    package let path: String

    /// Opens the file at `path`. Programs that this process starts do not get it.
    package init(
        opening path: String, for access: Access, _ options: Options = []
    ) throws(SystemError) {
        let isNew = options.isSuperset(of: .createsNew)
        try FileFault.check(.open, path, "\(isNew ? "create" : "open") \(path)")
        let flags: Int32 =
            switch access {
            case .reading: O_RDONLY
            case .writing: O_WRONLY
            case .readingAndWriting: O_RDWR
            }
        let number = open(path, flags | options.rawValue | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError("\(isNew ? "create" : "open") \(path)") }
        self.number = number
        self.path = path
    }

    /// Creates a file with an unused name, accessible to the owner only, and opens it for reading and writing.
    package init(creatingTemporary prefix: String, suffix: String = "") throws(SystemError) {
        var name = Array("\(prefix)XXXXXX\(suffix)".utf8CString)
        let number = mkstemps(&name, Int32(suffix.utf8.count))
        guard number >= 0 else { throw SystemError("create a file \(prefix)…") }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        self.number = number
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Creates a second descriptor of a standard stream.
    package init(duplicating stream: StandardStream) throws(SystemError) {
        let number = todod_duplicate(stream.rawValue)
        guard number >= 0 else { throw SystemError("open the standard stream \(stream.rawValue)") }
        self.number = number
        path = "-"
    }

    /// Creates a second descriptor of an open file. Both have one position and one lock.
    package init(duplicating other: borrowing FileDescriptor) throws(SystemError) {
        let number = todod_duplicate(other.number)
        guard number >= 0 else { throw SystemError("open \(other.path) a second time") }
        self.number = number
        path = other.path
    }

    deinit {
        if isOpen { _ = Glibc.close(number) }
    }

    /// Closes the file.
    ///
    /// - Throws: an error if the file system reports that written bytes were lost. The file is closed in this case, too.
    package mutating func close() throws(SystemError) {
        let open = number
        number = -1
        guard Glibc.close(open) == 0 else { throw SystemError("close \(path)") }
        try FileFault.check(.close, path, "close \(path)")
    }

    package var isOpen: Bool { number >= 0 }

    package func status() throws(SystemError) -> FileStatus {
        try FileFault.check(.status, path, "examine \(path)")
        var status = stat()
        guard fstat(number, &status) == 0 else { throw SystemError("examine \(path)") }
        return FileStatus(status)
    }

    package func untimedStatus() throws(SystemError) -> UntimedFileStatus {
        try FileFault.check(.status, path, "examine \(path)")
        var status = statx()
        guard todod_status_without_times(number, path, &status) == 0 else {
            throw SystemError("examine \(path)")
        }
        return UntimedFileStatus(status)
    }

    // MARK: - Bytes

    /// Reads the next bytes, or those at `offset`, into `buffer`.
    ///
    /// - Returns: the number of bytes that were read, 0 at the end of the file.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int? = nil
    ) throws(SystemError) -> Int {
        try FileFault.check(.read, path, "read \(path)")
        while true {
            let count =
                if let offset {
                    pread(number, buffer.baseAddress, buffer.count, off_t(offset))
                } else {
                    Glibc.read(number, buffer.baseAddress, buffer.count)
                }
            if count >= 0 { return count }
            if errno != EINTR { throw SystemError("read \(path)") }
        }
    }

    /// Returns the next bytes, or those at `offset`: at most `count`, and none at the end of the file.
    package func bytes(count: Int, at offset: Int? = nil) throws(SystemError) -> [UInt8] {
        var result = Result<Int, SystemError>.success(0)
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(SystemError) {
                filled = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            } catch {
                result = .failure(error)
            }
        }
        _ = try result.get()
        return bytes
    }

    /// Returns the bytes from the current position to the end, or `nil` if there are more than `limit`.
    package func remainingBytes(limit: Int) throws(SystemError) -> [UInt8]? {
        var bytes: [UInt8] = []
        while true {
            let chunk = try self.bytes(count: min(64 << 10, limit + 1))
            if chunk.isEmpty { return bytes }
            bytes += chunk
            if bytes.count > limit { return nil }
        }
    }

    /// Writes all bytes at the current position, or at `offset`, in several calls if the system accepts fewer at once.
    package func write(_ bytes: ArraySlice<UInt8>, at offset: Int? = nil) throws(SystemError) {
        var failure: SystemError?
        bytes.withUnsafeBytes { bytes in
            do throws(SystemError) { try write(bytes, at: offset) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int? = nil) throws(SystemError) {
        try FileFault.check(.write, path, "write \(path)")
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count =
                if let offset {
                    pwrite(number, rest.baseAddress, rest.count, off_t(offset + written))
                } else {
                    Glibc.write(number, rest.baseAddress, rest.count)
                }
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemError("write \(path)")
            }
            written += count
        }
    }

    /// Writes the text as UTF-8, without a copy of it in memory.
    package func write(_ text: String) throws(SystemError) {
        var text = text
        var failure: SystemError?
        text.withUTF8 { bytes in
            do throws(SystemError) { try write(UnsafeRawBufferPointer(bytes)) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Continues reading or writing at a byte of the file.
    package func move(to offset: Int) {
        lseek(number, off_t(offset), SEEK_SET)
    }

    /// Makes reading wait for bytes, after the file was opened with `doesNotWait`.
    package func waitForBytes() {
        _ = fcntl(number, F_SETFL, O_RDONLY)
    }

    package func truncate() throws(SystemError) {
        guard ftruncate(number, 0) == 0 else { throw SystemError("truncate \(path)") }
    }

    package func setPermissions(_ permissions: UInt32) throws(SystemError) {
        guard fchmod(number, permissions) == 0 else { throw SystemError("set the permissions of \(path)") }
    }

    /// Syncs the contents of the file, or the names in the directory, to disk.
    package func synchronize() throws(SystemError) {
        try FileFault.check(.synchronize, path, "sync \(path)")
        guard fsync(number) == 0 else { throw SystemError("sync \(path)") }
    }

    // MARK: - Lock of the whole file

    /// Locks the whole file, without waiting, or changes the kind of the lock.
    ///
    /// - Parameter isShared: whether other readers may lock the file at the same time.
    /// - Returns: false if another open file has the lock.
    package func lock(isShared: Bool = false) throws(SystemError) -> Bool {
        if flock(number, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw SystemError("lock \(path)") }
        return false
    }

    /// Releases the lock, also for a process that is just being started and has a copy of the descriptor.
    package func unlock() {
        flock(number, LOCK_UN)
    }
}
