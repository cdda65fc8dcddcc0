internal import Glibc
internal import TodoAPI
internal import TodoService
internal import Varlink

/// Finds the configuration files and reads them. A later file overrides an earlier one.
struct ConfigurationLoader: Sendable {
    /// The main file, which is read before the files of the drop-in directory. A missing file is no problem.
    private let mainFile: String
    private let isRequired: Bool
    private let dropInDirectory: String?

    /// Creates a loader for the user's own files in this directory.
    init(directory: String) {
        mainFile = "\(directory)/todod.conf"
        dropInDirectory = "\(directory)/todod.conf.d"
        isRequired = false
    }

    /// Creates a loader for this file alone, which must exist.
    init(file: String) {
        mainFile = file
        dropInDirectory = nil
        isRequired = true
    }

    /// Reads all files. A file that cannot be read is a problem of the result, like a wrong line.
    func load() -> LoadedConfiguration {
        var loaded = LoadedConfiguration()
        var paths = [mainFile]
        do {
            paths += try dropIns()
        } catch {
            loaded.addUnreadable(path: error.path, reason: error.reason)
        }
        for path in paths {
            do {
                switch try Self.contents(of: path) {
                case "": loaded.addEmpty(path: path)
                case let text?:
                    loaded.apply(ConfigurationFile(text: text), path: path, isDropIn: path != mainFile)
                case nil where isRequired || path != mainFile:
                    loaded.addUnreadable(path: path, reason: "there is no such file")
                case nil: break
                }
            } catch {
                loaded.addUnreadable(path: error.path, reason: error.reason)
            }
        }
        return loaded
    }

    private func dropIns() throws(Unreadable) -> [String] {
        guard let dropInDirectory else { return [] }
        do {
            let names = try Directory.readableNames(in: dropInDirectory).filter {
                $0.hasSuffix(".conf") && !$0.hasPrefix(".")
            }
            return names.sorted().map { "\(dropInDirectory)/\($0)" }
        } catch {
            try Unreadable.requireMissing("directory", at: dropInDirectory, code: error.code)
            return []
        }
    }

    /// A file or directory that exists and cannot be read.
    private struct Unreadable: Error {
        let path: String
        let reason: String

        init(_ path: String, reason: String) {
            self.path = path
            self.reason = reason
        }

        init(_ path: String, code: Int32) {
            self.init(path, reason: "cannot be read: \(String(cString: strerror(code)))")
        }

        /// Returns if nothing of that name exists.
        ///
        /// Throws if something exists, or if a link to a missing file or a plain file is in the place of one of its
        /// directories.
        static func requireMissing(_ kind: String, at path: String, code: Int32) throws(Unreadable) {
            guard code == ENOENT || code == ENOTDIR else { throw Unreadable(path, code: code) }
            let part: String
            do throws(Directory.Unreachable) {
                part = try Directory.existingPart(of: path)
            } catch {
                throw Unreadable(error.path, code: error.code)
            }
            var status = stat()
            let expected = part == path ? kind : "directory"
            guard stat(part, &status) == 0 else {
                throw errno == ENOENT
                    ? Unreadable(part, reason: "is a link to a \(expected) that does not exist")
                    : Unreadable(part, code: errno)
            }
            // A user that wants no configuration may name /dev/null as its directory.
            guard expected == "file" || status.st_mode & S_IFMT == S_IFDIR || isNull(status) else {
                throw Unreadable(part, reason: "is not a directory")
            }
        }
    }

    /// Whether it is `/dev/null`.
    private static func isNull(_ status: stat) -> Bool {
        var null = stat()
        return stat("/dev/null", &null) == 0 && status.st_mode & S_IFMT == S_IFCHR
            && status.st_rdev == null.st_rdev
    }

    /// Returns the text of a file, or `nil` if there is no such file. `/dev/null` has the text of an empty line.
    private static func contents(of path: String) throws(Unreadable) -> String? {
        // Without O_NONBLOCK, opening a pipe would wait for a program that writes to it.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        if descriptor < 0 {
            try Unreadable.requireMissing("file", at: path, code: errno)
            return nil
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Unreadable(path, code: errno) }
        if isNull(status) { return "\n" }
        guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
            throw Unreadable(path, reason: "is not a file")
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 { throw Unreadable(path, code: errno) }
            if count == 0 { break }
            bytes += chunk[..<count]
            if bytes.count > 1 << 20 { throw Unreadable(path, reason: "is larger than 1 MiB") }
        }
        let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        if isUTF16 || bytes.contains(0) { throw Unreadable(path, reason: "is not UTF-8 text") }
        // A wrong byte becomes U+FFFD, and only its line is wrong.
        return String(decoding: bytes, as: UTF8.self)
    }
}
