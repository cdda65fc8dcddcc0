internal import Glibc

/// The directory that a file is in, open so that a change of its names can be brought to the disk.
///
/// It is opened before the change, so that only the disk itself can fail after it.
struct ContainingDirectory: ~Copyable {
    private let path: String
    private let descriptor: Int32

    init(of path: String) throws(StoreError) {
        self.path = path
        let end = path.lastIndex(of: "/")
        let directory = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw FileSystem.error(errno, "its directory cannot be opened; nothing was changed", path: path)
        }
    }

    deinit { close(descriptor) }

    /// Brings the present names to the disk. When that fails they are as they are, but a loss of power may bring the old
    /// ones back.
    func synchronize() throws(StoreError) {
        guard fsync(descriptor) == 0 else {
            throw FileSystem.error(
                errno,
                "the change was made, but the disk failed to record it, and a loss of power may undo it",
                path: path)
        }
    }
}
