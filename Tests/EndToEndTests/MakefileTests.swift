import Foundation
import Testing

/// The Makefile in a separate directory, with another program in place of `swift`.
@Suite struct MakefileTests {
    private static let makefile = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Makefile")

    /// Creates a tree with built programs that are older than the sources.
    private func tree(swift: String, systemctl: String = "exit 1") throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.write(try String(contentsOf: Self.makefile, encoding: .utf8), to: "tree/Makefile")
        for path in ["build/bin/todod", "build/bin/todod-sync", "build/bin/todoctl"] {
            try sandbox.write("built", to: "tree/\(path)")
        }
        try sandbox.write("", to: "tree/Package.swift")
        try sandbox.write("", to: "tree/Sources/a.swift")
        // The Makefile first asks for the version. As root it would also install the packages that Swift needs.
        let version = "test \"$2\" = --version && echo 'Swift 6.3.1' && exit"
        let programs = [("swift", "\(version)\n\(swift)"), ("systemctl", systemctl), ("apt-get", "exit 1")]
        for (name, body) in programs {
            try sandbox.write("#!/bin/sh\n\(body)\n", to: "bin/\(name)")
            #expect(chmod("\(sandbox.directory)/bin/\(name)", 0o755) == 0)
        }
        #expect(try sandbox.shell("touch -d '1 hour ago' ~/tree/build/bin/*").status == 0)
        return sandbox
    }

    private func make(_ target: String, in sandbox: Sandbox) throws -> Sandbox.Result {
        // This test does not need the packages for a build.
        try sandbox.shell("PATH=~/bin:$PATH make -C ~/tree BUILD_PACKAGES= \(target)")
    }

    /// C10: A failed build keeps the programs that were built before.
    @Test func failedBuildLeavesTheBuiltPrograms() throws {
        let sandbox = try tree(swift: "exit 1")
        #expect(try make("all", in: sandbox).status != 0)
        for name in ["todod", "todod-sync", "todoctl"] {
            #expect(FileManager.default.fileExists(atPath: "\(sandbox.directory)/tree/build/bin/\(name)"))
        }
    }

    /// C12: `make run` refuses to run beside the service before it builds anything.
    @Test func runBesideTheServiceIsRefusedBeforeBuilding() throws {
        let sandbox = try tree(swift: "touch ~/built; exit 1", systemctl: "exit 0")
        let result = try make("run", in: sandbox)
        #expect(result.status != 0)
        #expect(result.errors.contains("systemctl --user stop todod.socket todod.service"), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: "\(sandbox.directory)/built"))
        // A daemon with its own socket and store does not disturb the service.
        _ = try make("run ARGS='--socket ~/s --store ~/x.sqlite'", in: sandbox)
        #expect(FileManager.default.fileExists(atPath: "\(sandbox.directory)/built"))
    }
}
