/// A file format that is read as a whole when the store is opened, and written as a whole when the store changes.
protocol StoreFormat: AnyObject {
    /// Returns the metadata of a store file, or `nil` if another program wrote it. The file has to exist and
    /// not be empty.
    func metadata(_ path: String) throws -> StoreMetadata?

    /// Reads the whole file and checks it without a model.
    ///
    /// - Throws: a `StoreError` if the file is damaged or is not a store of this format.
    func examine(_ path: String) throws

    /// Reads the contents of a store file, which has to exist and not be empty.
    ///
    /// - Throws: a `StoreError` if the file is not a store of this format, is damaged, is newer than this
    ///   library, or belongs to another model.
    func read(_ path: String, model: ManagedObjectModel) throws -> StoreContents

    func write(_ contents: StoreContents, to file: FileReplacement) throws
}

/// The contents of a store file.
struct StoreContents {
    let metadata: StoreMetadata
    let tables: MemoryTables
}
