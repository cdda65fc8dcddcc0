internal import Glibc

/// A failed system call: the attempted operation and the error number.
package struct SystemError: Error, Hashable, CustomStringConvertible {
    package let operation: String
    package let code: Int32

    package init(_ operation: String, code: Int32 = errno) {
        self.operation = operation
        self.code = code
    }

    /// A text such as `cannot connect to /run/user/1000/todod/socket: Connection refused`.
    package var description: String {
        "cannot \(operation): \(reason)"
    }

    /// The text of the error number, such as `Connection refused`.
    package var reason: String { String(cString: strerror(code)) }
}
