extension StoreBackup {
    /// Renames the file of a store durably, after everything in its log was written to the file. No program
    /// may have the store open.
    ///
    /// - Throws: a `StoreError` if the store is open, or if a file with the new name exists.
    public static func setAside(_ store: StoreConfiguration, as name: String) throws {
        let file = try store.requireFile()
        let lock = try LockFile(of: file.path)
        try withExtendedLifetime(lock) {
            try file.settle()
            try StoreFiles.rename(file.path, to: name, isNew: true)
        }
    }
}
