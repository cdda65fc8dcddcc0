package import Glibc

/// The path of a Unix socket, known to fit in the address that the system takes.
package struct UnixAddress: Hashable, Sendable, CustomStringConvertible {
    /// The room in `sockaddr_un`, less the closing NUL.
    package static let pathBytesLimit = 107

    package let path: String

    /// Nil when the path is empty, too long for the system, or holds a NUL.
    package init?(path: String) {
        let bytes = path.utf8
        guard !bytes.isEmpty, bytes.count <= Self.pathBytesLimit, !bytes.contains(0) else { return nil }
        self.path = path
    }

    package var description: String { path }

    /// Calls `body` with the address as the socket calls want it.
    package func withSocketAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
