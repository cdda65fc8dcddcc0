internal import Foundation
internal import TestProcesses

/// An environment of Python in `build` with servers from PyPI. It is made once and kept.
enum PythonEnvironment {
    private static let packages = ["radicale==3.9.0", "xandikos==0.4.10"]

    private static let result = Result { try install() }

    /// Returns the path of its Python.
    static func python() throws -> String { try result.get() }

    private static func install() throws -> String {
        let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let directory = repository.appending(path: "build/caldav-servers")
        let mark = directory.appending(path: packages.joined(separator: "-"))
        let python = directory.appending(path: "bin/python").path
        if FileManager.default.fileExists(atPath: mark.path) { return python }
        try run("/usr/bin/python3", ["-m", "venv", "--clear", directory.path])
        try run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"] + packages)
        try Data().write(to: mark)
        return python
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        try process.runGuarded()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw TestServer.CannotStart(description: "\(program) \(arguments.joined(separator: " ")) failed")
        }
    }
}
