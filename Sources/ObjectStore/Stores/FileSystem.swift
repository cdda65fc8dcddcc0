internal import CLinux
internal import Glibc

/// What stores in files need of the file system.
enum FileSystem {
    /// So many links in a row the system follows too.
    private static let linksLimit = 40

    /// Makes the directory of `path` and those above it, for the owner alone. What exists stays as it is.
    static func makeDirectory(of path: String) throws(StoreError) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let directory = String(path[..<slash])
        guard access(directory, F_OK) != 0 else { return }
        try makeDirectory(of: directory)
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw error(errno, "the directory \(directory) cannot be made", path: path)
        }
    }

    /// Makes an empty file for the owner alone. There must be no file of that name.
    static func makeFile(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw error(errno, "the file cannot be made", path: path) }
        close(descriptor)
    }

    /// Opens a file for reading. A directory, a named pipe or a device is an error: reading it could take for ever.
    static func openForReading(_ path: String) throws(StoreError) -> Int32 {
        // Without O_NONBLOCK a named pipe waits for a program at its other end.
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

    /// Refuses what is not a regular file.
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

    /// The directory of a file, and its name there.
    static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let directory = slash == path.startIndex ? "/" : String(path[..<slash])
        return (directory, String(path[path.index(after: slash)...]))
    }

    static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    /// The path without symbolic links.
    static func resolved(_ path: String) throws(StoreError) -> String {
        guard let resolved = realpath(path, nil) else {
            throw error(errno, "the file cannot be found", path: path)
        }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Where the path leads to; behind a symbolic link that is a file that need not be there yet.
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

    /// Makes a directory for the owner alone where temporary files go: in `TMPDIR`, else in `/var/tmp`.
    static func makeTemporaryDirectory() throws(StoreError) -> String {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
        var template = Array((parent + "/ObjectStore-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw error(errno, "no temporary directory can be made; set TMPDIR to another one", path: parent)
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes a temporary directory and the files in it.
    static func removeTemporaryDirectory(_ path: String) {
        for name in names(in: path) { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    /// The names of the files in a directory; none when it cannot be read.
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

    /// Removes a file; one that does not exist is fine.
    static func remove(_ path: String) throws(StoreError) {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw error(errno, "the file cannot be removed", path: path)
        }
    }

    /// Makes sure that what was written to a file is on disk.
    static func synchronize(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw error(errno, "the file cannot be opened", path: path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw error(errno, "the file cannot be written to disk", path: path)
        }
    }

    /// Gives a file its final name, durably; a file that has this name is replaced.
    static func rename(_ path: String, to newPath: String) throws(StoreError) {
        let directory = try ContainingDirectory(of: newPath)
        guard Glibc.rename(path, newPath) == 0 else {
            throw error(errno, "the file cannot be renamed", path: newPath)
        }
        try directory.synchronize()
    }

    /// Gives a file its final name, durably; it is an error if a file of this name exists.
    static func renameToNew(_ path: String, _ newPath: String) throws(StoreError) {
        let directory = try ContainingDirectory(of: newPath)
        guard renameUnlessThere(path, newPath) else {
            throw error(errno, "the file cannot be renamed", path: newPath)
        }
        try directory.synchronize()
    }

    /// Renames a file unless a file of the new name exists; false, and `errno`, when it is not renamed.
    static func renameUnlessThere(_ path: String, _ newPath: String) -> Bool {
        if todod_rename_to_new(path, newPath) == 0 { return true }
        // Not every file system can do it in one step.
        guard errno == EINVAL || errno == ENOSYS else { return false }
        guard !exists(newPath) else {
            errno = EEXIST
            return false
        }
        return Glibc.rename(path, newPath) == 0
    }

    /// Makes sure that the name of a file is on disk: it is an entry of its directory.
    static func synchronizeDirectory(of path: String) throws(StoreError) {
        try ContainingDirectory(of: path).synchronize()
    }

    /// The first bytes of a file, as many as there are up to `count`; nil when there is no file.
    static func beginning(of path: String, count: Int) throws(StoreError) -> [UInt8]? {
        // A file that is gone is no error, one that cannot be reached is.
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
