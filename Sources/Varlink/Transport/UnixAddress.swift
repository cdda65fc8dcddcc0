package import Glibc

/// The path of a Unix socket, checked to fit in a socket address.
package struct UnixAddress: Hashable, Sendable, CustomStringConvertible {
    /// The size of the path in `sockaddr_un` without its terminating NUL.
    package static let pathBytesLimit = 107

    package let path: String

    /// Creates an address, or returns `nil` if the path is empty, too long, or contains a NUL.
    package init?(path: String) {
        let bytes = path.utf8
        guard !bytes.isEmpty, bytes.count <= Self.pathBytesLimit, !bytes.contains(0) else { return nil }
        self.path = path
    }

    package var description: String { path }

    /// Calls `body` with the address in the form that socket functions require.
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
