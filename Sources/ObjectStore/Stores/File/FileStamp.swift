internal import Glibc

/// By what a file is seen to have changed: it is another file, or was written since.
struct FileStamp: Equatable {
    private let device: UInt64
    private let number: UInt64
    let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// Nil when there is no such file. What is no regular file is an error.
    init?(of path: String) throws(StoreError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw FileSystem.error(errno, "the file cannot be reached", path: path)
        }
        try FileSystem.requireFile(status, path)
        self.init(status)
    }

    /// - Parameter descriptor: an open file.
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

    /// Whether it is the same file, whatever was written to it.
    func isSameFile(as other: FileStamp) -> Bool { device == other.device && number == other.number }
}
