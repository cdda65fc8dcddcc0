internal import Platform

/// A new file of a store that replaces another one when it is complete and on disk.
///
/// It is written under a temporary name in the same directory. The old file is unchanged until `finish`
/// renames the new one. A replacement that is never finished is removed.
public final class FileReplacement {
    /// The result of a replacement that has taken effect.
    struct Outcome {
        let stamp: FileStamp
        /// Why a loss of power may restore the old file, or `nil` if the new file's name is on disk.
        let durabilityError: StoreError?
        /// The lock on the new file, or `nil` if none was requested or the file cannot be locked.
        let lock: FileLock?

        /// Throws if a loss of power may restore the old file.
        func requireDurable() throws(StoreError) {
            if let durabilityError { throw durabilityError }
        }
    }

    private static let bufferSize = 256 << 10

    /// The path of the store, for error messages.
    private let path: String
    /// Whether it is an error if the file to replace exists.
    private let isNew: Bool
    private let file: PartialFile
    private var buffer: [UInt8] = []

    /// Creates the temporary file, with the permissions of the file that it replaces.
    ///
    /// - Parameter isNew: whether it is an error if a file exists at `path` when this one is finished.
    init(of path: String, isNew: Bool = false) throws(StoreError) {
        self.path = path
        self.isNew = isNew
        let target = FileSystem.target(path)
        do throws(SystemError) {
            file = try PartialFile(of: target, isNew: isNew)
        } catch {
            throw Self.failure(error, path, isNew: isNew)
        }
        if let status = try? FileStatus(of: target) {
            try? file.setPermissions(status.permissions & 0o777)
        }
        buffer.reserveCapacity(Self.bufferSize)
    }

    /// Appends bytes to the file.
    public func append(_ bytes: some Sequence<UInt8>) throws(StoreError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Appends a text in UTF-8 to the file.
    public func append(_ text: String) throws(StoreError) {
        try append(text.utf8)
    }

    /// Overwrites bytes that were appended before, such as a header that depends on the bytes after it.
    public func overwrite(_ bytes: [UInt8], at offset: Int) throws(StoreError) {
        try flush()
        try translating { () throws(SystemError) in try file.write(bytes[...], at: offset) }
    }

    /// Checks the file, syncs it to disk, and gives it its final name.
    ///
    /// - Parameter check: checks the file at its temporary path. If it throws, the old file stays.
    /// - Throws: the error of `check`, or a `StoreError` if nothing was saved or a loss of power may undo the
    ///   replacement.
    func finish(_ check: (_ path: String) throws -> Void) throws {
        try flush()
        try check(file.temporaryPath)
        try finish().requireDurable()
    }

    /// Syncs the file to disk and gives it its final name.
    ///
    /// - Parameter isLocked: whether to lock the file itself before it has its final name.
    /// - Throws: a `StoreError` if nothing was saved. The old file is unchanged.
    func finish(isLocked: Bool = false) throws(StoreError) -> Outcome {
        try flush()
        let outcome = try translating { () throws(SystemError) in try file.finish(isLocked: isLocked) }
        return Outcome(
            stamp: outcome.stamp,
            durabilityError: outcome.durabilityError.map { StoreError(notDurable: $0, path: path) },
            lock: outcome.lock)
    }

    private func flush() throws(StoreError) {
        try translating { () throws(SystemError) in try file.write(buffer[...]) }
        buffer.removeAll(keepingCapacity: true)
    }

    private func translating<Result>(
        _ body: () throws(SystemError) -> Result
    ) throws(StoreError) -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            throw Self.failure(error, path, isNew: isNew)
        }
    }

    private static func failure(_ error: SystemError, _ path: String, isNew: Bool) -> StoreError {
        let message =
            if isNew, error.isExisting {
                "the file exists already; choose another name"
            } else if error.isFull {
                "no space is left; nothing was saved, make room and save again"
            } else {
                "the file cannot be written; nothing was saved, check its directory"
            }
        return StoreError(error, message, path: path)
    }

    /// Removes the temporary file that a crash may have left. The caller has the lock of the store.
    static func removeLeftover(of path: String) {
        let target = FileSystem.target(path)
        PartialFile.removeReplacement(of: target)
        PartialFile.removeLeftovers(of: target)
    }
}
