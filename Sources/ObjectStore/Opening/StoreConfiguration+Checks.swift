internal import Platform

extension StoreConfiguration {
    /// Checks that an existing store can be opened for writing. Nothing is written.
    ///
    /// - Throws: a `StoreError` if a program has the store open, or if the file or its directory cannot be written.
    package func requireWritable() throws(StoreError) {
        guard let path else { return }
        let place = FileSystem.target(path)
        let directory = FileSystem.split(place).directory
        do throws(SystemError) {
            try FileSystem.require([.write, .execute], for: directory)
        } catch {
            throw StoreError(error, "its directory \(directory) cannot be written", path: path)
        }
        do throws(SystemError) {
            try FileSystem.require([.read, .write], for: place)
        } catch {
            throw StoreError(error, "the file cannot be written", path: path)
        }
        guard LockFile.share(path) != nil else {
            throw StoreError(.inUse, "a program has the store open", path: path)
        }
    }

    /// Checks that the files at the path do not prevent a start, whether or not there is a store yet. Nothing is written.
    ///
    /// - Throws: a `StoreError` if the file cannot be reached, is of another kind, or is missing while its log exists.
    package func requireUsableFiles() throws(StoreError) {
        try file?.requireUsable()
    }
}
