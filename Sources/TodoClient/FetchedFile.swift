internal import Glibc

/// A file that the daemon has written where it may, brought to a place where only its user may write.
struct FetchedFile {
    /// What cannot be done, and the reason.
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

    /// Copies the file to `path`, where nothing may be yet. The copy has its name when all of it is on disk.
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
        // After the link below, only the other name remains.
        defer { unlink(partial) }
        let error = Self.copy(input, to: output)
        if let error { throw Failure(path, error) }
        try Self.name(partial, path)
        let directory = Glibc.open(Self.directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return }
        fsync(directory)
        close(directory)
    }

    /// Makes the file that becomes the copy, and locks it; -1, and `errno`, when that fails.
    private static func open(partial: String) -> Int32 {
        let output = Glibc.open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if output >= 0 { flock(output, LOCK_EX | LOCK_NB) }
        return output
    }

    /// A name that no other file has: `copy.0d1x8k2n4q7rz.partial`.
    private static func partialPath(of path: String) -> String {
        let number = String(UInt64.random(in: 0 ... .max), radix: 36)
        return "\(path).\(String(repeating: "0", count: tokenLength - number.count))\(number)\(ending)"
    }

    /// Removes what interrupted copies have left. A file that another copy is writing is locked, and stays.
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

    /// Removes a file that no other program is writing. It may be a second name of a complete copy, which stays. One that cannot
    /// be removed is in no program's way.
    private static func removeUnlocked(_ partial: String) {
        let leftover = Glibc.open(partial, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard leftover >= 0 else { return }
        defer { close(leftover) }
        if flock(leftover, LOCK_EX | LOCK_NB) == 0 { unlink(partial) }
    }

    /// Returns the number of the error, or `nil`.
    private static func copy(_ input: Int32, to output: Int32) -> Int32? {
        var chunk = [UInt8](repeating: 0, count: chunkBytes)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(input, $0.baseAddress, $0.count) }
            if count < 0 { return errno }
            if count == 0 { return fsync(output) == 0 ? nil : errno }
            guard Output.write(Array(chunk[..<count]), to: output) else { return errno }
        }
    }

    /// Takes the place of no other file. Some disks, such as sticks, know no links.
    private static func name(_ partial: String, _ path: String) throws(Failure) {
        if link(partial, path) == 0 { return }
        guard errno == EPERM || errno == EOPNOTSUPP || errno == EMLINK else { throw Failure(path) }
        guard access(path, F_OK) != 0 else { throw Failure(path, EEXIST) }
        guard rename(partial, path) == 0 else { throw Failure(path) }
    }

    private static func directory(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }
}
