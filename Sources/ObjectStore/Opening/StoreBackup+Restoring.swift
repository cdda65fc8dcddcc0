internal import Platform

extension StoreBackup {
    /// Replaces a store with a copy. No program may have the store open.
    ///
    /// The copy is read completely before anything changes, and stays as it is. The old store is kept under
    /// another name, with the log that a crash may have left beside a database. After a crash during this
    /// call, the store is either the old one, with all saved changes, or the copy.
    ///
    /// - Parameters:
    ///   - store: the store to replace, which does not have to exist.
    ///   - copy: a store of the same kind.
    ///   - old: the name under which the old store is kept. It is unused and in the same file system.
    /// - Returns: whether there was an old store.
    /// - Throws: a `StoreError` if the store is open, if there is no space, or if the copy is damaged or not
    ///   a store of this kind.
    @discardableResult
    public static func restore(
        _ store: StoreConfiguration, from copy: String, keeping old: String
    ) throws -> Bool {
        let path = try store.requireFile().path
        guard FileSystem.exists(copy) else {
            throw StoreError(.unreachable, "there is no such copy; check the path", path: copy)
        }
        try requireOther(copy, than: path)
        try StoreFiles.makeDirectory(of: path)
        let lock = try LockFile(of: path)
        let place = FileSystem.target(path)
        let incoming = IncomingCopy.path(of: place)
        IncomingCopy.removeLeftovers(at: path)
        let file = try StoreConfiguration(store.kind, path: place).requireFile()
        try StoreConfiguration(store.kind, path: copy).requireFile().restore(to: incoming)
        do {
            try requireFree(old, for: file)
            try settle(file)
            let isKept = try keep(file, as: old)
            for suffix in file.companions { try StoreFiles.remove(place + suffix) }
            // The removal has to be on disk first. Otherwise, after a loss of power, the old log could be
            // beside the copy.
            try StoreFiles.synchronizeDirectory(of: place)
            try StoreFiles.rename(incoming, to: place)
            lock.keep()
            return isKept
        } catch {
            IncomingCopy.removeLeftovers(at: path)
            throw error
        }
    }

    /// Throws if the copy is the file of the store itself, under any name or link.
    private static func requireOther(_ copy: String, than path: String) throws(StoreError) {
        guard let store = try FileStamp(of: path), let file = try FileStamp(of: copy),
            file.isSameFile(as: store)
        else { return }
        throw StoreError(.misuse, "this is the store itself, not a copy of it; name a copy", path: copy)
    }

    /// Writes the log that a crash left beside the file into it, or rolls back its journal. This way, the store never
    /// exists without its last changes.
    ///
    /// A store that is too damaged for that is kept with its log.
    private static func settle(_ file: any StoreFile) throws {
        guard try FileStamp(of: file.path)?.isEmpty == false else { return }
        do {
            try file.recover()
            try file.settle()
        } catch let error as StoreError where error.code != .locked {}
    }

    /// Throws if a file exists under the name for the old store. This is checked before the store is changed.
    private static func requireFree(_ old: String, for file: any StoreFile) throws(StoreError) {
        for suffix in [""] + file.companions where FileSystem.exists(old + suffix) {
            throw cannotKeep(.existingFile(old + suffix), old + suffix)
        }
    }

    private static func cannotKeep(_ error: SystemError, _ path: String) -> StoreError {
        StoreError(error, "the present store cannot be kept under this name", path: path)
    }

    /// Gives the old store and the files beside it a second name. Returns false if there is none of them.
    private static func keep(_ file: any StoreFile, as old: String) throws(StoreError) -> Bool {
        let present = ([""] + file.companions).filter { FileSystem.exists(file.path + $0) }
        for suffix in present {
            do throws(SystemError) {
                try FileSystem.link(file.path + suffix, as: old + suffix)
            } catch {
                throw cannotKeep(error, old + suffix)
            }
        }
        if !present.isEmpty { try StoreFiles.synchronizeDirectory(of: old) }
        return !present.isEmpty
    }
}
