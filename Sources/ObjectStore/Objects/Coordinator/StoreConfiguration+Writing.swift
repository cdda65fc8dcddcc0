internal import Glibc

extension StoreConfiguration {
    /// Checks that an existing store can be opened for writing. Nothing is written.
    ///
    /// - Throws: a `StoreError` if a program has the store open, or if the file or its directory cannot be written.
    package func requireWritable() throws(StoreError) {
        guard let path else { return }
        let place = FileSystem.target(path)
        let directory = FileSystem.split(place).directory
        guard access(directory, W_OK | X_OK) == 0 else {
            throw FileSystem.error(errno, "its directory \(directory) cannot be written", path: path)
        }
        guard access(place, R_OK | W_OK) == 0 else {
            throw FileSystem.error(errno, "the file cannot be written", path: path)
        }
        guard LockFile.share(path) != nil else {
            throw StoreError(.inUse, "a program has the store open", path: path)
        }
    }
}
