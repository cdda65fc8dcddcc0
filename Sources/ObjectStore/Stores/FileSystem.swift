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

    /// Makes an empty file for the owner alone. One that exists stays as it is.
    static func makeFile(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw error(errno, "the file cannot be opened for writing", path: path) }
        close(descriptor)
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
        guard Glibc.rename(path, newPath) == 0 else {
            throw error(errno, "the file cannot be renamed", path: newPath)
        }
        try synchronizeDirectory(of: newPath)
    }

    /// Gives a file its final name, durably; it is an error if a file of this name exists.
    static func renameToNew(_ path: String, _ newPath: String) throws(StoreError) {
        if todod_rename_to_new(path, newPath) != 0 {
            // Not every file system can do it in one step.
            guard errno == EINVAL || errno == ENOSYS, !exists(newPath) else {
                throw error(errno, "the file cannot be renamed", path: newPath)
            }
            guard Glibc.rename(path, newPath) == 0 else {
                throw error(errno, "the file cannot be renamed", path: newPath)
            }
        }
        try synchronizeDirectory(of: newPath)
    }

    /// Makes sure that the name of a file is on disk: it is an entry of its directory.
    static func synchronizeDirectory(of path: String) throws(StoreError) {
        let slash = path.lastIndex(of: "/")
        try synchronize(slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".")
    }

    /// The first bytes of a file, as many as there are up to `count`; nil when there is no file.
    static func beginning(of path: String, count: Int) throws(StoreError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw error(errno, "the file cannot be read", path: path)
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let length = read(descriptor, &bytes, count)
        guard length >= 0 else { throw error(errno, "the file cannot be read", path: path) }
        return Array(bytes.prefix(length))
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
