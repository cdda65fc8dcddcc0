/// The directory of a file, kept open to sync a change of the names in it to disk.
///
/// It is opened before the change, so that only a failure of the disk can cause an error afterwards.
package struct ContainingDirectory: ~Copyable {
    private let path: String
    private let directory: FileDescriptor

    package init(of path: String) throws(SystemError) {
        self.path = path
        directory = try FileDescriptor(
            opening: FileSystem.split(path).directory, for: .reading, .directory)
    }

    /// Syncs the current names to disk.
    ///
    /// - Throws: an error if that fails. The names stay as they are, but a loss of power may restore the old ones.
    package func synchronize() throws(SystemError) {
        do throws(SystemError) {
            try directory.synchronize()
        } catch {
            throw SystemError("sync the directory of \(path)", code: error.code)
        }
    }
}
