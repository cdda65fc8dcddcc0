internal import Glibc

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
        for name in names(in: "/proc") {
            guard let processID = Int32(name) else { continue }
            let directory = "/proc/\(name)/fd"
            guard names(in: directory).contains(where: { target(of: "\(directory)/\($0)") == link }) else {
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

    private static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            names.append(name)
        }
        return names
    }

    private static func target(of link: String) -> String {
        var buffer = [CChar](repeating: 0, count: 64)
        let count = readlink(link, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns the contents of a file in /proc. These files have no size, so they are read to the end.
    private static func contents(of path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count <= 0 { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
