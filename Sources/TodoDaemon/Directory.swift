internal import Glibc
internal import Varlink

/// Directories that hold what is ours alone.
enum Directory {
    /// Makes the directory of the file at `path`, and those above it, mode 0700 where they are missing.
    static func create(above path: String) throws(SystemError) {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        let directory = String(path[..<slash])
        if mkdir(directory, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT else { throw SystemError("create the directory \(directory)") }
        try create(above: directory)
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw SystemError("create the directory \(directory)")
        }
    }
}
