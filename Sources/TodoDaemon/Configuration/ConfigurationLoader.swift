internal import Glibc
internal import TodoAPI
internal import Varlink

/// Finds the configuration files and reads them, one over the other.
package struct ConfigurationLoader: Sendable {
    /// The main file, then those of the drop-in directory by name; files that are missing are no problem.
    private let mainFile: String
    private let isRequired: Bool
    private let dropInDirectory: String?

    /// The user's own files below that directory.
    package init(directory: String) {
        mainFile = "\(directory)/todod.conf"
        dropInDirectory = "\(directory)/todod.conf.d"
        isRequired = false
    }

    /// That file alone, which must be there.
    package init(file: String) {
        mainFile = file
        dropInDirectory = nil
        isRequired = true
    }

    /// Reads all files. A file that cannot be read is a problem of the result, as a wrong line is.
    package func load() -> LoadedConfiguration {
        var loaded = LoadedConfiguration()
        var paths = [mainFile]
        do {
            paths += try dropIns()
        } catch {
            loaded.addUnreadable(path: dropInDirectory ?? "", reason: error.reason)
        }
        for path in paths {
            do {
                if let text = try Self.contents(of: path) {
                    loaded.apply(ConfigurationFile(text: text), path: path, isDropIn: path != mainFile)
                } else if isRequired {
                    loaded.addUnreadable(path: path, reason: "there is no such file")
                }
            } catch {
                loaded.addUnreadable(path: path, reason: error.reason)
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
            guard Self.isThere(dropInDirectory) else { return [] }
            throw Unreadable("directory", code: error.code)
        }
    }

    /// Whether there is something of that name, be it a link to nothing.
    private static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// A file or directory that exists and cannot be read.
    private struct Unreadable: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }

        init(_ kind: String, code: Int32) {
            reason =
                code == ENOENT
                ? "is a link to a \(kind) that is not there"
                : "cannot be read: \(String(cString: strerror(code)))"
        }
    }

    /// Nil when there is no such file.
    private static func contents(of path: String) throws(Unreadable) -> String? {
        // To open a pipe would wait for somebody who writes to it.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 {
            let code = errno
            if !isThere(path) && (code == ENOENT || code == ENOTDIR) { return nil }
            throw Unreadable("file", code: code)
        }
        defer { close(descriptor) }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO {
            throw Unreadable("is not a file")
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 { throw Unreadable("file", code: errno) }
            if count == 0 { break }
            bytes += chunk[..<count]
            if bytes.count > 1 << 20 { throw Unreadable("is larger than a configuration can be") }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Unreadable("is not UTF-8 text")
        }
        return text
    }
}
