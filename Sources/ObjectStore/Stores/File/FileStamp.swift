internal import Glibc

/// The identity, size and modification time of a file, which show whether it was replaced or written.
struct FileStamp: Equatable {
    private let device: UInt64
    private let number: UInt64
    let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// Reads the stamp of the file at `path`, or returns `nil` if there is no such file.
    ///
    /// - Throws: a `StoreError` if the file is not a regular file or cannot be reached.
    init?(of path: String) throws(StoreError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw FileSystem.error(errno, "the file cannot be reached", path: path)
        }
        try FileSystem.requireFile(status, path)
        self.init(status)
    }

    /// Reads the stamp of an open file. `path` is for error messages only.
    init(_ descriptor: Int32, path: String) throws(StoreError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw FileSystem.error(errno, "the file cannot be reached", path: path)
        }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
        size = Int64(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }

    var isEmpty: Bool { size == 0 }

    /// Whether both stamps are of the same file, even if it was written in between.
    func isSameFile(as other: FileStamp) -> Bool { device == other.device && number == other.number }
}
