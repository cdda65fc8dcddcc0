internal import CLinux
internal import Glibc

/// The file system operations of stores in files.
enum FileSystem {
    /// The largest number of symbolic links in a row that are followed, the same as the limit of the kernel.
    private static let linksLimit = 40

    /// Creates the directory of `path` and its parents, accessible to the owner only. Existing directories
    /// stay as they are.
    static func makeDirectory(of path: String) throws(StoreError) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let directory = String(path[..<slash])
        guard access(directory, F_OK) != 0 else { return }
        try makeDirectory(of: directory)
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw error(errno, "the directory \(directory) cannot be created", path: path)
        }
    }

    /// Creates an empty file, accessible to the owner only. It is an error if a file of that name exists.
    static func makeFile(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw error(errno, "the file cannot be created", path: path) }
        close(descriptor)
    }

    /// Opens a regular file for reading. A directory, a named pipe or a device is an error, because reading
    /// it could block forever.
    static func openForReading(_ path: String) throws(StoreError) -> Int32 {
        // Without O_NONBLOCK, opening a named pipe waits for a program at its other end.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw error(errno, "the file cannot be read", path: path) }
        do throws(StoreError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else {
                throw error(errno, "the file cannot be read", path: path)
            }
            try requireFile(status, path)
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Throws a `StoreError` if the file is not a regular file.
    static func requireFile(_ status: stat, _ path: String) throws(StoreError) {
        let kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: ""
            case S_IFDIR: "a directory"
            case S_IFIFO: "a named pipe"
            case S_IFSOCK: "a socket"
            default: "a device"
            }
        guard kind.isEmpty else {
            throw StoreError(.unreachable, "it is \(kind), not a file; choose another path", path: path)
        }
    }

    /// Returns the directory of a path and the name in it.
    static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let directory = slash == path.startIndex ? "/" : String(path[..<slash])
        return (directory, String(path[path.index(after: slash)...]))
    }

    static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    /// Returns the path with all symbolic links resolved. The file has to exist.
    static func resolved(_ path: String) throws(StoreError) -> String {
        guard let resolved = realpath(path, nil) else {
            throw error(errno, "the file cannot be found", path: path)
        }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Returns the path that `path` leads to through symbolic links. The file at the end need not exist.
    static func target(_ path: String) -> String {
        var path = path
        for _ in 0..<linksLimit {
            if let target = try? resolved(path) { return target }
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(path, &buffer, buffer.count)
            guard count > 0 else { break }
            let link = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let directory = path.lastIndex(of: "/").map { path[...$0] } ?? ""
            path = link.hasPrefix("/") ? link : directory + link
        }
        return path
    }

    /// Creates a temporary directory, accessible to the owner only, in `TMPDIR` or else in `/var/tmp`.
    static func makeTemporaryDirectory() throws(StoreError) -> String {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
        var template = Array((parent + "/ObjectStore-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw error(
                errno, "no temporary directory can be created; set TMPDIR to another one", path: parent)
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes a temporary directory and the files in it.
    static func removeTemporaryDirectory(_ path: String) {
        for name in names(in: path) { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    /// Returns the names of the entries of a directory, including `.` and `..`, or an empty array if it cannot be read.
    static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: entry.pointee.d_name) { pointer in
                let count = MemoryLayout.size(ofValue: entry.pointee.d_name)
                return pointer.withMemoryRebound(to: CChar.self, capacity: count) { String(cString: $0) }
            }
            names.append(name)
        }
        return names
    }

    /// Removes a file. It is not an error if the file does not exist.
    static func remove(_ path: String) throws(StoreError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw error(errno, "the file cannot be removed", path: path)
        }
    }

    /// Syncs the contents of a file to disk.
    static func synchronize(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw error(errno, "the file cannot be opened", path: path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw error(errno, "the file cannot be written to disk", path: path)
        }
    }

    /// Renames a file durably. A file that has the new name is replaced.
    static func rename(_ path: String, to newPath: String) throws(StoreError) {
        let directory = try ContainingDirectory(of: newPath)
        guard Glibc.rename(path, newPath) == 0 else {
            throw error(errno, "the file cannot be renamed", path: newPath)
        }
        try directory.synchronize()
    }

    /// Renames a file durably. It is an error if a file with the new name exists.
    static func renameToNew(_ path: String, _ newPath: String) throws(StoreError) {
        let directory = try ContainingDirectory(of: newPath)
        guard renameUnlessThere(path, newPath) else {
            throw error(errno, "the file cannot be renamed", path: newPath)
        }
        try directory.synchronize()
    }

    /// Renames a file unless a file with the new name exists.
    ///
    /// - Returns: whether the file was renamed. If it was not, `errno` is set.
    static func renameUnlessThere(_ path: String, _ newPath: String) -> Bool {
        if todod_rename_to_new(path, newPath) == 0 { return true }
        // Not every file system can check and rename in one step.
        guard errno == EINVAL || errno == ENOSYS else { return false }
        guard !exists(newPath) else {
            errno = EEXIST
            return false
        }
        return Glibc.rename(path, newPath) == 0
    }

    /// Syncs the directory of a file to disk, so that the file's name is durable.
    static func synchronizeDirectory(of path: String) throws(StoreError) {
        try ContainingDirectory(of: path).synchronize()
    }

    /// Returns up to `count` bytes from the beginning of a file, or `nil` if there is no file.
    static func beginning(of path: String, count: Int) throws(StoreError) -> [UInt8]? {
        // A missing file is not an error, but a file that cannot be reached is one.
        guard try FileStamp(of: path) != nil else { return nil }
        return Array(try FileReader(path).next().prefix(count))
    }

    static func error(_ code: Int32, _ message: String, path: String) -> StoreError {
        let kind: StoreError.Code =
            switch code {
            case ENOSPC, EDQUOT, EFBIG: .full
            case EROFS: .readOnly
            default: .unreachable
            }
        return StoreError(kind, "\(message): \(String(cString: strerror(code)))", path: path)
    }
}
