internal import Glibc
package import Varlink

/// Operations on directories.
package enum Directory {
    /// Creates the directory of the file at `path`, and its missing parents, with mode 0700.
    package static func create(above path: String) throws(SystemError) {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        let directory = String(path[..<slash])
        if mkdir(directory, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT else { throw SystemError("create the directory \(directory)") }
        try create(above: directory)
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw SystemError("create the directory \(directory)")
        }
    }

    /// The current directory, or `nil` if it was removed.
    package static var current: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    /// Returns an absolute path without empty components and `.`, so that each path has one spelling.
    ///
    /// A slash at its end stays.
    package static func normalized(_ path: String) -> String {
        let whole = path.hasPrefix("/") ? path : current.map { "\($0)/\(path)" } ?? path
        let components = whole.split(separator: "/").filter { $0 != "." }
        return "/" + components.joined(separator: "/") + (whole.hasSuffix("/") ? "/" : "")
    }

    /// Returns the directory of a path and the name in it.
    package static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (
            slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...])
        )
    }

    /// The error for a part of a path that cannot be examined, for example without permission.
    package struct Unreachable: Error {
        package let path: String
        package let code: Int32
    }

    /// Returns the longest part of a path that exists: the path itself, or the nearest existing directory above it.
    ///
    /// A symbolic link counts as existing even if its target is missing.
    package static func existingPart(of path: String) throws(Unreachable) -> String {
        var part = path
        var status = stat()
        while lstat(part, &status) != 0 {
            guard errno == ENOENT || errno == ENOTDIR else { throw Unreachable(path: part, code: errno) }
            let parent = split(part).directory
            guard parent != part else { return part }
            part = parent
        }
        return part
    }

    /// Returns the names in a directory, in no order, or an empty array if it cannot be read.
    package static func names(in directory: String) -> [String] {
        (try? readableNames(in: directory)) ?? []
    }

    /// Returns the names in a directory, in no order.
    package static func readableNames(in directory: String) throws(SystemError) -> [String] {
        guard let stream = opendir(directory) else { throw SystemError("read the directory \(directory)") }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw SystemError("read the directory \(directory)") }
                return names
            }
            names.append(
                withUnsafePointer(to: entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
    }
}
