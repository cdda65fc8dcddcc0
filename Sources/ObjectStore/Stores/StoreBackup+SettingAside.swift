extension StoreBackup {
    /// Gives the file of a store that no program has open another name, durably. All that is in its log goes into the file
    /// first.
    ///
    /// - Throws: a `StoreError`: the store is open, or a file of that name exists.
    public static func setAside(_ store: StoreConfiguration, as name: String) throws {
        guard let path = store.path else { throw noFile }
        let lock = try LockFile(of: path)
        try withExtendedLifetime(lock) {
            if store.kind == .sqlite { try SQLiteBackup.endLog(of: path) }
            try FileSystem.renameToNew(path, name)
        }
    }
}
