internal import Platform
internal import TodoAPI

/// The owner of a socket, if it is not the user of `todoctl`.
struct SocketOwner {
    private let socketPath: String
    private let name: String
    private let isRoot: Bool

    /// Finds the owner, or returns `nil` if it is the user of `todoctl` or cannot be determined.
    ///
    /// - Parameter owner: returns the owner of a file, or `nil` if the file is not visible.
    init?(
        of socketPath: String, userID: UInt32 = Environment.userID, owner: (String) -> UInt32? = Self.owner,
        name: (UInt32) -> String = Self.name
    ) {
        var path = socketPath[...]
        // If a directory is closed to other users, the socket in it is not visible. Use the owner of that directory.
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

    /// The error that names the owner of the items and suggests a command.
    var error: ClientError {
        let place = socketPath.oneLine()
        let advice =
            isRoot
            ? "Run todoctl as that user:  runuser -u \(name) -- todoctl --socket \(ShellWord.quoted(socketPath))"
            : "For your own list, omit --socket and TODOD_SOCKET."
        return .refused(
            "todoctl: the list at \(place) belongs to \(name); only its owner can read it\n\(advice)")
    }

    private static func owner(of path: String) -> UInt32? {
        (try? FileStatus(of: path))?.ownerID
    }

    private static func name(of userID: UInt32) -> String {
        Environment.userName(ofID: userID) ?? "user \(userID)"
    }
}
