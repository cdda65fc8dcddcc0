internal import Glibc

/// The directory of a file, kept open to sync a change of the names in it to disk.
///
/// It is opened before the change, so that only a failure of the disk can cause an error afterwards.
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

    /// Syncs the current names to disk.
    ///
    /// - Throws: a `StoreError` if that fails. The names stay as they are, but a loss of power may restore
    ///   the old ones.
    func synchronize() throws(StoreError) {
        guard fsync(descriptor) == 0 else {
            throw FileSystem.error(
                errno,
                "the change was made, but the disk failed to record it, and a loss of power may undo it",
                path: path)
        }
    }
}
