/// Copies of a store in a file, the check of one, and the way back: work that may take long and needs no coordinator.
///
/// To copy and to check read the file by themselves, so they may run on any queue while a coordinator has the store
/// open and writes to it.
public enum StoreBackup {
    /// Makes a copy of the store, of one state of it, and reads the copy back completely.
    ///
    /// The copy is made beside its final place and renamed when all of it is on disk and was found to be sound,
    /// so that a file of this name is always a whole store. `progress` gets how much is written, from 0 to 1, and
    /// ends the copy by returning false.
    ///
    /// - Returns: whether there is a copy now; false when `progress` ended it.
    /// - Throws: a `StoreError`; `copy` exists already or is a name that the store itself uses, there is no space, the store
    ///   or its copy is damaged, or the store is in memory only.
    @discardableResult
    public static func copy(
        _ store: StoreConfiguration, to copy: String, progress: (Double) -> Bool = { _ in true }
    ) throws -> Bool {
        guard let path = store.path else { throw noFile }
        try requireUnreserved(copy, by: store)
        if let format = store.fileFormat {
            return try FileBackup(path: path, format: format).copy(to: copy, progress: progress)
        }
        return try SQLiteBackup.copy(path, to: copy, progress: progress)
    }

    /// Removes the unfinished files of copies that were interrupted. A copy that is being made stays.
    ///
    /// - Parameter isCopy: whether a copy of this name belongs to the caller.
    package static func removeInterruptedCopies(in directory: String, where isCopy: (String) -> Bool) {
        PartialFile.removeLeftovers(in: directory, where: isCopy)
    }

    /// Reads everything in the store, and says what is wrong with it: nothing, when all is well.
    ///
    /// A million rows of a database take seconds. References to objects that are not there are found too.
    ///
    /// - Throws: a `StoreError` when it cannot be read at all, or is no store of this kind.
    public static func problems(of store: StoreConfiguration) throws -> [String] {
        guard let path = store.path else { throw noFile }
        guard let format = store.fileFormat else { return try SQLiteBackup.problems(of: path) }
        return try FileBackup(path: path, format: format).problems()
    }

    /// Whether a crash interrupted a change of the store. The next program that opens the store for writing takes that
    /// change back.
    public static func isInterrupted(_ store: StoreConfiguration) throws -> Bool {
        guard let path = store.path, store.kind == .sqlite, let sharing = LockFile.share(path) else {
            return false
        }
        return try withExtendedLifetime(sharing) { try HotJournal.exists(beside: path) }
    }

    static var noFile: StoreError {
        StoreError(.other, "a store in memory has no file; copy it into a store that has one")
    }

    /// Refuses a copy that could not be restored.
    static func require(_ problems: [String], copy: String) throws(StoreError) {
        guard let first = problems.first else { return }
        throw StoreError(
            .damaged, "the copy is not sound, and was not kept; check the store it was made of: \(first)",
            path: copy)
    }
}
