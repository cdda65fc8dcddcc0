internal import CLinux
internal import Glibc

/// The properties of a file that the file system reports.
package struct FileStatus: Sendable {
    package enum Kind: Sendable {
        case file, directory, link, pipe, socket, device

        fileprivate init(mode: mode_t) {
            self =
                switch mode & S_IFMT {
                case S_IFREG: .file
                case S_IFDIR: .directory
                case S_IFLNK: .link
                case S_IFIFO: .pipe
                case S_IFSOCK: .socket
                default: .device
                }
        }
    }

    package let kind: Kind
    /// The permissions, with the sticky bit and the bits that set the user and the group.
    package let permissions: UInt32
    package let ownerID: UInt32
    package let groupID: UInt32
    /// The number of names of the file.
    package let nameCount: Int
    /// The device that a file of the kind `device` is.
    private let representedDevice: UInt64
    package let stamp: FileStamp

    package var size: Int64 { stamp.size }

    /// Whether users other than the owner may replace files in the directory.
    ///
    /// In a directory with the sticky bit, such as /tmp, only the owner of a file may replace it.
    package func isWritableByOthers(except groupID: UInt32) -> Bool {
        guard permissions & S_ISVTX == 0 else { return false }
        return permissions & S_IWOTH != 0 || permissions & S_IWGRP != 0 && self.groupID != groupID
    }

    /// Whether the file is /dev/null, under any name.
    package var isNullDevice: Bool {
        guard kind == .device, let null = try? FileStatus(of: "/dev/null") else { return false }
        return null.kind == .device && null.representedDevice == representedDevice
    }

    /// Reads the status of the file at `path`.
    ///
    /// - Parameter followsLinks: whether the status of a symbolic link is that of the file it leads to.
    package init(of path: String, followsLinks: Bool = true) throws(SystemError) {
        try FileFault.check(.status, path, "examine \(path)")
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
            throw SystemError("examine \(path)")
        }
        self.init(status)
    }

    /// Whether there is a directory at `path`, or a link to one.
    package static func isDirectory(_ path: String) -> Bool {
        (try? FileStatus(of: path))?.kind == .directory
    }

    init(_ status: stat) {
        kind = Kind(mode: status.st_mode)
        permissions = status.st_mode & 0o7777
        ownerID = status.st_uid
        groupID = status.st_gid
        nameCount = Int(status.st_nlink)
        representedDevice = UInt64(status.st_rdev)
        stamp = FileStamp(status)
    }
}

/// The identity, size and modification time of a file, which show whether it was replaced or written.
package struct FileStamp: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64
    package let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    fileprivate init(_ status: stat) {
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
        size = Int64(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }

    package var isEmpty: Bool { size == 0 }

    /// The most by which the time of a file may be before the moment at which it was written, in nanoseconds.
    package static let coarseness: Int64 = 20_000_000
    /// The same in a file system that stores seconds only, or every other second.
    private static let coarsenessOfSeconds: Int64 = 3_000_000_000

    private var written: Int64 { Int64(seconds) * 1_000_000_000 + Int64(nanoseconds) }

    /// Whether the file was last written in a span of `SystemClock.fileNanoseconds`.
    package func isWritten(in span: ClosedRange<Int64>) -> Bool { span.contains(written) }

    /// Whether each write from `time` on, in `SystemClock.fileNanoseconds`, gives the file another stamp.
    package func changes(from time: Int64) -> Bool {
        written < time - (nanoseconds == 0 ? Self.coarsenessOfSeconds : Self.coarseness)
    }

    /// Whether both stamps are of the same file, even if it was written in between.
    package func isSameFile(as other: FileStamp) -> Bool { device == other.device && number == other.number }
}

/// The kind, the identity and the size of a file.
///
/// A `FileStatus` also has the times of the file. Since Linux 6.13, the first write to a file after its times were read
/// gives it a new time, and a sync of the file then takes longer, because it also writes that time to disk.
package struct UntimedFileStatus: Sendable {
    package let kind: FileStatus.Kind
    package let size: Int64
    private let device: UInt64
    private let number: UInt64

    /// Reads the status of the file at `path`. The status of a symbolic link is that of the file it leads to.
    package init(of path: String) throws(SystemError) {
        try FileFault.check(.status, path, "examine \(path)")
        var status = statx()
        guard todod_status_without_times(-1, path, &status) == 0 else { throw SystemError("examine \(path)") }
        self.init(status)
    }

    init(_ status: statx) {
        kind = FileStatus.Kind(mode: mode_t(status.stx_mode))
        size = Int64(status.stx_size)
        device = UInt64(status.stx_dev_major) << 32 | UInt64(status.stx_dev_minor)
        number = status.stx_ino
    }

    /// Whether both are of the same file, even if it was written in between.
    package func isSameFile(as other: UntimedFileStatus) -> Bool {
        device == other.device && number == other.number
    }
}
