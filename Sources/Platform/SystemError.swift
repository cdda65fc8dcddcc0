internal import Glibc

/// A failed system call: the attempted operation and the error number.
package struct SystemError: Error, Hashable, CustomStringConvertible {
    package let operation: String
    package let code: Int32

    package init(_ operation: String, code: Int32 = errno) {
        self.operation = operation
        self.code = code
    }

    /// The error for an operation that would replace a file.
    package static func existingFile(_ path: String) -> SystemError {
        SystemError("create \(path)", code: EEXIST)
    }

    /// The system's text for the error number, such as `Connection refused`.
    package var reason: String { String(cString: strerror(code)) }

    /// A text such as `cannot connect to /run/user/1000/todod/socket: Connection refused`.
    package var description: String { "cannot \(operation): \(reason)" }

    /// Whether nothing exists at the path.
    package var isNotFound: Bool { code == ENOENT }

    /// Whether nothing exists at the path, or a plain file is in the place of one of its directories.
    package var isNotFoundOrBelowFile: Bool { code == ENOENT || code == ENOTDIR }

    /// Whether the symbolic links at the path lead to each other.
    package var isLinkLoop: Bool { code == ELOOP }

    /// Whether a file of that name exists already.
    package var isExisting: Bool { code == EEXIST }

    /// Whether the disk, or the user's share of it, has no space left.
    package var isFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

    /// Whether the process or the system has no free descriptor, or no memory for one.
    package var isOutOfResources: Bool { code == EMFILE || code == ENFILE || code == ENOMEM }

    /// Whether the call would have to wait, for example for bytes of a pipe.
    package var wouldBlock: Bool { code == EAGAIN }

    /// Whether the file system can only be read.
    package var isReadOnly: Bool { code == EROFS }
}
