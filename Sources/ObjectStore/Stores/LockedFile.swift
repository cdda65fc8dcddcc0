internal import CLinux
internal import Glibc

/// A lock on the file of a store itself, in addition to the lock file beside it.
///
/// The lock file could be removed while it is locked, and a second program would then create and lock another
/// one. The lock covers one byte that SQLite never locks. It belongs to this open file: closing the file
/// elsewhere in the process does not release it. Closing this file does release SQLite's own locks on it in
/// this process, so close the database first.
final class LockedFile: Sendable {
    /// The result of an attempt to lock a file.
    enum Attempt {
        case held(LockedFile)
        /// Another open file has the lock.
        case refused
        /// There is no such file, or its file system does not support locks.
        case impossible
    }

    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        _ = todod_unlock_store(descriptor)
        close(descriptor)
    }

    /// Locks the file at `path`, if there is one: exclusively, or shared with other readers.
    static func lock(_ path: String, shared: Bool = false) -> Attempt {
        // Without O_NONBLOCK, opening a named pipe waits for a program at its other end.
        lock(open(path, (shared ? O_RDONLY : O_RDWR) | O_CLOEXEC | O_NONBLOCK), shared: shared)
    }

    /// Locks an open file. It stays locked when `descriptor` is closed.
    static func lock(duplicateOf descriptor: Int32) -> Attempt {
        lock(todod_duplicate(descriptor), shared: false)
    }

    private static func lock(_ descriptor: Int32, shared: Bool) -> Attempt {
        guard descriptor >= 0 else { return .impossible }
        if todod_lock_store(descriptor, shared ? 1 : 0) == 0 { return .held(LockedFile(descriptor)) }
        let code = errno
        close(descriptor)
        return code == EAGAIN || code == EACCES ? .refused : .impossible
    }
}
