internal import Glibc
internal import TodoAPI

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

    /// Reads all files anew; throws `ConfigurationError`, which names every problem in any of them.
    package func load() throws -> Configuration {
        var configuration = Configuration()
        var problems: [ConfigurationProblem] = []
        for path in [mainFile] + dropIns() {
            do {
                guard let text = try Self.contents(of: path) else {
                    if isRequired {
                        problems.append(.init(path: path, line: nil, reason: "there is no such file"))
                    }
                    continue
                }
                problems += configuration.apply(ConfigurationFile(text: text, path: path), path: path)
            } catch {
                problems.append(.init(path: path, line: nil, reason: error.reason))
            }
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        return configuration
    }

    private func dropIns() -> [String] {
        guard let dropInDirectory else { return [] }
        let names = Directory.names(in: dropInDirectory).filter {
            $0.hasSuffix(".conf") && !$0.hasPrefix(".")
        }
        return names.sorted().map { "\(dropInDirectory)/\($0)" }
    }

    private struct Unreadable: Error {
        let reason: String
    }

    /// Nil when there is no such file.
    private static func contents(of path: String) throws(Unreadable) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw Unreadable(reason: "cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 { throw Unreadable(reason: "cannot be read: \(String(cString: strerror(errno)))") }
            if count == 0 { break }
            bytes += chunk[..<count]
            if bytes.count > 1 << 20 { throw Unreadable(reason: "is larger than a configuration can be") }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Unreadable(reason: "is not UTF-8 text")
        }
        return text
    }
}
