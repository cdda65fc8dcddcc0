internal import Platform

/// The file that an open database has at its path, with the log and the log's index beside it.
///
/// An open file stays usable when its name is removed or given to another file. Changes saved from then on
/// would be lost without any error.
struct DatabaseFiles: Sendable {
    private static let log = "-wal"
    private static let index = "-shm"
    private static let companions = [log, index]
    /// The least time between two checks of contents. No other program starts and overwrites a file in this time.
    private static let checkInterval = Duration.milliseconds(1)
    /// The least time between two checks that the path leads to the same directory, because they take longer.
    private static let pathInterval = Duration.milliseconds(100)
    /// The time between two readings of a log to which this process saves without a pause.
    private static let logInterval = Duration.seconds(10)

    private let path: String
    /// The directory of the database, or `nil` if the path is a link to a file in another one.
    private let directory: (path: String, file: OpenFile)?
    /// The directory when the names in it were last checked, or `nil` if its time may not show a change since then.
    private var checkedDirectory: FileStamp?
    /// The time of the last check that the path leads to the directory, since the opening.
    private var lastPathCheck = Duration.zero
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
        let directory = FileSystem.link(at: path) == nil ? FileSystem.split(path).directory : nil
        self.directory = directory.flatMap { path in OpenFile(path).map { (path, $0) } }
        let target = FileSystem.target(path)
        content = DatabaseContent(of: target)
        log = content.flatMap { LogContent(target + Self.log, index: $0.index) }
        companions = try Self.companions.compactMap { suffix in
            let companion = target + suffix
            return try UntimedFileStatus(ofOpenFile: companion).map { (companion, $0) }
        }
    }

    /// A check of the files.
    enum Check {
        /// A check of everything that shows that a file was overwritten.
        case whole
        /// A check of names and, at intervals, of contents, which takes a few microseconds.
        case beforeSave
        /// The same, but nothing is checked again within the interval.
        case beforeCommit
    }

    /// Returns the loss of the file, its log or its index, or `nil` if all are at their paths and no other program has written
    /// over them.
    mutating func loss(_ check: Check) -> StoreError? {
        let time = time
        writing = SystemClock.fileNanoseconds
        if check != .whole, time - lastCheck < Self.checkInterval {
            return check == .beforeSave ? lossOfChangedName(at: time) : nil
        }
        lastCheck = time
        // One reading of the index serves both checks of contents.
        let index = readIndex()
        log?.check(index, at: time, allowingAge: check == .whole ? .zero : Self.logInterval)
        return (check == .whole ? lossOfName : lossOfChangedName(at: time)) ?? lossOfContent(index)
            ?? lossOfLogContent
    }

    private var lossOfName: StoreError? { lossOfFile ?? lossOfCompanion }

    /// Returns the loss of the file, its log or its index, if names in the directory have changed since the last call.
    private mutating func lossOfChangedName(at time: Duration) -> StoreError? {
        guard let directory else { return lossOfName }
        let isPathDue = time - lastPathCheck >= Self.pathInterval
        let now = isPathDue ? try? FileStatus(of: directory.path).stamp : directory.file.stamp
        if isPathDue { lastPathCheck = time }
        if let now, now == checkedDirectory { return nil }
        let loss = lossOfName
        checkedDirectory = loss == nil && now?.changes(from: writing) == true ? now : nil
        return loss
    }

    /// The time since the opening.
    private var time: Duration { opening.duration(to: .now) }

    private var lossOfCompanion: StoreError? { loss(of: Self.log, "log") ?? loss(of: Self.index, "index") }

    /// Records the state of the log and of checkpoints after this process has written to the log. Returns an error if the
    /// content of a file was overwritten.
    mutating func recordCommit() -> StoreError? {
        let index = readIndex()
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
    mutating func isOverwritten() -> Bool {
        let index = readIndex()
        return content?.loss(index) == .overwritten
    }

    private func readIndex() -> LogIndexReading? { content.flatMap { LogIndexReading($0.index) } }

    private mutating func lossOfContent(_ index: LogIndexReading?) -> StoreError? {
        switch content?.loss(index) {
        case .removed: removed
        case .overwritten:
            StoreError(
                .replaced, "another program overwrote the file while it was open; nothing more is saved",
                path: path)
        case nil: nil
        }
    }

    private var removed: StoreError {
        StoreError(.replaced, "the file was removed while it was open; nothing more is saved", path: path)
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
                return removed
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
