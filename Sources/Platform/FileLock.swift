internal import CLinux
internal import Glibc

/// A lock on a file while it is written, or on the file of a store in addition to the lock file beside it.
///
/// A lock file could be removed while it is locked, and a second program would then create and lock another
/// one. The lock covers one byte that SQLite never locks. It belongs to this open file: closing the file
/// elsewhere in the process does not release it. Closing this file does release SQLite's own locks on it in
/// this process, so close the database first.
package final class FileLock: Sendable {
    /// The result of an attempt to lock a file.
    package enum Attempt {
        case held(FileLock)
        /// Another open file has the lock.
        case refused
        /// There is no such file, this process may not open it, or its file system does not support locks.
        case impossible
        /// The file may be lockable later: there is no free descriptor or no memory for it.
        case failed(SystemError)
    }

    private let file: FileDescriptor

    private init(_ file: consuming FileDescriptor) { self.file = file }

    deinit {
        // A process that is just being started has a copy of the descriptor. Closing this one would not end the lock.
        _ = todod_unlock_store(file.number)
    }

    /// Locks the file at `path`, if there is one: exclusively, or shared with other readers.
    package static func lock(_ path: String, isShared: Bool = false) -> Attempt {
        do throws(SystemError) {
            let access: FileDescriptor.Access = isShared ? .reading : .readingAndWriting
            return lock(try FileDescriptor(opening: path, for: access, .doesNotWait), isShared: isShared)
        } catch {
            return error.isOutOfResources ? .failed(error) : .impossible
        }
    }

    /// Locks an open file. It stays locked when `file` is closed.
    package static func lock(duplicateOf file: borrowing FileDescriptor) -> Attempt {
        do throws(SystemError) {
            return lock(try FileDescriptor(duplicating: file), isShared: false)
        } catch {
            return .failed(error)
        }
    }

    /// Lets other programs share the lock.
    package func share() {
        _ = todod_lock_store(file.number, 1)
    }

    private static func lock(_ file: consuming FileDescriptor, isShared: Bool) -> Attempt {
        if todod_lock_store(file.number, isShared ? 1 : 0) == 0 { return .held(FileLock(file)) }
        let code = errno
        return code == EAGAIN || code == EACCES ? .refused : .impossible
    }
}
