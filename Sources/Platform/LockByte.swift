internal import CLinux
internal import Glibc

/// A byte of a file that is locked separately. It is beyond the contents, and has no lock in common with the lock of the
/// whole file.
package struct LockByte: Sendable {
    fileprivate let position: Int64

    /// Creates a byte with a small number.
    package init(number: Int64) { position = 1 << 62 + number }
}

extension FileDescriptor {
    /// Locks a byte for this open file, and waits until no other open file has locked it.
    ///
    /// - Parameter isShared: whether other open files may share the lock.
    package func lock(_ byte: LockByte, isShared: Bool = false) throws(SystemError) {
        while todod_lock_byte(number, byte.position, isShared ? 1 : 0) != 0 {
            guard errno == EINTR else { throw SystemError("lock \(path)") }
        }
    }

    /// Ends the lock on a byte, also for a process that is just being started and has a copy of the descriptor.
    package func unlock(_ byte: LockByte) {
        _ = todod_unlock_byte(number, byte.position)
    }

    /// Whether another open file has locked a byte.
    package func isLockedByOthers(_ byte: LockByte) -> Bool {
        todod_is_byte_locked(number, byte.position) == 1
    }
}
