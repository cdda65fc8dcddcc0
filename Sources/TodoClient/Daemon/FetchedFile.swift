internal import Glibc

/// A file that the daemon wrote for the client.
///
/// The client copies it to a place where the daemon may not write.
struct FetchedFile {
    /// An error that names a file and the reason why it cannot be read or written.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ path: String, _ code: Int32 = errno) {
            self.init(path, reason: String(cString: strerror(code)))
        }

        init(_ path: String, reason: String) {
            description = "\(path): \(reason)"
        }
    }

    private static let chunkBytes = 1 << 20
    private static let ending = ".partial"
    private static let tokenLength = 13

    let source: String

    /// Copies the file to `path`, where no file may exist.
    ///
    /// The copy is complete and on disk before it gets this name.
    func copy(to path: String) throws(Failure) {
        let input = Glibc.open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard input >= 0 else { throw Failure(source) }
        defer { close(input) }
        guard access(path, F_OK) != 0 else { throw Failure(path, EEXIST) }
        Self.removeLeftovers(of: path)
        let partial = Self.partialPath(of: path)
        let output = Self.open(partial: partial)
        guard output >= 0 else { throw Failure(path) }
        defer { close(output) }
        // A complete copy keeps its name `path`.
        defer { unlink(partial) }
        let error = Self.copy(input, to: output)
        if let error { throw Failure(path, error) }
        try Self.name(partial, as: path)
        let directory = Glibc.open(Self.directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return }
        fsync(directory)
        close(directory)
    }

    /// Creates and locks the temporary file of a copy. Returns its descriptor, or -1 with `errno` set.
    private static func open(partial: String) -> Int32 {
        let output = Glibc.open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if output >= 0 { flock(output, LOCK_EX | LOCK_NB) }
        return output
    }

    /// Returns a temporary name with a random part, such as `copy.0d1x8k2n4q7rz.partial`.
    private static func partialPath(of path: String) -> String {
        let number = String(UInt64.random(in: 0 ... .max), radix: 36)
        return "\(path).\(String(repeating: "0", count: tokenLength - number.count))\(number)\(ending)"
    }

    /// Removes the leftovers of interrupted copies. The file of a copy in progress is locked and stays.
    private static func removeLeftovers(of path: String) {
        let directory = directory(of: path)
        let name = path.split(separator: "/").last ?? ""
        guard let stream = opendir(directory) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let file = withUnsafePointer(to: entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard file.hasPrefix("\(name)."), file.hasSuffix(ending) else { continue }
            let token = file.utf8.dropFirst(name.utf8.count + 1).dropLast(ending.utf8.count)
            guard token.count == tokenLength,
                token.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) })
            else { continue }
            removeUnlocked("\(directory)/\(file)")
        }
    }

    /// Removes a leftover, unless another program has locked it.
    ///
    /// It may be a second name of a complete copy, which stays under its other name. A leftover that cannot be removed
    /// is harmless.
    private static func removeUnlocked(_ partial: String) {
        let leftover = Glibc.open(partial, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard leftover >= 0 else { return }
        defer { close(leftover) }
        if flock(leftover, LOCK_EX | LOCK_NB) == 0 { unlink(partial) }
    }

    /// Copies all bytes and syncs the output to disk, or returns the `errno` of a failure.
    private static func copy(_ input: Int32, to output: Int32) -> Int32? {
        var chunk = [UInt8](repeating: 0, count: chunkBytes)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(input, $0.baseAddress, $0.count) }
            if count < 0 { return errno }
            if count == 0 { return fsync(output) == 0 ? nil : errno }
            guard Output.write(Array(chunk[..<count]), to: output) else { return errno }
        }
    }

    /// Gives the complete copy its name without replacing another file.
    ///
    /// A file system without hard links, such as that of a USB stick, needs a rename.
    private static func name(_ partial: String, as path: String) throws(Failure) {
        if link(partial, path) == 0 { return }
        guard errno == EPERM || errno == EOPNOTSUPP || errno == EMLINK else { throw Failure(path) }
        guard access(path, F_OK) != 0 else { throw Failure(path, EEXIST) }
        guard rename(partial, path) == 0 else { throw Failure(path) }
    }

    private static func directory(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }
}
