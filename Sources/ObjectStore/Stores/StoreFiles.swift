package import Platform

/// The file operations of stores, with errors that name the store and its next step.
package enum StoreFiles {
    /// Creates the directory of `path` and its parents, accessible to the owner only. Existing directories
    /// stay as they are.
    static func makeDirectory(of path: String) throws(StoreError) {
        do throws(SystemError) {
            try FileSystem.makeDirectory(of: path)
        } catch {
            // The error names the directory, which may be a parent of the store's own.
            throw StoreError(error, text: "\(error)", path: path)
        }
    }

    /// Creates an empty file, accessible to the owner only. It is an error if a file of that name exists.
    static func makeFile(_ path: String) throws(StoreError) {
        try translating("the file cannot be created", path: path) { () throws(SystemError) in
            _ = try FileDescriptor(opening: path, for: .readingAndWriting, [.createsNew, .refusesLinks])
        }
    }

    /// Opens a regular file for reading. A directory, a named pipe or a device is an error, because reading
    /// it could block forever.
    package static func openForReading(_ path: String) throws(StoreError) -> FileDescriptor {
        let kind: FileStatus.Kind
        do throws(SystemError) {
            let file = try FileDescriptor(opening: path, for: .reading, .doesNotWait)
            kind = try file.status().kind
            if kind == .file { return file }
        } catch {
            throw StoreError(error, "the file cannot be read", path: path)
        }
        throw notAFile(kind, path)
    }

    /// The error for a file of another kind at the path of a store.
    static func notAFile(_ kind: FileStatus.Kind, _ path: String) -> StoreError {
        let text =
            switch kind {
            case .directory: "a directory"
            case .pipe: "a named pipe"
            case .socket: "a socket"
            case .file, .link, .device: "a device"
            }
        return StoreError(.unreachable, "it is \(text), not a file; choose another path", path: path)
    }

    /// Returns the path with all symbolic links resolved. The file has to exist.
    static func resolved(_ path: String) throws(StoreError) -> String {
        try translating("the file cannot be found", path: path) { () throws(SystemError) in
            try FileSystem.resolved(path)
        }
    }

    /// Creates a temporary directory, accessible to the owner only, in `TMPDIR` or else in `/var/tmp`.
    static func makeTemporaryDirectory() throws(StoreError) -> String {
        let parent = Environment.variable("TMPDIR") ?? "/var/tmp"
        return try translating(
            "no temporary directory can be created; set TMPDIR to another one", path: parent
        ) {
            () throws(SystemError) in
            try FileSystem.makeUniqueDirectory(prefix: "\(parent)/ObjectStore-")
        }
    }

    /// Removes a file. It is not an error if the file does not exist.
    static func remove(_ path: String) throws(StoreError) {
        try translating("the file cannot be removed", path: path) { () throws(SystemError) in
            try FileSystem.remove(path)
        }
    }

    /// Syncs the contents of a file to disk.
    static func synchronize(_ path: String) throws(StoreError) {
        try translating("the file cannot be written to disk", path: path) { () throws(SystemError) in
            try FileDescriptor(opening: path, for: .reading).synchronize()
        }
    }

    /// Renames a file durably.
    ///
    /// - Parameter isNew: whether it is an error if a file has the new name. If not, that file is replaced.
    static func rename(_ path: String, to newPath: String, isNew: Bool = false) throws(StoreError) {
        let directory = try open(directoryOf: newPath)
        try translating("the file cannot be renamed", path: newPath) { () throws(SystemError) in
            try FileSystem.rename(path, to: newPath, replacesExisting: !isNew)
        }
        try synchronize(directory, of: newPath)
    }

    /// Syncs the directory of a file to disk, so that the file's name is durable.
    static func synchronizeDirectory(of path: String) throws(StoreError) {
        try synchronize(open(directoryOf: path), of: path)
    }

    private static func open(directoryOf path: String) throws(StoreError) -> ContainingDirectory {
        do throws(SystemError) {
            return try ContainingDirectory(of: path)
        } catch {
            throw StoreError(error, "its directory cannot be opened; nothing was changed", path: path)
        }
    }

    private static func synchronize(
        _ directory: borrowing ContainingDirectory, of path: String
    ) throws(StoreError) {
        do throws(SystemError) {
            try directory.synchronize()
        } catch {
            throw StoreError(notDurable: error, path: path)
        }
    }

    /// Returns up to `count` bytes from the beginning of a file, or `nil` if there is no file.
    static func beginning(of path: String, count: Int) throws(StoreError) -> [UInt8]? {
        // A missing file is not an error, but a file that cannot be reached is one.
        guard try FileStamp(of: path) != nil else { return nil }
        return Array(try FileReader(path).next().prefix(count))
    }

    private static func translating<Result>(
        _ message: String, path: String, _ body: () throws(SystemError) -> Result
    ) throws(StoreError) -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            throw StoreError(error, message, path: path)
        }
    }
}

extension StoreError {
    /// Creates the error of a failed system call on the file of a store.
    init(_ error: SystemError, _ message: String, path: String) {
        self.init(error, text: "\(message): \(error.reason)", path: path)
    }

    /// Creates the error with a text that has the reason already.
    init(_ error: SystemError, text message: String, path: String) {
        let code: Code = error.isFull ? .full : error.isReadOnly ? .readOnly : .unreachable
        self.init(code, message, path: path)
    }

    /// Creates the error of a change that was made, and that a loss of power may undo.
    init(notDurable error: SystemError, path: String) {
        self.init(
            error, "the change was made, but the disk failed to record it, and a loss of power may undo it",
            path: path)
    }
}

extension FileStamp {
    /// Reads the stamp of the store's file at `path`, or returns `nil` if there is no such file.
    ///
    /// - Throws: a `StoreError` if the file is not a regular file or cannot be reached.
    init?(of path: String) throws(StoreError) {
        let status: FileStatus
        do throws(SystemError) {
            status = try FileStatus(of: path)
        } catch {
            if error.isNotFound { return nil }
            throw StoreError(error, "the file cannot be reached", path: path)
        }
        guard status.kind == .file else { throw StoreFiles.notAFile(status.kind, path) }
        self = status.stamp
    }

    /// Reads the stamp of a file that a store has open, or returns `nil` if the file is gone.
    ///
    /// Something that is not a file may be in its place, such as a directory.
    ///
    /// - Throws: a `StoreError` if the file cannot be reached now.
    init?(ofOpenFile path: String) throws(StoreError) {
        guard
            let status = try StoreFiles.status(
                ofOpenFile: path, { path throws(SystemError) in try FileStatus(of: path) }),
            status.kind == .file
        else { return nil }
        self = status.stamp
    }
}

extension UntimedFileStatus {
    /// Reads the status of a file that a store has open, or returns `nil` if the file is gone.
    ///
    /// Something that is not a file may be in its place, such as a directory.
    ///
    /// - Throws: a `StoreError` if the file cannot be reached now.
    init?(ofOpenFile path: String) throws(StoreError) {
        guard let status = try StoreFiles.status(ofOpenFile: path, UntimedFileStatus.init(of:)),
            status.kind == .file
        else { return nil }
        self = status
    }
}

extension StoreFiles {
    /// Returns the status of a file that a store has open, or `nil` if nothing is at its path.
    fileprivate static func status<Status>(
        ofOpenFile path: String, _ read: (String) throws(SystemError) -> Status
    ) throws(StoreError) -> Status? {
        do throws(SystemError) {
            return try read(path)
        } catch {
            if error.isNotFoundOrBelowFile || error.isLinkLoop { return nil }
            throw StoreError(error, "the file cannot be reached", path: path)
        }
    }
}
