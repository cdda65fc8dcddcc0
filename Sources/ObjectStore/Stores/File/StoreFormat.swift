/// A file format that is read as a whole when the store is opened, and written as a whole when the store changes.
///
/// With ``StoreKind/init(_:format:)``, a format becomes a kind of store. Locking, replacing the file at each commit,
/// backups and migrations are the same for all formats. One object is made for each store that is opened, so that it
/// can keep parts of a file that are not in the model.
public protocol StoreFormat: AnyObject {
    /// Returns the metadata of a store file. The file exists and is not empty.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - models: The models among which to choose, if another program wrote the file and it does not name its model.
    /// - Throws: A ``StoreError`` if the file is not a store of this format, or is newer than this format.
    func metadata(of path: String, among models: [ManagedObjectModel]) throws -> StoreMetadata

    /// Reads the whole file and checks it without a model.
    ///
    /// - Throws: A ``StoreError`` if the file is damaged or is not a store of this format.
    func examine(_ path: String) throws

    /// Returns the contents of a store file, which exists and is not empty.
    ///
    /// - Throws: A ``StoreError`` if the file is not a store of this format, is damaged, is newer than this format, or
    ///   belongs to another model; see ``StoreMetadata/require(_:path:)``.
    func read(_ path: String, model: ManagedObjectModel) throws -> StoreContents

    /// Writes the contents to a new file, which replaces that of the store afterwards.
    func write(_ contents: StoreContents, to file: FileReplacement) throws
}
