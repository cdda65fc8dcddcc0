internal import Glibc

/// A system call that failed: what was tried, on what, and the number that came back.
package struct SystemError: Error, Hashable, CustomStringConvertible {
    package let operation: String
    package let code: Int32

    package init(_ operation: String, code: Int32 = errno) {
        self.operation = operation
        self.code = code
    }

    /// `cannot connect to /run/user/1000/todod/socket: Connection refused`
    package var description: String {
        "cannot \(operation): \(String(cString: strerror(code)))"
    }
}
