internal import CLinux
internal import Glibc

/// A file of a store that is locked by itself, in addition to the lock file beside it.
///
/// The lock file could be removed while it is locked, and a second program would then lock another one. The lock is on
/// one byte that SQLite never locks, and belongs to this open file: closing the file elsewhere in the process does not
/// end it. Closing it does end SQLite's own locks on the file in this process, so a database is closed before.
final class HeldFile: Sendable {
    /// What came of the attempt to lock a file.
    enum Attempt {
        case held(HeldFile)
        /// Another open file has the lock.
        case refused
        /// There is no such file, or its file system has no locks.
        case impossible
    }

    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        _ = todod_unlock_store(descriptor)
        close(descriptor)
    }

    /// Locks the file at `path`, if there is one: alone, or together with others that read it.
    static func lock(_ path: String, shared: Bool = false) -> Attempt {
        // A named pipe would wait for a program at its other end.
        lock(open(path, (shared ? O_RDONLY : O_RDWR) | O_CLOEXEC | O_NONBLOCK), shared: shared)
    }

    /// Locks an open file. It stays locked when `descriptor` is closed.
    static func lock(duplicateOf descriptor: Int32) -> Attempt {
        lock(todod_duplicate(descriptor), shared: false)
    }

    private static func lock(_ descriptor: Int32, shared: Bool) -> Attempt {
        guard descriptor >= 0 else { return .impossible }
        if todod_lock_store(descriptor, shared ? 1 : 0) == 0 { return .held(HeldFile(descriptor)) }
        let code = errno
        close(descriptor)
        return code == EAGAIN || code == EACCES ? .refused : .impossible
    }
}
