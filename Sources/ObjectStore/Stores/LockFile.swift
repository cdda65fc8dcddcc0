internal import Glibc
internal import Synchronization

/// The lock file beside a store. The process that has the store open holds the lock.
///
/// The lock file is in the directory of the store's file itself, not in that of a symbolic link to it. A file
/// has one lock, not one for each of its names.
///
/// The kernel releases the lock when the process ends, so nothing has to be cleaned up after a crash. The
/// lock file stays, except that a lock file created by this lock is removed with it unless `keep` is called.
/// The file of the store is locked too, because the lock file could be removed.
final class LockFile: Sendable {
    private let descriptor: Int32
    /// The lock file to remove when the lock is released, or `nil` if it stays.
    private let fileToRemove: Mutex<String?>
    /// The lock on the file of the store, or `nil` if there is no file yet or it cannot be locked.
    private let heldFile: Mutex<LockedFile?>

    /// Locks the store at `path`.
    ///
    /// - Throws: a `StoreError`. If another process has the lock, the message names that process.
    init(of path: String) throws(StoreError) {
        var status = stat()
        var locked: Int32
        repeat {
            locked = try Self.lock(path)
            _ = fstat(locked, &status)
            // Its holder removed the file between the two calls, and another program may have created a new one.
            if status.st_nlink == 0 { _ = Glibc.close(locked) }
        } while status.st_nlink == 0
        descriptor = locked
        // A lock file that is not empty has the process ID of an earlier holder, so this call did not create it.
        fileToRemove = Mutex(status.st_size == 0 ? Self.file(of: path) : nil)
        heldFile = Mutex(nil)
        try holdStore(at: path)
        let text = "\(getpid())\n"
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, text, text.utf8.count, 0)
    }

    private static func file(of path: String) -> String { FileSystem.target(path) + ".lock" }

    /// Locks the file of the store itself, after it was created or replaced.
    ///
    /// - Throws: a `StoreError` if another program has locked it.
    func holdStore(at path: String) throws(StoreError) {
        let place = FileSystem.target(path)
        switch LockedFile.lock(place) {
        case .held(let file): hold(file)
        case .impossible: break
        case .refused:
            // Readers share the lock, a writer does not.
            let isRead = if case .held = LockedFile.lock(place, shared: true) { true } else { false }
            throw StoreError(
                isRead ? .locked : .inUse,
                "\(isRead ? "a program that reads it" : "another program") has the store open; stop it first",
                path: path)
        }
    }

    /// Replaces the lock on the store's file with the lock on the file that is the store from now on.
    func hold(_ file: LockedFile) {
        heldFile.withLock { $0 = file }
    }

    /// Keeps the lock file when the lock is released, because there is a store beside it.
    func keep() {
        fileToRemove.withLock { $0 = nil }
    }

    private static func lock(_ path: String) throws(StoreError) -> Int32 {
        let descriptor = open(file(of: path), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            let advice =
                switch errno {
                case EROFS: "; its disk has to be writable"
                case ENOSPC, EDQUOT: "; make room on its disk"
                default: ""
                }
            throw FileSystem.error(errno, "its lock file cannot be created\(advice)", path: path)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            let holder = holder(descriptor)
            _ = Glibc.close(descriptor)
            guard code == EWOULDBLOCK else { throw FileSystem.error(code, "it cannot be locked", path: path) }
            let advice =
                holder.name == Self.process(getpid())
                ? ", which is this one; use that coordinator, or close it first" : "; stop it first"
            throw StoreError(holder.code, "\(holder.name) has the store open" + advice, path: path)
        }
        return descriptor
    }

    /// Locks the store at `path` together with other readers, or returns `nil` if a program has it open for writing.
    ///
    /// Nothing is created or written. If there is no lock file, only the file of the store is locked.
    static func share(_ path: String) -> Sharing? {
        let descriptor = open(file(of: path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor < 0 || flock(descriptor, LOCK_SH | LOCK_NB) == 0 else {
            _ = Glibc.close(descriptor)
            return nil
        }
        let lock = LockFile(descriptor)
        switch LockedFile.lock(FileSystem.target(path), shared: true) {
        case .held(let file): lock.hold(file)
        case .impossible: break
        case .refused: return nil
        }
        return Sharing(lock: lock)
    }

    struct Sharing {
        let lock: LockFile?
    }

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
        fileToRemove = Mutex(nil)
        heldFile = Mutex(nil)
    }

    deinit {
        guard descriptor >= 0 else { return }
        if let path = fileToRemove.withLock({ $0 }) { unlink(path) }
        // A child process that is just being started has a copy of the descriptor. Closing ours alone would
        // leave the file locked.
        _ = flock(descriptor, LOCK_UN)
        _ = Glibc.close(descriptor)
    }

    /// Returns the name of the program that has the lock file, and the code of the error if it keeps others out.
    private static func holder(_ descriptor: Int32) -> (name: String, code: StoreError.Code) {
        // A reader has a shared lock and does not write its process ID.
        if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { return ("a program that reads it", .locked) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let digits = bytes.prefix(max(count, 0)).prefix {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
        return (Int32(String(decoding: digits, as: UTF8.self)).map(process) ?? "another process", .inUse)
    }

    private static func process(_ number: Int32) -> String { "the process \(number)" }
}
