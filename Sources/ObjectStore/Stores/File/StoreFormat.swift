/// How a store lies in a file that is read whole when it is opened, and written whole when it changes.
protocol StoreFormat: AnyObject {
    /// What a file that is there and not empty says about itself; nil when another program wrote it.
    func metadata(_ path: String) throws -> StoreMetadata?

    /// What a file holds that is there and not empty.
    ///
    /// What is not a store of this kind, is damaged, newer than this library, or of another model, is refused.
    func read(_ path: String, model: ManagedObjectModel) throws -> StoreContents

    func write(_ contents: StoreContents, to file: FileReplacement) throws
}

/// Everything that a store in a file holds.
struct StoreContents {
    let metadata: StoreMetadata
    let tables: MemoryTables
}
