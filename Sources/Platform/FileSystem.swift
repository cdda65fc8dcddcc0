internal import CLinux
internal import Glibc

/// The operations of the file system that need no open file.
package enum FileSystem {
    /// The largest number of symbolic links in a row that are followed, the same as the limit of the kernel.
    private static let linksLimit = 40

    // MARK: - Paths

    /// Returns the directory of a path and the name in it.
    package static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let directory = slash == path.startIndex ? "/" : String(path[..<slash])
        return (directory, String(path[path.index(after: slash)...]))
    }

    /// The current directory, or `nil` if it was removed.
    package static var currentDirectory: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    /// Returns an absolute path. It is not changed otherwise.
    package static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : currentDirectory.map { "\($0)/\(path)" } ?? path
    }

    /// Returns an absolute path without empty components and `.`, so that each path has one spelling.
    ///
    /// A slash at its end stays.
    package static func normalized(_ path: String) -> String {
        let whole = absolute(path)
        let components = whole.split(separator: "/").filter { $0 != "." }
        return "/" + components.joined(separator: "/") + (whole.hasSuffix("/") ? "/" : "")
    }

    /// Returns the path with all symbolic links resolved. The file has to exist.
    package static func resolved(_ path: String) throws(SystemError) -> String {
        guard let resolved = realpath(path, nil) else { throw SystemError("find \(path)") }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Returns the text of a symbolic link, or `nil` if `path` is not one.
    package static func link(at path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        let bytes = buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the path that `path` leads to through symbolic links. The file at the end need not exist.
    package static func target(_ path: String) -> String {
        var path = path
        for _ in 0..<linksLimit {
            if let target = try? resolved(path) { return target }
            guard let link = link(at: path) else { break }
            let directory = path.lastIndex(of: "/").map { path[...$0] } ?? ""
            path = link.hasPrefix("/") ? link : directory + link
        }
        return path
    }

    // MARK: - Existing files

    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Whether there is no such file. False for a file that cannot be reached.
    package static func isMissing(_ path: String) -> Bool {
        access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)
    }

    package struct Permissions: OptionSet, Sendable {
        package let rawValue: Int32

        package init(rawValue: Int32) { self.rawValue = rawValue }

        package static let read = Permissions(rawValue: R_OK)
        package static let write = Permissions(rawValue: W_OK)
        /// To run a program, or to use the files in a directory.
        package static let execute = Permissions(rawValue: X_OK)
    }

    /// Throws if the file does not exist, or if this process does not have the permissions.
    package static func require(_ permissions: Permissions, for path: String) throws(SystemError) {
        guard access(path, permissions.rawValue) == 0 else { throw SystemError("use \(path)") }
    }

    /// Whether this process has the permissions for an existing file.
    package static func has(_ permissions: Permissions, for path: String) -> Bool {
        access(path, permissions.rawValue) == 0
    }

    /// Whether the file system of a directory is mounted for reading only.
    package static func isReadOnly(_ directory: String) -> Bool {
        var system = statvfs()
        return statvfs(directory, &system) == 0 && system.f_flag & UInt(ST_RDONLY) != 0
    }

    /// The error for a part of a path that cannot be examined, for example without permission.
    package struct Unreachable: Error {
        package let path: String
        package let error: SystemError
    }

    /// Returns the longest part of a path that exists: the path itself, or the nearest existing directory above it.
    ///
    /// A symbolic link counts as existing even if its target is missing.
    package static func existingPart(of path: String) throws(Unreachable) -> String {
        var part = path
        while true {
            do throws(SystemError) {
                _ = try FileStatus(of: part, followsLinks: false)
                return part
            } catch {
                guard error.isNotFoundOrBelowFile else { throw Unreachable(path: part, error: error) }
                let parent = split(part).directory
                guard parent != part else { return part }
                part = parent
            }
        }
    }

    // MARK: - Directories

    /// Creates the directory of the file at `path`, and its missing parents, accessible to the owner only. Existing
    /// directories stay as they are.
    package static func makeDirectory(of path: String) throws(SystemError) {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        let directory = String(path[..<slash])
        guard !exists(directory) else { return }
        try makeDirectory(of: directory)
        try FileFault.check(.makeDirectory, directory, "create the directory \(directory)")
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw SystemError("create the directory \(directory)")
        }
    }

    /// Creates a directory with an unused name that begins with `prefix`, accessible to the owner only.
    package static func makeUniqueDirectory(prefix: String) throws(SystemError) -> String {
        try FileFault.check(.makeDirectory, prefix, "create a directory \(prefix)…")
        var template = Array((prefix + "XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else { throw SystemError("create a directory \(prefix)…") }
        return String(cString: made)
    }

    /// Removes a directory that contains only files. Files that cannot be removed stay, with the directory.
    package static func removeDirectory(_ path: String) {
        for name in namesIfReadable(in: path) { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    /// Returns the names in a directory, in no order, without `.` and `..`.
    package static func names(in directory: String) throws(SystemError) -> [String] {
        guard let stream = opendir(directory) else { throw SystemError("read the directory \(directory)") }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw SystemError("read the directory \(directory)") }
                return names
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                let count = MemoryLayout.size(ofValue: pointer.pointee)
                return pointer.withMemoryRebound(to: CChar.self, capacity: count) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }

    /// Returns the names in a directory, or an empty array if it cannot be read.
    package static func namesIfReadable(in directory: String) -> [String] {
        (try? names(in: directory)) ?? []
    }

    // MARK: - Names of files

    /// Removes a file. It is not an error if the file does not exist.
    package static func remove(_ path: String) throws(SystemError) {
        try FileFault.check(.remove, path, "remove \(path)")
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("remove \(path)") }
    }

    /// Gives a file a second name. It is an error if a file has that name.
    package static func link(_ path: String, as newPath: String) throws(SystemError) {
        try FileFault.check(.rename, newPath, "create \(newPath)")
        guard Glibc.link(path, newPath) == 0 else { throw SystemError("create \(newPath)") }
    }

    /// Renames a file.
    ///
    /// - Parameter replacesExisting: whether a file with the new name is replaced. If not, such a file is an error.
    package static func rename(_ path: String, to newPath: String, replacesExisting: Bool = true)
        throws(SystemError)
    {
        try FileFault.check(.rename, newPath, "rename \(path) to \(newPath)")
        if !replacesExisting {
            if todod_rename_to_new(path, newPath) == 0 { return }
            // Not every file system can check and rename in one step.
            guard errno == EINVAL || errno == ENOSYS else {
                throw SystemError("rename \(path) to \(newPath)")
            }
            guard !exists(newPath) else { throw SystemError("rename \(path) to \(newPath)", code: EEXIST) }
        }
        guard Glibc.rename(path, newPath) == 0 else { throw SystemError("rename \(path) to \(newPath)") }
    }
}
