internal import CLinux
internal import Glibc
package import Varlink

/// A Unix socket that accepts connections, our own or one that systemd passed.
package final class UnixListener {
    package let descriptor: Int32
    /// The file to remove at the end; nil for a socket that systemd owns.
    private let ownedFile: SocketFile?
    /// Held so that a client can be told when the process has no descriptor left for it; below 0 when it is given up.
    private var spare: Int32 = -1

    /// Takes over a socket that listens already; its path stays when we go.
    package init(passed descriptor: Int32) throws(SystemError) {
        self.descriptor = descriptor
        ownedFile = nil
        try Self.makeNonBlocking(descriptor)
    }

    /// Makes a socket at `address`, mode 0600; takes over the file of a process that is gone.
    ///
    /// Throws `UnsafeDirectory` if other users may replace the socket, and `AddressInUse` when a live process listens there. It is found without connecting, because to connect
    /// to a socket of systemd's starts the service behind it.
    package init(at address: UnixAddress) throws {
        if let holder = SocketHolder.find(path: address.path) {
            throw AddressInUse(address: address, holder: holder)
        }
        try Self.requireSafeDirectory(of: address.path)
        if try Self.isSocket(address.path) { unlink(address.path) }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw SystemError("create a socket") }
        let socket = descriptor
        // The mode is right from the first moment: no other user can slip in between bind and chmod.
        let previousMask = umask(0o177)
        let bound = address.withSocketAddress { bind(socket, $0, $1) }
        let error = SystemError("listen on \(address)")
        umask(previousMask)
        ownedFile = SocketFile(address.path)
        guard bound == 0 else {
            Glibc.close(descriptor)
            throw error
        }
        guard listen(descriptor, SOMAXCONN) == 0 else { throw SystemError("listen on \(address)") }
    }

    package func close() {
        ownedFile?.remove()
        Glibc.close(descriptor)
        giveUpSpare()
    }

    // MARK: - Accepting

    struct Peer {
        let descriptor: Int32
        let userID: UInt32
    }

    enum Arrival {
        /// A connection, non-blocking.
        case peer(Peer)
        /// The same, for which there is no descriptor: it must be closed before anything else is opened.
        case surplus(Peer)
        case nobody
        /// Somebody may wait, and cannot be let in now.
        case failure
    }

    /// The next waiting connection.
    func accept() -> Arrival {
        if spare < 0 { spare = open("/dev/null", O_RDONLY | O_CLOEXEC) }
        if let peer = acceptPeer() { return .peer(peer) }
        if errno == EAGAIN { return .nobody }
        guard errno == EMFILE || errno == ENFILE, spare >= 0 else { return .failure }
        giveUpSpare()
        if let peer = acceptPeer() { return .surplus(peer) }
        // Without a descriptor the system does not even say that nobody waits.
        return errno == EAGAIN ? .nobody : .failure
    }

    /// Nil when `errno` says why.
    private func acceptPeer() -> Peer? {
        while true {
            let peer = todod_accept(descriptor)
            if peer >= 0 { return Peer(descriptor: peer, userID: todod_peer_uid(peer)) }
            if errno != EINTR && errno != ECONNABORTED { return nil }
        }
    }

    private func giveUpSpare() {
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

    /// Refuses a directory in which other users may remove the socket and put their own in its place. A directory such as
    /// /tmp is safe, because of its sticky bit; the process's own group usually has one member.
    private static func requireSafeDirectory(of path: String) throws {
        let directory = path.lastIndex(of: "/").map { path[..<$0].isEmpty ? "/" : String(path[..<$0]) } ?? "."
        var status = stat()
        guard stat(directory, &status) == 0, status.st_mode & S_ISVTX == 0 else { return }
        let isGroupWritable = status.st_mode & S_IWGRP != 0 && status.st_gid != getegid()
        if isGroupWritable || status.st_mode & S_IWOTH != 0 { throw UnsafeDirectory(path: directory) }
    }

    /// Whether there is a socket; something else at that path is not ours to remove.
    private static func isSocket(_ path: String) throws(SystemError) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw SystemError("make a socket at \(path), where another file stands", code: EEXIST)
        }
        return true
    }
}

/// The file at which a socket of ours listens.
private struct SocketFile {
    private let path: String
    private let device: dev_t
    private let inode: ino_t

    /// Nil when nothing is there.
    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.path = path
        device = status.st_dev
        inode = status.st_ino
    }

    /// Removes it, unless another one has taken its place: that one is somebody else's, such as systemd's.
    func remove() {
        guard let present = SocketFile(path), present.inode == inode, present.device == device else { return }
        unlink(path)
    }
}

/// Other users may write the directory of a socket.
package struct UnsafeDirectory: Error, CustomStringConvertible {
    package let path: String

    package var description: String {
        "the socket's directory \(path) may be written by other users, who could replace the socket; run:  chmod go-w '\(path)'"
    }
}

/// A live process listens at that path.
package struct AddressInUse: Error, CustomStringConvertible {
    package let address: UnixAddress
    package let holder: SocketHolder

    package var description: String { "the socket \(address) is in use by \(holder)" }
}
