internal import Platform

/// Finds the configuration files and reads them. A later file overrides an earlier one.
package struct ConfigurationLoader: Sendable {
    /// The main file, which is read before the files of the drop-in directory. A missing file is no problem.
    private let mainFile: String
    private let isRequired: Bool
    private let dropInDirectory: String?

    /// Creates a loader for the user's own files in this directory.
    package init(directory: String) {
        mainFile = "\(directory)/todod.conf"
        dropInDirectory = "\(directory)/todod.conf.d"
        isRequired = false
    }

    /// Creates a loader for this file alone, which must exist.
    package init(file: String) {
        mainFile = file
        dropInDirectory = nil
        isRequired = true
    }

    /// Reads all files into `loaded`. A file that cannot be read is a problem of the content, like a wrong line.
    package func read(into loaded: inout some ConfigurationContent) {
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
    }

    private func dropIns() throws(Unreadable) -> [String] {
        guard let dropInDirectory else { return [] }
        do {
            let names = try FileSystem.names(in: dropInDirectory).filter {
                $0.hasSuffix(".conf") && !$0.hasPrefix(".")
            }
            return names.sorted().map { "\(dropInDirectory)/\($0)" }
        } catch {
            try Unreadable.requireMissing("directory", at: dropInDirectory, error)
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

        init(_ path: String, _ error: SystemError) {
            self.init(path, reason: "cannot be read: \(error.reason)")
        }

        /// Returns if nothing of that name exists.
        ///
        /// Throws if something exists, or if a link to a missing file or a plain file is in the place of one of its
        /// directories.
        static func requireMissing(_ kind: String, at path: String, _ error: SystemError) throws(Unreadable) {
            guard error.isNotFoundOrBelowFile else { throw Unreadable(path, error) }
            let part: String
            do throws(FileSystem.Unreachable) {
                part = try FileSystem.existingPart(of: path)
            } catch {
                throw Unreadable(error.path, error.error)
            }
            let status: FileStatus
            let expected = part == path ? kind : "directory"
            do throws(SystemError) {
                status = try FileStatus(of: part)
            } catch {
                throw error.isNotFound
                    ? Unreadable(part, reason: "is a link to a \(expected) that does not exist")
                    : Unreadable(part, error)
            }
            // A user that wants no configuration may name /dev/null as its directory.
            guard expected == "file" || status.kind == .directory || status.isNullDevice else {
                throw Unreadable(part, reason: "is not a directory")
            }
        }
    }

    /// The maximum size of a file.
    private static let bytesLimit = 1 << 20

    /// Returns the text of a file, or `nil` if there is no such file. `/dev/null` has the text of an empty line.
    private static func contents(of path: String) throws(Unreadable) -> String? {
        let file: FileDescriptor
        do throws(SystemError) {
            file = try FileDescriptor(opening: path, for: .reading, .doesNotWait)
        } catch {
            try Unreadable.requireMissing("file", at: path, error)
            return nil
        }
        let status: FileStatus
        let found: [UInt8]?
        do throws(SystemError) {
            status = try file.status()
            found =
                [.file, .directory].contains(status.kind) ? try file.remainingBytes(limit: bytesLimit) : []
        } catch {
            throw Unreadable(path, error)
        }
        if status.isNullDevice { return "\n" }
        guard [.file, .directory].contains(status.kind) else {
            throw Unreadable(path, reason: "is not a file")
        }
        guard let bytes = found else { throw Unreadable(path, reason: "is larger than 1 MiB") }
        let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        if isUTF16 || bytes.contains(0) { throw Unreadable(path, reason: "is not UTF-8 text") }
        // A wrong byte becomes U+FFFD, and only its line is wrong.
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The settings of one program, which are read from the lines of its files.
package protocol ConfigurationContent {
    /// Applies the settings of one file over those of earlier files.
    mutating func apply(_ file: ConfigurationFile, path: String, isDropIn: Bool)
    /// Adds a file or directory that cannot be read.
    mutating func addUnreadable(path: String, reason: String)
    /// Adds an empty file, which an interrupted write can leave.
    mutating func addEmpty(path: String)
}
