internal import Glibc

extension StoreBackup {
    /// The files that SQLite has beside a database; beside another one they would be taken for that one's.
    private static let companions = ["-wal", "-shm", "-journal"]

    /// Puts a copy in the place of a store that nobody has open.
    ///
    /// The copy is read completely before anything changes, and stays as it is. What was in the place is kept under
    /// another name, with the log that a crash may have left beside a database. After a crash the store in the place is
    /// the one from before, with all that was saved, or the copy.
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
        try requireOther(copy, than: path)
        try FileSystem.makeDirectory(of: path)
        let lock = try LockFile(of: path)
        let place = FileSystem.target(path)
        let incoming = incoming(place)
        removeLeftovers(at: path)
        if let format = store.fileFormat {
            try FileBackup(path: copy, format: format).restore(to: incoming)
        } else {
            try SQLiteBackup.restore(copy, to: incoming)
        }
        do {
            try requireFree(old)
            if store.kind == .sqlite { try bringLogIn(place) }
            let isKept = try keep(place, as: old)
            for suffix in companions { try FileSystem.remove(place + suffix) }
            // If the new name came to the disk first, the old log would be beside the copy after a loss of power.
            try FileSystem.synchronizeDirectory(of: place)
            try FileSystem.rename(incoming, to: place)
            lock.keep()
            return isKept
        } catch {
            removeLeftovers(at: path)
            throw error
        }
    }

    /// Refuses a copy that is the file of the store under any name: a symbolic or a hard link.
    private static func requireOther(_ copy: String, than path: String) throws(StoreError) {
        guard let store = try FileStamp(of: path), let file = try FileStamp(of: copy),
            file.isSameFile(as: store)
        else { return }
        throw StoreError(.other, "this is the store itself, not a copy of it; name a copy", path: copy)
    }

    /// Where a copy is made before it goes to the place of the store.
    private static func incoming(_ place: String) -> String { place + ".restoring" }

    /// Removes the files of a restoration that a crash interrupted. The caller has the store's lock.
    static func removeLeftovers(at path: String) {
        let incoming = incoming(FileSystem.target(path))
        // One that cannot be removed is in no program's way before the next restoration, which says so.
        unlink(incoming)
        PartialFile.removeLeftovers(of: incoming)
    }

    /// Brings what a crash left beside a database into it, so that at no moment the database is there without its last
    /// changes. One that is too damaged for that is kept with its log.
    private static func bringLogIn(_ place: String) throws {
        guard try FileStamp(of: place)?.isEmpty == false else { return }
        do {
            try LogCheck.requireWhole(of: place)
            try SQLiteBackup.endLog(of: place)
        } catch let error as StoreError where error.code != .locked {}
    }

    /// Refuses a name under which the store cannot be kept, before the store is changed.
    private static func requireFree(_ old: String) throws(StoreError) {
        for suffix in [""] + companions where FileSystem.exists(old + suffix) {
            throw cannotKeep(EEXIST, old + suffix)
        }
    }

    private static func cannotKeep(_ code: Int32, _ path: String) -> StoreError {
        FileSystem.error(code, "what is in its place cannot be kept under this name", path: path)
    }

    /// Gives what is in a place a second name; false when nothing is there.
    private static func keep(_ place: String, as old: String) throws(StoreError) -> Bool {
        let present = ([""] + companions).filter { FileSystem.exists(place + $0) }
        for suffix in present {
            guard link(place + suffix, old + suffix) == 0 else { throw cannotKeep(errno, old + suffix) }
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
