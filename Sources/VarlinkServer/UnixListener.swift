internal import CLinux
internal import Glibc
package import Platform
package import Varlink

/// A Unix socket that accepts connections. It is either created by this process or passed by systemd.
package final class UnixListener {
    package let descriptor: Int32
    /// The file to remove when the listener closes, or `nil` for a socket that systemd owns.
    private let ownedFile: SocketFile?
    /// A spare descriptor. It is closed to accept and refuse a client when the process has no other
    /// descriptor. Negative while it is closed.
    private var spare: Int32 = -1

    /// Takes ownership of a listening socket. Its path is not removed when the listener closes.
    package init(passed descriptor: Int32) throws(SystemError) {
        self.descriptor = descriptor
        ownedFile = nil
        try Self.makeNonBlocking(descriptor)
    }

    /// Creates a socket at `address` with mode 0600. Replaces the socket file of a process that has ended.
    ///
    /// A listening process is found without connecting, because connecting to a socket of systemd would start
    /// its service.
    ///
    /// - Throws: `AddressInUse` if another process listens there, `UnsafeDirectory` if other users can
    ///   replace the socket, or a `SystemError`.
    package init(at address: UnixAddress) throws {
        if let holder = SocketHolder.find(path: address.path) {
            throw AddressInUse(address: address, holder: holder)
        }
        try Self.requireSafeDirectory(of: address.path)
        if try Self.isSocket(address.path) { try? FileSystem.remove(address.path) }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw SystemError("create a socket") }
        let socket = descriptor
        // The file gets the mode of the socket at its creation, so other users never have access, as they might
        // between bind and chmod. A umask would be that of all threads.
        guard fchmod(socket, 0o600) == 0 else {
            let error = SystemError("set the mode of \(address)")
            Glibc.close(descriptor)
            throw error
        }
        let bound = address.withSocketAddress { bind(socket, $0, $1) }
        let error = SystemError("listen on \(address)")
        ownedFile = SocketFile(address.path)
        guard bound == 0 else {
            Glibc.close(descriptor)
            throw error
        }
        guard listen(descriptor, SOMAXCONN) == 0 else {
            let error = SystemError("listen on \(address)")
            close()
            throw error
        }
    }

    package func close() {
        ownedFile?.remove()
        Glibc.close(descriptor)
        closeSpare()
    }

    // MARK: - Accepting

    struct Peer {
        let descriptor: Int32
        let userID: UInt32
    }

    enum Arrival {
        /// A non-blocking connection.
        case peer(Peer)
        /// A connection for which the process has no descriptor. It must be closed before anything else is
        /// opened.
        case surplus(Peer)
        case noClient
        /// A connection may be waiting, but it cannot be accepted now.
        case failure
    }

    /// Accepts the next waiting connection.
    func accept() -> Arrival {
        if spare < 0 { spare = open("/dev/null", O_RDONLY | O_CLOEXEC) }
        if let peer = acceptPeer() { return .peer(peer) }
        if errno == EAGAIN { return .noClient }
        guard errno == EMFILE || errno == ENFILE, spare >= 0 else { return .failure }
        closeSpare()
        if let peer = acceptPeer() { return .surplus(peer) }
        // Without a free descriptor, `accept` fails even if no connection is waiting.
        return errno == EAGAIN ? .noClient : .failure
    }

    /// Accepts a connection, or returns `nil` and leaves the reason in `errno`.
    private func acceptPeer() -> Peer? {
        while true {
            let peer = todod_accept(descriptor)
            if peer >= 0 { return Peer(descriptor: peer, userID: todod_peer_uid(peer)) }
            if errno != EINTR && errno != ECONNABORTED { return nil }
        }
    }

    private func closeSpare() {
        if spare >= 0 { Glibc.close(spare) }
        spare = -1
    }

    // MARK: - Files

    private static func makeNonBlocking(_ descriptor: Int32) throws(SystemError) {
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 else {
            throw SystemError("set up the socket that was passed")
        }
    }

    /// Throws if other users can remove the socket from its directory and replace it. A directory such as
    /// /tmp is safe because of its sticky bit. Group access is allowed for the group of the process, which
    /// usually has one member.
    private static func requireSafeDirectory(of path: String) throws {
        let directory = FileSystem.split(path).directory
        let status = try? FileStatus(of: directory)
        if status?.isWritableByOthers(except: Environment.groupID) == true {
            throw UnsafeDirectory(path: directory)
        }
    }

    /// Whether there is a socket at the path. Throws if another kind of file exists there, which must not be
    /// removed.
    private static func isSocket(_ path: String) throws(SystemError) -> Bool {
        guard let status = try? FileStatus(of: path, followsLinks: false) else { return false }
        guard status.kind == .socket else {
            throw SystemError("make a socket at \(path), where another file exists", code: EEXIST)
        }
        return true
    }
}

/// The file of a socket that this process has created.
private struct SocketFile {
    private let path: String
    private let stamp: FileStamp

    /// Reads the identity of the file, or returns `nil` if there is none.
    init?(_ path: String) {
        guard let status = try? FileStatus(of: path, followsLinks: false) else { return nil }
        self.path = path
        stamp = status.stamp
    }

    /// Removes the file, unless another process, such as systemd, has replaced it.
    func remove() {
        guard let present = SocketFile(path), present.stamp.isSameFile(as: stamp) else { return }
        try? FileSystem.remove(path)
    }
}

/// Other users can write to the directory of a socket.
package struct UnsafeDirectory: Error, CustomStringConvertible {
    package let path: String

    package var description: String {
        "the socket's directory \(path) can be written by other users, who could replace the socket; run:  chmod go-w '\(path)'"
    }
}

/// Another process listens at the path.
package struct AddressInUse: Error, CustomStringConvertible {
    package let address: UnixAddress
    package let holder: SocketHolder

    package var description: String { "the socket \(address) is in use by \(holder)" }
}
