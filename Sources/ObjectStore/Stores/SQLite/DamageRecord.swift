internal import Platform

/// A record of damage found in a file, or of its removal, replacement or overwriting. The connections to one
/// file share it, on any queue.
final class DamageRecord: Sendable {
    private let first = Locked<StoreError?>(nil)
    private let foreign = Locked(false)
    private let place = Locked<DatabaseFiles?>(nil)

    /// The damage that was found first, or `nil` if none was found.
    var found: StoreError? { first.withLock { $0 } }

    /// Records the file that is at `path` now, for `checkFiles` to compare with later. The database has to
    /// be open until `clearPlace`.
    func watch(_ path: String) throws {
        let files = try DatabaseFiles(of: path)
        place.withLock { $0 = files }
    }

    /// Checks whether the file is still at its path with its content, and records an error if it is not.
    func checkFiles(_ check: DatabaseFiles.Check = .whole) {
        if let loss = place.withLock({ $0?.loss(check) }) { keep(loss) }
    }

    /// Records the state of the files after a commit, and an error if their content is lost. The commit may have begun a new
    /// log after a checkpoint.
    ///
    /// The names of the files were checked before the commit.
    func recordCommit() {
        if let loss = place.withLock({ $0?.recordCommit() }) { keep(loss) }
    }

    /// Whether another program has written to the file. Its log then does not belong to it any more.
    var isOverwritten: Bool { place.withLock { $0?.isOverwritten() ?? false } }

    /// Whether the log has to be kept as it is: it may have changes of another program, because its index was removed or
    /// replaced, or it was overwritten, or belongs to a file that took the place of this one.
    var isLogOfOthers: Bool {
        isLogOverwritten || isIndexLost || foreign.withLock { $0 }
    }

    private var isIndexLost: Bool { place.withLock { $0?.isIndexLost() ?? false } }

    /// Whether another program has written over the log or its index.
    var isLogOverwritten: Bool { place.withLock { $0?.overwrittenLogFile != nil } }

    /// Whether the open database shows something else than the content of the store.
    var isForeign: Bool {
        place.withLock { $0?.overwrittenLogFile == .index } || foreign.withLock { $0 }
    }

    /// Keeps the log under another name if the store at its path is not its own any more.
    ///
    /// - Throws: an error if the log cannot be renamed.
    func keepLog(as name: String) throws {
        guard !isLogOfOthers else { return }
        try place.withLock { try $0?.keepLog(as: name) }
    }

    /// Records that another store was written over the open one, through SQLite or by copying all of its files.
    func recordForeignStore(at path: String) {
        foreign.withLock { $0 = true }
        keep(
            StoreError(
                .replaced, "another store was written over it while it was open; nothing more is saved",
                path: path))
    }

    /// Removes the log of a file that was removed, replaced or overwritten. The database must be closed.
    ///
    /// - Parameter keepingLog: whether the log stays, because it belongs to the file that is at the path now.
    func clearPlace(keepingLog: Bool) {
        let isReplaced = found?.code == .replaced
        place.withLock {
            if isReplaced, !keepingLog { $0?.removeCompanions() }
            $0 = nil
        }
    }

    /// Records an error if it is damage or a replacement of the file, and if it is the first one.
    func record(_ error: StoreError) {
        // A page that cannot be read may be a page of another file.
        if error.code == .damaged || error.code == .notADatabase { checkFiles() }
        if [.damaged, .notADatabase, .replaced].contains(error.code) { keep(error) }
    }

    private func keep(_ error: StoreError) {
        first.withLock { $0 = $0 ?? error }
    }

    /// Throws if the file was removed, replaced or overwritten, because its path would open another file.
    func refuseOpening() throws {
        checkFiles()
        if let found, found.code == .replaced { throw found }
    }

    /// Throws if damage or a replacement of the file was found, so that nothing more is written to it.
    func refuseWriting() throws {
        if let found { throw found }
    }
}
