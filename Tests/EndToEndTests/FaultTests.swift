import Foundation
import Testing
import Varlink

/// Starts, migrations, changes of the kind of store, and restorations in which a call that changes a file fails.
///
/// The program is killed at that call, or the disk is full or fails. The next start, before any other program opens
/// the store, has every item.
///
/// `make test` tries a sample of the calls. `TODOD_FAULTS=all` tries every call.
@Suite(.enabled(if: TracedProgram.isPossible, "strace cannot trace here")) struct FaultTests {
    private static let takesAll = ProcessInfo.processInfo.environment["TODOD_FAULTS"] == "all"
    private static let kinds = ["sqlite", "xml", "binary"]
    /// A sample contains every landmark, and one in this number of the other calls.
    private static let sampleStep = 80

    /// One way in which the program changes the files of its store.
    struct Route: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The kind of store in the configuration.
        let kind: String
        /// The version and kind of the fixture that is the store before.
        var fixture: (version: Int, kind: String)?
        var settings = ""
        var restores = false
        /// Whether the store's file is created or replaced under a temporary name first.
        var replacesFile: Bool { fixture?.kind != "sqlite" || kind != "sqlite" || restores }

        static let firstStarts = kinds.map { Route(testDescription: "first start of \($0)", kind: $0) }
        static let migrations = kinds.flatMap { kind in
            (1...4).map { version in
                Route(
                    testDescription: "migration of reminders-\(version).\(kind)", kind: kind,
                    fixture: (version, kind))
            } + [
                Route(
                    testDescription: "migration of reminders-1.\(kind) with a policy", kind: kind,
                    fixture: (1, kind), settings: "[Migration]\nMutePrefix=a\n")
            ]
        }
        static let changes = kinds.flatMap { old in
            kinds.filter { $0 != old }.map { new in
                Route(testDescription: "change from \(old) to \(new)", kind: new, fixture: (4, old))
            }
        }
        static let restorations = kinds.map {
            Route(testDescription: "restoration of \($0)", kind: $0, fixture: (4, $0), restores: true)
        }
        static let all = firstStarts + migrations + changes + restorations
    }

    /// The files before the program runs, and the lists of items that the next start may find.
    private final class Scene {
        let route: Route
        private let template: Sandbox
        private(set) var outcomes: [[String]] = []

        init(_ route: Route) throws {
            self.route = route
            template = try Sandbox()
            try FileManager.default.createDirectory(
                atPath: "\(template.directory)/data/todod", withIntermediateDirectories: true)
            if let fixture = route.fixture {
                try FileManager.default.copyItem(
                    atPath: "Tests/Fixtures/reminders-\(fixture.version).\(fixture.kind)",
                    toPath: "\(template.directory)/data/todod/todo.\(fixture.kind)")
            }
            if route.restores { try prepareRestoration() }
            let undisturbed = try sandbox()
            _ = try undisturbed.run("todod", arguments(undisturbed))
            outcomes.append(try FaultTests.items(undisturbed))
        }

        /// Adds an item that the copy does not have, and kills the daemon, so that the item is only in the log.
        private func prepareRestoration() throws {
            try template.write("[Store]\nType=\(route.kind)\n", to: "config/todod/todod.conf")
            let daemon = try template.startDaemon()
            try template.addItems(["copied"])
            #expect(try template.call("Backup", #"{"path":"\#(template.directory)/copy"}"#).error == nil)
            try template.addItems(["not copied"])
            outcomes.append(try FaultTests.items(ofDaemonIn: template))
            daemon.kill()
        }

        /// Returns a sandbox with these files.
        func sandbox() throws -> Sandbox {
            let sandbox = try Sandbox()
            for name in ["data", "copy"]
            where FileManager.default.fileExists(atPath: "\(template.directory)/\(name)") {
                try FileManager.default.copyItem(
                    atPath: "\(template.directory)/\(name)", toPath: "\(sandbox.directory)/\(name)")
            }
            try sandbox.write(
                "[Store]\nType=\(route.kind)\n\(route.settings)", to: "config/todod/todod.conf")
            return sandbox
        }

        /// A start ends after the store is open, because the socket path is too long.
        private func arguments(_ sandbox: Sandbox) -> [String] {
            route.restores
                ? ["--restore", "\(sandbox.directory)/copy"]
                : ["--socket", "\(sandbox.directory)/" + String(repeating: "s", count: 108)]
        }

        func program(_ sandbox: Sandbox) -> TracedProgram {
            TracedProgram(sandbox: sandbox, arguments: arguments(sandbox))
        }

        func points() throws -> [TracedProgram.Point] {
            let sandbox = try sandbox()
            return try program(sandbox).points(in: "\(sandbox.directory)/data/todod")
        }
    }

    /// Starts the daemon and returns a description of its items.
    private static func items(_ sandbox: Sandbox) throws -> [String] {
        let daemon = try sandbox.startDaemon()
        defer { _ = daemon.stop() }
        return try items(ofDaemonIn: sandbox)
    }

    private static func items(ofDaemonIn sandbox: Sandbox) throws -> [String] {
        try sandbox.call("ListItems", #"{"state":"all","order":["id"]}"#).items.map { item in
            ["name", "category", "muted", "completed", "due"].map { "\($0) \(item[$0] ?? .null)" }.joined(
                separator: ", ")
        }
    }

    private func requireNextStart(_ sandbox: Sandbox, _ scene: Scene, _ comment: Comment) throws {
        // This checks a copy, because no program may open the store itself before the next start.
        let copies = "\(sandbox.directory)/copies"
        try FileManager.default.copyItem(atPath: "\(sandbox.directory)/data/todod", toPath: copies)
        let check = try sandbox.run("todod", ["--check", "--store", "\(copies)/todo.\(scene.route.kind)"])
        #expect(check.status == 0, "\(comment): \(check)")
        let items = try Self.items(sandbox)
        #expect(scene.outcomes.contains(items), "\(comment): \(items.map { $0.prefix(40) })")
        let after = try sandbox.run("todod", ["--check"])
        #expect(after.output.hasSuffix("sound, and of the current model\n"), "\(comment): \(after)")
        let litter = ["migrating", ".partial", ".new", "-journal", "restoring", "restored"]
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(sandbox.directory)/data/todod")
        #expect(files.filter { file in litter.contains { file.contains($0) } } == [], comment)
        // The log of a removed database would prevent the creation of a new one.
        #expect(files.contains("todo.sqlite") || !files.contains("todo.sqlite-wal"), comment)
    }

    /// Returns all points, or the landmarks and a sample of the others.
    private func sample(
        _ points: [TracedProgram.Point], _ isLandmark: (TracedProgram.Point) -> Bool
    ) -> [TracedProgram.Point] {
        if Self.takesAll { return points }
        return points.enumerated().filter { position, point in
            isLandmark(point) || position % Self.sampleStep == Self.sampleStep / 2
        }.map(\.element)
    }

    /// R1, R2: The next start has every item after a kill at any step.
    @Test(arguments: Route.all) func nextStartAfterKillHasEverything(_ route: Route) throws {
        let scene = try Scene(route)
        let points = try scene.points()
        #expect(points.contains { $0.call.hasPrefix("rename") })
        let chosen = sample(points.filter { $0.call != "openat" }) {
            $0.endsJournal || $0.call.hasPrefix("rename")
        }
        for point in chosen {
            let sandbox = try scene.sandbox()
            let result = try scene.program(sandbox).run(.kill, at: point)
            #expect(result.status == SIGKILL, "\(point): \(result)")
            try requireNextStart(sandbox, scene, "\(route.testDescription), killed before \(point)")
        }
        print("\(route.testDescription): killed before \(chosen.count) of \(points.count) calls")
    }

    /// R8: A file is complete on disk before it gets the name of the store, and the old file's journal and log are
    /// removed from the disk before. Then the directory is synced.
    @Test(arguments: Route.all) func namesReachDiskInOrder(_ route: Route) throws {
        let points = try Scene(route).points()
        let renames = points.enumerated().filter {
            $0.element.names.last?.hasSuffix("/todo.\(route.kind)") ?? false
        }
        .filter { $0.element.call.hasPrefix("rename") }
        #expect(!renames.isEmpty || !route.replacesFile)
        for (position, rename) in renames {
            let names = rename.names
            let old = try #require(names.first)
            let new = try #require(names.last)
            let before = points[..<position]
            // The file may have been renamed before.
            let earlier = before.filter { $0.call.hasPrefix("rename") && $0.names.last == old }
            let own = [old] + earlier.compactMap(\.names.first)
            func isOfFile(_ point: TracedProgram.Point) -> Bool {
                own.contains { point.arguments.contains("<\($0)>") }
            }
            let write = before.lastIndex { $0.isWrite && isOfFile($0) } ?? 0
            #expect(
                before[write...].contains { $0.isSync && isOfFile($0) },
                "\(rename) before the file is on disk")
            let removal = before.lastIndex { point in
                point.call == "unlink" && ["-wal", "-journal"].contains { point.names == [new + $0] }
            }
            if let removal {
                #expect(
                    before[removal...].contains(where: isOfDirectory),
                    "\(rename) before the removal is on disk")
            }
            #expect(points[position...].contains(where: isOfDirectory), "\(rename) is not on disk")
        }
    }

    private func isOfDirectory(_ point: TracedProgram.Point) -> Bool {
        point.isSync && point.arguments.contains("/data/todod>")
    }

    /// R1, R2: The next start has every item after a full or failing disk at any step.
    @Test(arguments: Route.all) func nextStartAfterFailureHasEverything(_ route: Route) throws {
        let scene = try Scene(route)
        let points = try scene.points()
        let chosen = sample(points) { $0.call.hasPrefix("rename") }
        for point in chosen {
            // In a sample, each call fails in one way, which its number selects.
            let faults = Self.takesAll ? point.faults : [point.faults[point.number % point.faults.count]]
            for fault in faults {
                let sandbox = try scene.sandbox()
                let result = try scene.program(sandbox).run(fault, at: point)
                #expect(result.status == 0 || result.status == 1, "\(point), \(fault): \(result)")
                try requireNextStart(
                    sandbox, scene, "\(route.testDescription), \(fault) at \(point)")
            }
        }
        print("\(route.testDescription): \(chosen.count) of \(points.count) calls failed")
    }
}
