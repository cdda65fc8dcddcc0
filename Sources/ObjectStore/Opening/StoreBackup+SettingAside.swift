extension StoreBackup {
    /// Renames the file of a store durably, after everything in its log was written to the file. No program
    /// may have the store open.
    ///
    /// - Throws: a `StoreError` if the store is open, or if a file with the new name exists.
    public static func setAside(_ store: StoreConfiguration, as name: String) throws {
        guard let path = store.path else { throw noFile }
        let lock = try LockFile(of: path)
        try withExtendedLifetime(lock) {
            if store.kind == .sqlite { try SQLiteBackup.endLog(of: path) }
            try StoreFiles.rename(path, to: name, isNew: true)
        }
    }
}
