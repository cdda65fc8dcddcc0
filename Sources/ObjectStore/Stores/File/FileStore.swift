/// A store in a file that lies in memory as a whole while it is open.
///
/// Every commit writes the whole file anew beside the old one, syncs it, and puts it in its place by a rename:
/// at any moment the file is the one before or the one after. That suits a few thousand objects; beyond, use
/// SQLite, whose commits cost what they change.
public final class FileStore: MemoryStore {
    /// What the file looks like.
    public enum Format: Hashable, Sendable {
        /// Compact and checked from the first byte to the last.
        case binary
        /// The document of Core Data's own XML stores, which people and other programs read.
        case xml
    }

    public let path: String
    private let isWritable: Bool
    private let format: any StoreFormat
    private var lock: LockFile?
    /// The file as this store left it; nil while there is none.
    private var stamp: FileStamp?
    private var nameError: StoreError?

    /// Opens the file at `path`, or makes it.
    ///
    /// What is not a store of this format, is damaged, newer than this library, or of another model, is refused
    /// and not touched.
    ///
    /// - Parameter readOnly: whether the file is only read, once, now. It has to be there; neither it nor its
    ///   directory is ever written to, and whoever writes to the store is neither waited for nor kept away.
    public convenience init(
        path: String, model: ManagedObjectModel, format: Format, readOnly: Bool = false
    ) throws {
        if readOnly {
            try self.init(reading: path, model: model, format: format)
        } else {
            try self.init(path: path, model: model, format: format, making: NewStore())
        }
    }

    /// - Parameter new: the store to make if there is none.
    init(path: String, model: ManagedObjectModel, format: Format, making new: NewStore) throws {
        self.path = path
        isWritable = true
        self.format = Self.make(format)
        try FileSystem.makeDirectory(of: path)
        lock = try LockFile(of: path)
        FileReplacement.removeLeftover(of: path)
        StoreBackup.removeLeftovers(at: path)
        stamp = try FileStamp(of: path)
        if try new.isNeeded(at: path) {
            let tables = MemoryTables(model: model)
            let identity = StoreMetadata(of: model, identifier: new.identifier)
            try new.fill(MemoryStore(tables: tables, identity: identity))
            super.init(tables: tables, identity: identity)
            try persist()
        } else {
            let contents = try self.format.read(path, model: model)
            super.init(tables: contents.tables, identity: contents.metadata)
        }
        lock?.keep()
    }

    private init(reading path: String, model: ManagedObjectModel, format: Format) throws {
        self.path = path
        isWritable = false
        self.format = Self.make(format)
        stamp = try FileStamp(of: path)
        guard let stamp, !stamp.isEmpty else { throw StoreError.nothingToRead(path) }
        let contents = try self.format.read(path, model: model)
        super.init(tables: contents.tables, identity: contents.metadata)
    }

    private static func make(_ format: Format) -> any StoreFormat {
        switch format {
        case .binary: BinaryFormat()
        case .xml: XMLFormat()
        }
    }

    public override var isReadOnly: Bool { !isWritable }

    public override var name: String { path }

    public override func close() {
        lock = nil
    }

    override func persist() throws {
        if let edit = try edit() { throw edit }
        let outcome = try written(to: FileReplacement(of: path, isNew: stamp == nil)).finish(isHeld: true)
        // From here on the save has happened, and nothing may fail.
        stamp = outcome.stamp
        nameError = outcome.durabilityError
        if let file = outcome.heldFile { lock?.hold(file) }
    }

    /// Writes what the store holds into a new file.
    func write(to path: String) throws {
        try written(to: FileReplacement(of: path, isNew: true)).finish().requireDurable()
    }

    private func written(to file: FileReplacement) throws -> FileReplacement {
        try format.write(StoreContents(metadata: metadata, tables: tables), to: file)
        return file
    }

    override public var durabilityError: StoreError? { nameError }

    override public var damage: StoreError? { isWritable ? try? edit() : nil }

    /// Reports that another program has edited or removed the file while it is open; `nil` if none has. A save would undo
    /// the edit.
    private func edit() throws(StoreError) -> StoreError? {
        let now = try FileStamp(of: path)
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
