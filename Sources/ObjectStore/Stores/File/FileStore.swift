internal import Platform

/// A store in a file that is written whole. All of its objects are in memory while it is open.
///
/// Every commit writes the whole store to a new file, syncs it to disk, and renames it over the old file. At
/// any moment the file holds the state before the commit or the state after it. This suits a few thousand
/// objects. For more, use `SQLiteStore`, where the cost of a commit depends on the number of changes.
final class FileStore: MemoryStore {
    let path: String
    private let isWritable: Bool
    private let format: any StoreFormat
    private var lock: LockFile?
    /// The stamp of the file as this store last read or wrote it, or `nil` if there is no file yet.
    private var stamp: FileStamp?
    private var nameError: StoreError?

    /// Opens the store at `path` for writing.
    ///
    /// - Parameter new: the store to create if there is no file.
    /// - Throws: a `StoreError` if the file is not a store of this format, is damaged, is newer than this
    ///   library, or belongs to another model. The file is then unchanged.
    init(path: String, model: ManagedObjectModel, format: any StoreFormat, making new: NewStore) throws {
        self.path = path
        isWritable = true
        self.format = format
        try StoreFiles.makeDirectory(of: path)
        lock = try LockFile(of: path)
        FileReplacement.removeLeftover(of: path)
        IncomingCopy.removeLeftovers(at: path)
        stamp = try FileStamp(of: path)
        if try new.isNeeded(at: path) {
            let tables = MemoryTables(model: model)
            let identity = StoreMetadata(of: model, identifier: new.identifier)
            try new.fill(MemoryStore(tables: tables, identity: identity))
            super.init(tables: tables, identity: identity)
            try persist()
        } else {
            let contents = try format.read(path, model: model)
            super.init(tables: contents.tables, identity: contents.metadata)
        }
        lock?.keep()
    }

    /// Opens the store at `path` for reading only.
    ///
    /// The file is read once, by this call. It has to exist. Neither the file nor its directory is written to.
    /// Programs that write to the store are neither waited for nor locked out.
    init(reading path: String, model: ManagedObjectModel, format: any StoreFormat) throws {
        self.path = path
        isWritable = false
        self.format = format
        stamp = try FileStamp(of: path)
        guard let stamp, !stamp.isEmpty else { throw StoreError.nothingToRead(path) }
        let contents = try format.read(path, model: model)
        super.init(tables: contents.tables, identity: contents.metadata)
    }

    override var isReadOnly: Bool { !isWritable }

    override var name: String { path }

    override func close() {
        lock = nil
    }

    override func persist() throws {
        if let edit = try edit() { throw edit }
        let outcome = try written(to: FileReplacement(of: path, isNew: stamp == nil)).finish(isLocked: true)
        // The save has taken effect, so nothing after this line may throw.
        stamp = outcome.stamp
        nameError = outcome.durabilityError
        if let fileLock = outcome.lock { lock?.hold(fileLock) }
    }

    private func written(to file: FileReplacement) throws -> FileReplacement {
        try format.write(StoreContents(metadata: metadata, tables: tables), to: file)
        return file
    }

    override var durabilityError: StoreError? { nameError }

    // If a directory cannot be reached for a while, the file in it may be unchanged. A save throws that error.
    override var damage: StoreError? { isWritable ? try? edit() : nil }

    /// Returns an error if another program has changed or removed the file since this store last read or
    /// wrote it, or `nil` otherwise. A save would undo that change.
    private func edit() throws(StoreError) -> StoreError? {
        let now = try FileStamp(ofOpenFile: path)
        guard now != stamp else { return nil }
        guard now != nil else {
            return StoreError(
                .replaced, "the file was removed while it was open; nothing more is saved", path: path)
        }
        return StoreError(
            .replaced,
            "another program changed the file while it was open; nothing was saved, open the store again",
            path: path)
    }
}

extension FileStore: RescuableStore {
    func rescue(to copy: String) throws {
        try written(to: FileReplacement(of: copy, isNew: true)).finish().requireDurable()
    }
}
