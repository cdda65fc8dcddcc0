import Foundation
import Testing

/// The Makefile in a directory of its own, with a program in the place of `swift`.
@Suite struct MakefileTests {
    private static let makefile = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Makefile")

    /// A tree whose programs are built and older than the sources.
    private func tree(swift: String, systemctl: String = "exit 1") throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.write(try String(contentsOf: Self.makefile, encoding: .utf8), to: "tree/Makefile")
        for path in ["build/bin/todod", "build/bin/todoctl"] {
            try sandbox.write("built", to: "tree/\(path)")
        }
        try sandbox.write("", to: "tree/Package.swift")
        try sandbox.write("", to: "tree/Sources/a.swift")
        // The Makefile asks for the version first, and as root it would install what Swift needs.
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
        // The packages that building needs are no matter of this test.
        try sandbox.shell("PATH=~/bin:$PATH make -C ~/tree BUILD_PACKAGES= \(target)")
    }

    /// C10: A build that fails leaves the programs that were built before.
    @Test func failedBuildLeavesTheBuiltPrograms() throws {
        let sandbox = try tree(swift: "exit 1")
        #expect(try make("all", in: sandbox).status != 0)
        for name in ["todod", "todoctl"] {
            #expect(FileManager.default.fileExists(atPath: "\(sandbox.directory)/tree/build/bin/\(name)"))
        }
    }

    /// C12: `make run` beside a running service says so before it builds anything.
    @Test func runBesideTheServiceSaysSoBeforeBuilding() throws {
        let sandbox = try tree(swift: "touch ~/built; exit 1", systemctl: "exit 0")
        let result = try make("run", in: sandbox)
        #expect(result.status != 0)
        #expect(result.errors.contains("systemctl --user stop todod.socket todod.service"), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: "\(sandbox.directory)/built"))
        // A daemon with a socket and a store of its own is no trouble for the service.
        _ = try make("run ARGS='--socket ~/s --store ~/x.sqlite'", in: sandbox)
        #expect(FileManager.default.fileExists(atPath: "\(sandbox.directory)/built"))
    }
}
