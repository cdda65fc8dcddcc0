internal import Platform

/// Functions that copy, check and restore a store in a file. They may take long and need no coordinator.
///
/// Copying and checking open the file by themselves. They may run on any queue while a coordinator has the
/// store open and writes to it.
public enum StoreBackup {
    /// Copies one state of the store and reads the copy back completely.
    ///
    /// The copy is written under a temporary name, and renamed when it was found to be sound and is on disk.
    /// A file with the final name is therefore always a whole store. `progress` gets the completed fraction,
    /// from 0 to 1, and ends the copy by returning false.
    ///
    /// - Returns: whether the copy was made. It is false if `progress` ended it.
    /// - Throws: a `StoreError` if `copy` exists already or is a name that the store itself uses. Other
    ///   reasons are that there is no space, that the store or its copy is damaged, or that the store is in
    ///   memory only.
    @discardableResult
    public static func copy(
        _ store: StoreConfiguration, to copy: String, progress: (Double) -> Bool = { _ in true }
    ) throws -> Bool {
        let file = try store.requireFile()
        try requireUnreserved(copy, by: store)
        return try file.copy(to: copy, progress: progress)
    }

    /// Removes the unfinished files of interrupted copies. A copy in progress keeps its file.
    ///
    /// - Parameter isCopy: returns whether a copy with this final name belongs to the caller.
    package static func removeInterruptedCopies(in directory: String, where isCopy: (String) -> Bool) {
        PartialFile.removeLeftovers(in: directory, where: isCopy)
    }

    /// Reads the whole store and returns a description of each problem. The result is empty if the store is sound.
    ///
    /// For a database with a million rows, this takes seconds. References to objects that do not exist are
    /// problems, too. In a binary store, only the checksum is verified.
    ///
    /// - Parameters:
    ///   - store: the store to read. A program may have it open.
    ///   - model: the model of the store. With it, values in a database that the model does not allow are problems, too.
    ///     They are missing values of required properties, values that do not fit the type of their attribute, and
    ///     values that break one of its rules, except `unique`.
    /// - Throws: a `StoreError` if the store cannot be read at all, or is not a store of this kind.
    public static func problems(
        of store: StoreConfiguration, model: ManagedObjectModel? = nil
    ) throws -> [String] {
        try store.requireFile().problems(model: model)
    }

    /// Whether a crash interrupted a change of the store. The next program that opens the store for writing
    /// rolls that change back.
    ///
    /// It is false while a program has the store open for writing.
    public static func isInterrupted(_ store: StoreConfiguration) throws -> Bool {
        guard let file = store.file, let sharing = LockFile.share(file.path) else { return false }
        return try withExtendedLifetime(sharing) { try file.isInterrupted() }
    }
}
