internal import Platform

/// The log of an open database and its index, which show whether another program writes over them.
///
/// SQLite neither reads the header of the log again nor checks its checksums while the database is open. A checkpoint
/// would write damaged pages into the database.
struct LogContent: Sendable {
    /// The largest number of bytes of the log that are read again. SQLite begins a log of this size again.
    private static let bytesLimit = 8 << 20
    private static let headerSize = 32

    private let path: String
    private let log: OpenFile
    private let index: OpenFile
    private var lastIndex: LogIndex?
    private var lastStamp: FileStamp?
    /// The file that was overwritten first, or `nil` if neither was.
    private(set) var overwritten: File?

    enum File { case log, index }

    /// Reads the log at `path`. Returns `nil` if there is none.
    init?(_ path: String, index: OpenFile) {
        guard let log = OpenFile(path) else { return nil }
        self.path = path
        self.log = log
        self.index = index
        check(index.logIndex(), afterCommit: true)
    }

    /// Checks the log against its index and the index against its last state. A log that has changed is read again.
    ///
    /// - Parameters:
    ///   - beginning: the bytes at the beginning of the index.
    ///   - afterCommit: whether this process has just written to the log, which then is not read again.
    mutating func check(_ beginning: [UInt8], afterCommit: Bool) {
        guard overwritten == nil, let now = LogIndex(beginning) else { return }
        if let lastIndex, !now.canFollow(lastIndex) {
            overwritten = .index
            return
        }
        let stamp = log.stamp
        if now == lastIndex, stamp == lastStamp { return }
        // Without frames, a log is not read. Its header may be that of the frames before.
        if now.frames > 0, let stamp, !isIntact(stamp, to: now, isRead: !afterCommit && stamp != lastStamp) {
            // Another program may just have begun the log again.
            guard LogIndex(index.logIndex()) == now else { return }
            overwritten = now.salts == lastIndex?.salts ? .log : .index
            return
        }
        (lastIndex, lastStamp) = (now, stamp)
    }

    private func isIntact(_ stamp: FileStamp, to index: LogIndex, isRead: Bool) -> Bool {
        let header = log.beginning(count: Self.headerSize)
        // A log that cannot be read now may be intact.
        if header.isEmpty, stamp.size >= Self.headerSize { return true }
        guard LogCheck.fits(header, size: stamp.size, to: index) else { return false }
        guard isRead else { return true }
        // If frames were added, those before them were checked.
        let checked = lastIndex.flatMap { $0.frames < index.frames ? $0 : nil }
        return
            (try? LogCheck.isWhole(
                path, header: header, to: index, after: checked, bytesLimit: Self.bytesLimit)) ?? true
    }
}
