internal import Platform

/// The process that listens on a Unix socket, found in `/proc`.
package struct SocketHolder: Hashable, Sendable, CustomStringConvertible {
    /// The id of the process, or `nil` if it belongs to another user, because its descriptors are then not
    /// visible.
    package let processID: Int32?
    package let command: String

    package var description: String {
        processID.map { "\(command) (process \($0))" } ?? "a process of another user"
    }

    /// Returns the process that listens at `path`, or `nil` if there is none.
    static func find(path: String) -> SocketHolder? {
        guard let inode = listeningInode(path: path) else { return nil }
        let link = "socket:[\(inode)]"
        for name in FileSystem.namesIfReadable(in: "/proc") {
            guard let processID = Int32(name) else { continue }
            let directory = "/proc/\(name)/fd"
            guard
                FileSystem.namesIfReadable(in: directory).contains(where: {
                    FileSystem.link(at: "\(directory)/\($0)") == link
                })
            else {
                continue
            }
            let command = contents(of: "/proc/\(name)/comm").split(separator: "\n").first.map(String.init)
            return SocketHolder(processID: processID, command: command ?? "a process")
        }
        return SocketHolder(processID: nil, command: "")
    }

    /// Returns the inode of the socket that listens at `path`, or `nil` if there is none.
    ///
    /// A line of /proc/net/unix has the form `0000…: 00000002 00000000 00010000 0001 01 24091 /run/…/socket`.
    /// The fourth field shows that the socket accepts connections.
    private static func listeningInode(path: String) -> Substring? {
        for line in contents(of: "/proc/net/unix").split(separator: "\n") {
            let fields = line.split(separator: " ", maxSplits: 7, omittingEmptySubsequences: true)
            if fields.count == 8, fields[3] == "00010000", fields[7] == path { return fields[6] }
        }
        return nil
    }

    /// Returns the contents of a file in /proc. These files have no size, so they are read to the end.
    private static func contents(of path: String) -> String {
        do throws(SystemError) {
            let file = try FileDescriptor(opening: path, for: .reading)
            return String(decoding: try file.remainingBytes(limit: .max - 1) ?? [], as: UTF8.self)
        } catch {
            return ""
        }
    }
}
