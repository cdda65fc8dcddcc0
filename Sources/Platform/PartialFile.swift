/// A file that is written under a temporary name, and gets its own name when it is complete and on disk.
///
/// It is in the directory of its final name. A file that is never finished is removed.
package final class PartialFile {
    /// The file that has its final name.
    package struct Outcome {
        package let stamp: FileStamp
        /// The reason why a loss of power may undo the last step, or `nil` if the file's name is on disk.
        package let durabilityError: SystemError?
        /// The lock on the file, or `nil` if none was requested or the file cannot be locked.
        package let lock: FileLock?
    }

    private let path: String
    /// The path of the file until it is finished.
    package let temporaryPath: String
    /// Whether it is an error if a file has the final name.
    private let isNew: Bool
    private var file: FileDescriptor
    /// The lock on a new file. It shows other programs that the file is still being written.
    private var lock: FileLock?

    /// Creates the temporary file, accessible to the owner only.
    ///
    /// - Parameters:
    ///   - path: the final path, with symbolic links resolved.
    ///   - isNew: whether it is an error if a file exists at `path` when this one is finished. If not, only one program
    ///     at a time may write the file.
    package init(of path: String, isNew: Bool) throws(SystemError) {
        self.path = path
        self.isNew = isNew
        temporaryPath = isNew ? Self.newPath(of: path) : Self.replacementPath(of: path)
        file = try Self.make(temporaryPath)
        if isNew, case .held(let lock) = FileLock.lock(duplicateOf: file) { self.lock = lock }
    }

    deinit {
        if file.isOpen { try? FileSystem.remove(temporaryPath) }
    }

    /// Creates the temporary file, in place of one that a crash may have left.
    private static func make(_ path: String) throws(SystemError) -> FileDescriptor {
        let options: FileDescriptor.Options = [.createsNew, .refusesLinks]
        do throws(SystemError) {
            return try FileDescriptor(opening: path, for: .writing, options)
        } catch {
            guard error.isExisting else { throw error }
            try FileSystem.remove(path)
            return try FileDescriptor(opening: path, for: .writing, options)
        }
    }

    /// Writes bytes after those that were written before, or over those at `offset`.
    package func write(_ bytes: ArraySlice<UInt8>, at offset: Int? = nil) throws(SystemError) {
        try file.write(bytes, at: offset)
    }

    package func setPermissions(_ permissions: UInt32) throws(SystemError) {
        try file.setPermissions(permissions)
    }

    /// Syncs the file to disk and gives it its final name. Call this once, as the last method.
    ///
    /// - Parameter isLocked: whether the file itself is locked before it has its final name, and stays locked.
    /// - Throws: an error if a step before the new name fails. The old file is unchanged.
    package func finish(isLocked: Bool = false) throws(SystemError) -> Outcome {
        let directory = try ContainingDirectory(of: path)
        try file.synchronize()
        let stamp = try file.status().stamp
        if isLocked, lock == nil, case .held(let lock) = FileLock.lock(duplicateOf: file) {
            self.lock = lock
        }
        defer { lock = nil }
        do throws(SystemError) {
            try file.close()
            try FileSystem.rename(temporaryPath, to: path, replacesExisting: !isNew)
        } catch {
            try? FileSystem.remove(temporaryPath)
            throw error
        }
        do throws(SystemError) {
            try directory.synchronize()
            return Outcome(stamp: stamp, durabilityError: nil, lock: isLocked ? lock : nil)
        } catch {
            return Outcome(stamp: stamp, durabilityError: error, lock: isLocked ? lock : nil)
        }
    }

    // MARK: - Temporary names

    private static let ending = ".partial"
    private static let journal = "-journal"
    private static let tokenLength = 13

    private static func replacementPath(of path: String) -> String { path + ".new" }

    /// Removes the leftovers of interrupted copies with the same final name, and returns an unused temporary name, such
    /// as `copy.sqlite.0d1x8k2n4q7rz.partial`.
    ///
    /// The random part makes the name unique, so the copy never replaces a file of the user. The file is locked while it
    /// is written. A file without a lock is a leftover of an interrupted copy.
    package static func newPath(of copy: String) -> String {
        removeLeftovers(of: copy)
        let number = String(UInt64.random(in: 0 ... .max), radix: 36)
        let token = String(repeating: "0", count: tokenLength - number.count) + number
        return "\(copy).\(token)\(ending)"
    }

    /// Returns the final name of the copy that a temporary file belongs to, or `nil` if `name` is not a temporary name.
    package static func copyName(of name: String) -> String? {
        let file = name.hasSuffix(journal) ? name.dropLast(journal.count) : name[...]
        guard file.hasSuffix(ending) else { return nil }
        let parts = file.dropLast(ending.count).split(separator: ".", omittingEmptySubsequences: false)
        guard let token = parts.last, parts.count > 1, token.utf8.count == tokenLength,
            token.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) })
        else { return nil }
        return parts.dropLast().joined(separator: ".")
    }

    /// Removes the file that an interrupted replacement of the file at `path` has left.
    ///
    /// No other program may be replacing it. A leftover that cannot be removed is harmless until the next replacement,
    /// which reports it.
    package static func removeReplacement(of path: String) {
        try? FileSystem.remove(replacementPath(of: path))
    }

    /// Removes the leftovers of interrupted copies with this final name. A copy in progress keeps its file.
    package static func removeLeftovers(of copy: String) {
        let (directory, name) = FileSystem.split(copy)
        removeLeftovers(in: directory) { $0 == name }
    }

    /// Removes the leftovers of interrupted copies in a directory. A copy in progress keeps its file.
    ///
    /// - Parameter isCopy: returns whether to remove the leftovers of the copy with this final name.
    package static func removeLeftovers(in directory: String, where isCopy: (String) -> Bool) {
        for file in FileSystem.namesIfReadable(in: directory) where copyName(of: file).map(isCopy) ?? false {
            guard case .held(let lock) = FileLock.lock("\(directory)/\(file)") else { continue }
            // A leftover that cannot be removed is harmless.
            withExtendedLifetime(lock) { try? FileSystem.remove("\(directory)/\(file)") }
        }
    }
}
