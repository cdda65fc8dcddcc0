internal import Platform

/// The file that an open database has at its path, with the log and the log's index beside it.
///
/// An open file stays usable when its name is removed or given to another file. Changes saved from then on
/// would be lost without any error.
struct DatabaseFiles: Sendable {
    private static let log = "-wal"
    private static let index = "-shm"
    private static let companions = [log, index]
    /// The time between two checks of contents before saves. No other program starts and overwrites a file in this time.
    private static let contentInterval = Duration.milliseconds(1)
    /// The time between two readings of a log to which this process saves without a pause.
    private static let logInterval = Duration.seconds(10)

    private let path: String
    private let file: UntimedFileStatus
    private let companions: [(path: String, file: UntimedFileStatus)]
    private var content: DatabaseContent?
    private var log: LogContent?
    private let opening = ContinuousClock.now
    /// The time of the last check, in `SystemClock.fileNanoseconds`. The log is written after it.
    private var writing = SystemClock.fileNanoseconds
    /// The time of the last check of contents, since the opening.
    private var lastCheck = Duration.zero

    /// Records the files of a database that was just opened. Returns `nil` if there is no file at `path`.
    init?(of path: String) throws {
        guard let file = try UntimedFileStatus(ofOpenFile: path) else { return nil }
        self.path = path
        self.file = file
        content = DatabaseContent(of: FileSystem.target(path))
        log = content.flatMap { LogContent(FileSystem.target(path) + Self.log, index: $0.index) }
        companions = try Self.companions.compactMap { suffix in
            let companion = FileSystem.target(path) + suffix
            return try UntimedFileStatus(ofOpenFile: companion).map { (companion, $0) }
        }
    }

    /// A check of the files.
    enum Check {
        /// A check of everything that shows that a file was overwritten.
        case whole
        /// A check of names and, at intervals, of contents, which takes a few microseconds.
        case beforeSave
    }

    /// Returns the loss of the file, its log or its index, or `nil` if all are at their paths and no other program has written
    /// over them.
    mutating func loss(_ check: Check) -> StoreError? {
        let time = time
        writing = SystemClock.fileNanoseconds
        if check == .beforeSave, time - lastCheck < Self.contentInterval {
            return lossOfFile ?? lossOfCompanion
        }
        lastCheck = time
        // One reading of the index serves both checks of contents.
        let index = content?.index.logIndex() ?? []
        log?.check(index, at: time, allowingAge: check == .whole ? .zero : Self.logInterval)
        return lossOfFile ?? lossOfContent(index) ?? lossOfCompanion ?? lossOfLogContent
    }

    /// The time since the opening.
    private var time: Duration { opening.duration(to: .now) }

    private var lossOfCompanion: StoreError? { loss(of: Self.log, "log") ?? loss(of: Self.index, "index") }

    /// Records the state of the log and of checkpoints after this process has written to the log. Returns an error if the
    /// content of a file was overwritten.
    mutating func recordCommit() -> StoreError? {
        let index = content?.index.logIndex() ?? []
        let now = SystemClock.fileNanoseconds
        // The clock may have been set in between.
        log?.recordCommit(index, in: min(writing, now)...now)
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
            let now = try UntimedFileStatus(ofOpenFile: log.path), now.isSameFile(as: log.file)
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
            guard let now = try UntimedFileStatus(ofOpenFile: companion.path),
                now.isSameFile(as: companion.file)
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
            guard let now = try UntimedFileStatus(ofOpenFile: path) else {
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
            guard let now = try? UntimedFileStatus(ofOpenFile: companion.path),
                now.isSameFile(as: companion.file)
            else {
                continue
            }
            try? FileSystem.remove(companion.path)
        }
    }
}
