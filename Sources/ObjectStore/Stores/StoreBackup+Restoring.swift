internal import Glibc

extension StoreBackup {
    /// What SQLite has beside a database; beside another one it would be taken for that one's.
    private static let companions = ["-wal", "-shm"]

    /// Puts a copy in the place of a store that nobody has open.
    ///
    /// The copy is read completely before anything changes, and stays as it is. What was in the place is kept under
    /// another name, with the log that a crash may have left beside a database.
    ///
    /// - Parameters:
    ///   - copy: a store of the same kind.
    ///   - old: the name for what is in the place now; in the same file system, and not in use.
    /// - Returns: whether there was anything.
    /// - Throws: a `StoreError`; the store is open, there is no space, or the copy is damaged or something else.
    @discardableResult
    public static func restore(
        _ store: StoreConfiguration, from copy: String, keeping old: String
    ) throws -> Bool {
        guard let path = store.path else { throw noFile }
        guard FileSystem.exists(copy) else {
            throw StoreError(.unreachable, "there is no such copy; check the path", path: copy)
        }
        try FileSystem.makeDirectory(of: path)
        let lock = try LockFile(of: path)
        let place = FileSystem.target(path)
        let incoming = place + ".restoring"
        // One that is there was left by a crash.
        try FileSystem.remove(incoming)
        if let format = store.fileFormat {
            try FileBackup(path: copy, format: format).restore(to: incoming)
        } else {
            try SQLiteBackup.restore(copy, to: incoming)
        }
        do {
            let isKept = try keep(place, as: old)
            for suffix in companions { try FileSystem.remove(place + suffix) }
            try FileSystem.rename(incoming, to: place)
            lock.keep()
            return isKept
        } catch {
            try? FileSystem.remove(incoming)
            throw error
        }
    }

    /// Gives what is in a place a second name; false when nothing is there.
    private static func keep(_ place: String, as old: String) throws(StoreError) -> Bool {
        let present = ([""] + companions).filter { FileSystem.exists(place + $0) }
        for suffix in present {
            guard link(place + suffix, old + suffix) == 0 else {
                throw FileSystem.error(
                    errno, "what is in its place cannot be kept under this name", path: old + suffix)
            }
        }
        if !present.isEmpty { try FileSystem.synchronizeDirectory(of: old) }
        return !present.isEmpty
    }

    /// Refuses to put a copy in the place of a store that is no better.
    static func requireSound(_ problems: [String], _ copy: String) throws(StoreError) {
        guard let first = problems.first else { return }
        throw StoreError(
            .damaged, "the copy is damaged, and nothing was changed; take another one: \(first)", path: copy)
    }
}
