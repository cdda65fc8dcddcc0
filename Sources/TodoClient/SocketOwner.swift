internal import Glibc
internal import TodoAPI

/// The user who owns a socket, when that is another user than the one who runs `todoctl`.
struct SocketOwner {
    private let socketPath: String
    private let name: String
    private let isRoot: Bool

    /// Returns `nil` when the socket belongs to the caller, or when its owner cannot be found out.
    ///
    /// - Parameter owner: the owner of a file, or `nil` if the file cannot be seen.
    init?(
        of socketPath: String, userID: UInt32 = geteuid(), owner: (String) -> UInt32? = Self.owner,
        name: (UInt32) -> String = Self.name
    ) {
        var path = socketPath[...]
        // The socket is hidden when its directory is closed to others.
        while !path.isEmpty {
            if let found = owner(String(path)) {
                guard found != userID, found != 0 || path == socketPath[...] else { return nil }
                self.socketPath = socketPath
                self.name = name(found)
                isRoot = userID == 0
                return
            }
            path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        }
        return nil
    }

    /// An error that says whose list it is, and what to type instead.
    var error: ClientError {
        let place = socketPath.oneLine()
        let advice =
            isRoot
            ? "Run todoctl as that user:  runuser -u \(name) -- todoctl --socket \(ShellWord.quoted(socketPath))"
            : "For your own list, leave out --socket and TODOD_SOCKET."
        return .refused(
            "todoctl: the list behind \(place) belongs to \(name); only its owner may read it\n\(advice)")
    }

    private static func owner(of path: String) -> UInt32? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_uid : nil
    }

    private static func name(of userID: UInt32) -> String {
        getpwuid(userID).map { String(cString: $0.pointee.pw_name) } ?? "user \(userID)"
    }
}
