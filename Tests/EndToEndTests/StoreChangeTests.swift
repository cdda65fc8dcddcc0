import Foundation
import Testing

/// Changes of `Type=` that are killed after the new store exists and before the old one is renamed.
@Suite(.enabled(if: TracedProgram.isPossible, "strace cannot trace here")) struct StoreChangeTests {
    private static let kinds = ["sqlite", "xml", "binary"]

    /// The start after the kill.
    enum NextStart: CaseIterable {
        /// The new kind again, and the old file cannot be renamed.
        case newKindAgain
        /// The path of the new file as an option.
        case pathOfNewFile
        /// The path of the old file as an option.
        case pathOfOldFile
        /// A wrong line in the configuration, so that the recorded store is opened.
        case wrongLine
    }

    /// A change from one kind to another, and the next start.
    struct Route: Sendable, CustomTestStringConvertible {
        let old: String
        let new: String
        let start: NextStart
        var testDescription: String { "\(old) to \(new), then \(start)" }

        static let all = kinds.flatMap { old in
            kinds.filter { $0 != old }.flatMap { new in
                NextStart.allCases.map { Route(old: old, new: new, start: $0) }
            }
        }
    }

    private let sandbox: Sandbox
    private var directory: String { "\(sandbox.directory)/data/todod" }

    init() throws { sandbox = try Sandbox() }

    private func use(_ kind: String) throws {
        try sandbox.write("[Store]\nType=\(kind)\n", to: "config/todod/todod.conf")
    }

    private func path(_ kind: String) -> String { "\(directory)/todo.\(kind)" }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).filter { !$0.hasSuffix(".lock") }
            .sorted()
    }

    private func names() throws -> [String] {
        try sandbox.call("ListItems", #"{"order":["id"]}"#).names
    }

    /// Kills a change of kind, so that there is a store of each kind.
    private func killChange(from old: String, to new: String) throws {
        try use(old)
        let daemon = try sandbox.startDaemon()
        try sandbox.addItems(["before"])
        #expect(daemon.stop() == 0)
        try use(new)
        let program = TracedProgram(
            sandbox: sandbox,
            arguments: ["--socket", "\(sandbox.directory)/" + String(repeating: "s", count: 108)])
        let result = try program.run(.kill, at: .init(call: "renameat2", number: 2, arguments: ""))
        #expect(result.status == SIGKILL)
        #expect(try Set(files()).isSuperset(of: ["todo.\(old)", "todo.\(new)"]))
    }

    private func start(_ route: Route) throws -> RunningDaemon {
        switch route.start {
        case .newKindAgain:
            return try sandbox.startDaemon(traced: [
                "-e", "trace=renameat2", "-e", "inject=renameat2:error=EIO",
            ])
        case .pathOfNewFile: return try sandbox.startDaemon("--store", path(route.new))
        case .pathOfOldFile:
            try use(route.old)
            return try sandbox.startDaemon("--store", path(route.old))
        case .wrongLine:
            try sandbox.write("[Store]\nTyp=\(route.new)\n", to: "config/todod/todod.conf")
            return try sandbox.startDaemon()
        }
    }

    /// R2: Whichever of the two files is opened after the kill, a later start with either kind has the added items.
    @Test(arguments: Route.all) func olderStoreIsNeverPreferred(_ route: Route) throws {
        try killChange(from: route.old, to: route.new)
        let daemon = try start(route)
        try sandbox.addItems(["after"])
        #expect(daemon.stop() == 0)
        for kind in [route.old, route.new] {
            try use(kind)
            let next = try sandbox.startDaemon()
            #expect(try names() == ["before", "after"], "Type=\(kind)")
            #expect(next.stop() == 0)
            let current = try files().filter { !$0.contains(".old") }
            // A stopped daemon can leave the log of its store.
            #expect(current.allSatisfy { $0.hasPrefix("todo.\(kind)") }, "\(current)")
        }
    }

    /// R2: If the daemon is killed between the change and its record, the next start finds the items despite a wrong
    /// line.
    @Test(arguments: [("sqlite", "xml"), ("xml", "binary"), ("binary", "sqlite")])
    func itemsAreFoundAfterAnUnrecordedChangeDespiteAWrongLine(old: String, new: String) throws {
        try use(old)
        let daemon = try sandbox.startDaemon()
        try sandbox.addItems(["before"])
        #expect(daemon.stop() == 0)
        try use(new)
        let configuration = "\(sandbox.directory)/config/todod"
        let record =
            "\(sandbox.directory)/state/todod/stores/\(configuration.replacing("/", with: "%2F")).json"
        let killed = try sandbox.run(
            TracedProgram.strace,
            [
                "-D", "-f", "-qq", "-o", "/dev/null", "-P", record + ".new", "-e", "trace=openat",
                "-e", "inject=openat:signal=SIGKILL", "\(Sandbox.products)/todod",
            ])
        #expect(killed.status == SIGKILL)
        #expect(try String(contentsOfFile: record, encoding: .utf8).contains("todo.\(old)"))
        #expect(!FileManager.default.fileExists(atPath: path(old)))
        let texts = ["[Store]\nType=\(new)\n[Alert]\nQuietTime=3\n", "[Store]\nTyp=\(new)\n", ""]
        for (index, text) in texts.enumerated() {
            try sandbox.write(text, to: "config/todod/todod.conf")
            let daemon = try sandbox.startDaemon()
            #expect(try names().count == index + 1)
            try sandbox.addItems(["after \(index)"])
            #expect(daemon.stop() == 0)
            #expect(!FileManager.default.fileExists(atPath: path(old)))
        }
        try use(new)
        _ = try sandbox.startDaemon()
        #expect(try names() == ["before", "after 0", "after 1", "after 2"])
    }

    /// R2: A third kind takes the items from the newer of the two files.
    @Test func thirdKindTakesNewerStore() throws {
        try killChange(from: "sqlite", to: "xml")
        let daemon = try sandbox.startDaemon("--store", path("xml"))
        try sandbox.addItems(["after"])
        #expect(daemon.stop() == 0)
        try use("binary")
        _ = try sandbox.startDaemon()
        #expect(try names() == ["before", "after"])
        #expect(try files().filter { !$0.contains(".old") } == ["todo.binary"])
    }

    /// R2: A newer store that cannot be read is not replaced by the older one.
    @Test func damagedNewerStoreIsAnError() throws {
        try killChange(from: "sqlite", to: "xml")
        try Data("damaged".utf8).write(to: URL(filePath: path("xml")))
        try use("sqlite")
        let result = try sandbox.run("todod", [])
        #expect(result.status != 0 && result.errors.contains("todo.xml"), "\(result)")
        #expect(try files().filter { $0.hasSuffix(".old") } == [])
    }

    /// Two stores that were created independently are not changed.
    @Test func unrelatedStoreIsNotUsed() throws {
        try use("xml")
        #expect(try sandbox.startDaemon().stop() == 0)
        try sandbox.write(
            "[Store]\nType=sqlite\nPath=\(path("sqlite"))\n", to: "config/todod/todod.conf")
        #expect(try sandbox.startDaemon().stop() == 0)
        try use("sqlite")
        let daemon = try sandbox.startDaemon()
        #expect(daemon.stop() == 0)
        #expect(daemon.errors.contains("todo.xml in \(directory) is not used: [Store] Type= is sqlite"))
        #expect(try files() == ["todo.sqlite", "todo.xml"])
    }

    /// An old file that the user restores is the current store again.
    @Test func restoredOldFileBecomesCurrent() throws {
        try use("sqlite")
        var daemon = try sandbox.startDaemon()
        try sandbox.addItems(["before"])
        #expect(daemon.stop() == 0)
        try use("xml")
        daemon = try sandbox.startDaemon()
        try sandbox.addItems(["after"])
        #expect(daemon.stop() == 0)
        try use("sqlite")
        let check = try sandbox.run("todod", ["--check"])
        #expect(
            check.output
                == "\(path("xml")): sound, and of the current model\nThe daemon will move the items to \(sandbox.store).\n"
        )
        let result = try sandbox.run("todod", ["--restore", sandbox.store + ".old"])
        #expect(
            result.output
                == "\(sandbox.store): restored from \(sandbox.store).old\n\(path("xml")) is kept as \(path("xml")).old.\n"
        )
        _ = try sandbox.startDaemon()
        #expect(try names() == ["before"])
    }
}
