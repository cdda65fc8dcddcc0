internal import Platform

/// The file that an open database has at its path, with the log and the log's index beside it.
///
/// An open file stays usable when its name is removed or given to another file. Changes saved from then on
/// would be lost without any error.
struct DatabaseFiles: Sendable {
    private static let log = "-wal"
    private static let index = "-shm"
    private static let companions = [log, index]

    private let path: String
    private let file: FileStamp
    private let companions: [(path: String, file: FileStamp)]
    private var content: DatabaseContent?
    private var log: LogContent?
    /// The time of the last check of contents.
    private var lastCheck = ContinuousClock.now

    /// Records the files of a database that was just opened. Returns `nil` if there is no file at `path`.
    init?(of path: String) throws {
        guard let file = try FileStamp(of: path) else { return nil }
        self.path = path
        self.file = file
        content = DatabaseContent(of: FileSystem.target(path))
        log = content.flatMap { LogContent(FileSystem.target(path) + Self.log, index: $0.index) }
        companions = try Self.companions.compactMap { suffix in
            let companion = FileSystem.target(path) + suffix
            return try FileStamp(of: companion).map { (companion, $0) }
        }
    }

    /// Returns the loss of the file, its log or its index, or `nil` if all are where they were and no other program has written
    /// over them.
    ///
    /// - Parameter age: the age up to which the last check of contents is still valid.
    mutating func loss(allowingAge age: Duration) -> StoreError? {
        let now = ContinuousClock.now
        guard lastCheck.duration(to: now) >= age else { return lossOfFile ?? lossOfCompanion }
        lastCheck = now
        // One reading of the index serves both checks of contents.
        let index = content?.index.logIndex() ?? []
        log?.check(index, afterCommit: false)
        return lossOfFile ?? lossOfContent(index) ?? lossOfCompanion ?? lossOfLogContent
    }

    private var lossOfCompanion: StoreError? { loss(of: Self.log, "log") ?? loss(of: Self.index, "index") }

    /// Records the state of the log and of checkpoints after this process has written to the log. Returns an error if the
    /// content of a file was overwritten.
    mutating func recordCommit() -> StoreError? {
        let index = content?.index.logIndex() ?? []
        log?.check(index, afterCommit: true)
        return lossOfContent(index) ?? lossOfLogContent
    }

    /// The file that another program has written over, or `nil` if the log and its index are intact.
    var overwrittenLogFile: LogContent.File? { log?.overwritten }

    /// Whether only the index of the log was removed or replaced.
    ///
    /// Another program then creates its own index, and may have saved changes in the log.
    mutating func isIndexLost() -> Bool {
        loss(of: Self.index, "index") != nil && loss(of: Self.log, "log") == nil && lossOfFile == nil
            && !isOverwritten()
    }

    /// Whether another program has written to the file. The pages in the log would then damage it.
    mutating func isOverwritten() -> Bool { isOverwritten(content?.index.logIndex() ?? []) }

    private mutating func isOverwritten(_ index: [UInt8]) -> Bool { content?.isOverwritten(index) ?? false }

    private mutating func lossOfContent(_ index: [UInt8]) -> StoreError? {
        guard isOverwritten(index) else { return nil }
        return StoreError(
            .replaced, "another program overwrote the file while it was open; nothing more is saved",
            path: path)
    }

    private var lossOfLogContent: StoreError? {
        overwrittenLogFile.map { file in
            StoreError(
                .replaced,
                "another program overwrote its \(file == .log ? "log" : "log or the index of its log") while it was open; "
                    + "nothing more is saved",
                path: path)
        }
    }

    /// Gives the log another name, so that it is not removed with its index.
    ///
    /// - Throws: an error if the log cannot be renamed. It still has its old name.
    func keepLog(as name: String) throws(StoreError) {
        guard let log = companions.first(where: { $0.path.hasSuffix(Self.log) }),
            let now = try FileStamp(of: log.path), now.isSameFile(as: log.file)
        else { return }
        do throws(SystemError) {
            try FileSystem.rename(log.path, to: name, replacesExisting: false)
        } catch {
            throw StoreError(error, "its log cannot be kept as \(name)", path: path)
        }
        // If this fails, a loss of power may undo the new name, but no change is lost.
        try? StoreFiles.synchronizeDirectory(of: name)
    }

    /// Returns an error if the log or its index was removed or replaced.
    ///
    /// SQLite itself removes these files only when it closes the last connection.
    private func loss(of suffix: String, _ title: String) -> StoreError? {
        guard let companion = companions.first(where: { $0.path.hasSuffix(suffix) }) else { return nil }
        do {
            guard let now = try FileStamp(ofOpenFile: companion.path), now.isSameFile(as: companion.file)
            else {
                return StoreError(
                    .replaced,
                    "its \(title) \(companion.path) was removed or replaced while it was open; nothing more is saved",
                    path: path)
            }
            return nil
        } catch {
            return nil
        }
    }

    private var lossOfFile: StoreError? {
        do {
            guard let now = try FileStamp(ofOpenFile: path) else {
                return StoreError(
                    .replaced, "the file was removed while it was open; nothing more is saved", path: path)
            }
            guard !now.isSameFile(as: file) else { return nil }
            return StoreError(
                .replaced, "the file was replaced while it was open; nothing more is saved",
                path: path)
        } catch {
            // If a directory cannot be reached for a while, the files in it may still be there.
            return nil
        }
    }

    /// Removes the log and its index, because SQLite would use them for another database at the path.
    func removeCompanions() {
        for companion in companions {
            guard let now = try? FileStamp(of: companion.path), now.isSameFile(as: companion.file) else {
                continue
            }
            try? FileSystem.remove(companion.path)
        }
    }
}
