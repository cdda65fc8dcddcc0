import Dispatch
import Foundation
import Synchronization
import TestProcesses
import Testing
import TodoAPI
import Varlink
import VarlinkServer

/// Servers in the place of todod and todod-sync, and the directory in which todoctl runs.
final class FakeServices {
    /// The data from which the servers answer, and the calls that they got.
    struct State {
        var accounts: [SyncAccountSummary] = []
        var categories: [CategorySummary] = []
        var conflicts: [SyncConflict] = []
        var items: [Item] = []
        var found: [FoundSyncList] = []
        var states: [SyncAccountState] = []
        /// The replies to `SyncNow`, the last of which ends the call.
        var progress: [SyncNow.Reply] = [.init()]
        /// The error of `FindLists`.
        var problem: String?
        /// Whether todod is a version without synchronization.
        var isOld = false
        /// The time after which `FindLists` answers.
        var delayMilliseconds = 0
        /// The calls that change something, as JSON.
        var calls: [String] = []
    }

    struct Result {
        let status: Int32
        let output: String
        let errors: String
    }

    let directory: String
    private let queue = DispatchQueue(label: "fake services")
    private let servers: [Server]
    private let state: StateBox

    /// The state and its lock.
    private final class StateBox: Sendable {
        let value = Mutex(State())
    }

    /// - Parameter hasSync: whether todod-sync runs.
    init(hasSync: Bool = true) throws {
        let directory = "\(TestRun.directoryPrefix)\(UUID().uuidString.prefix(8))"
        self.directory = directory
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let state = StateBox()
        self.state = state
        let queue = queue
        servers = try (hasSync ? ["todod", "todod-sync"] : ["todod"]).map { name in
            let address = try #require(UnixAddress(path: "\(directory)/\(name)"))
            return Server(
                listener: try UnixListener(at: address), queue: queue,
                brokenMessageError: "\(TodoInterface.name).InvalidMessage",
                handle: { responder in Self.answer(responder, state, queue) })
        }
        for server in servers { try queue.sync { try server.start() } }
    }

    deinit {
        queue.sync { for server in servers { server.stop() } }
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Changes the data.
    func set(_ change: (inout State) -> Void) { state.value.withLock { change(&$0) } }

    /// The calls that change something, such as `RemoveAccount {"name":"x"}`.
    var calls: [String] { state.value.withLock { $0.calls } }

    // MARK: - Answers

    private static func answer(_ responder: Responder, _ box: StateBox, _ queue: DispatchQueue) {
        let call = responder.call
        let method = String(call.method.split(separator: ".").last ?? "")
        let state = box.value.withLock { state in
            if ![
                "ListSyncAccounts", "ListCategories", "ListSyncConflicts", "GetItem", "GetSyncState",
                "GetInfo", "Status", "TakeWarnings",
            ].contains(method) {
                state.calls.append("\(method) \(JSON.object(call.parameters).text)")
            }
            return state
        }
        switch method {
        case "ListSyncAccounts" where state.isOld: fail(responder, .methodNotFound(call.method))
        case "ListSyncAccounts": reply(responder, ListSyncAccounts.self) { $0.accounts = state.accounts }
        case "Status": reply(responder, Status.self) { if state.isOld { $0.version = "0.0" } }
        case "ListCategories": reply(responder, ListCategories.self) { $0.categories = state.categories }
        case "ListSyncConflicts": reply(responder, ListSyncConflicts.self) { $0.conflicts = state.conflicts }
        case "GetSyncState": reply(responder, GetSyncState.self) { $0.accounts = state.states }
        case "GetItem":
            guard let item = state.items.first(where: { call.parameters["id"] == .integer($0.id) }) else {
                return fail(responder, .itemNotFound(ids: [1]))
            }
            reply(responder, GetItem.self) { $0.item = item }
        case "UpdateSyncList":
            reply(responder, UpdateSyncList.self) { $0.list = state.accounts[0].lists[0] }
        case "ResolveSyncConflict":
            guard state.conflicts.contains(where: { call.parameters["id"] == .integer($0.id) }) else {
                return fail(responder, .syncConflictNotFound(id: 9))
            }
            let isRestored = call.parameters["restore"] == .boolean(true)
            reply(responder, ResolveSyncConflict.self) { $0.item = isRestored ? state.items.first : nil }
        case "FindLists":
            let work = DispatchWorkItem {
                if let problem = state.problem { return fail(responder, .serverProblem(reason: problem)) }
                reply(responder, FindLists.self) { reply in
                    reply.url = "https://dav.example.org/ann/"
                    reply.lists = state.found
                }
            }
            queue.asyncAfter(deadline: .now() + .milliseconds(state.delayMilliseconds), execute: work)
        case "AddAccount": reply(responder, AddAccount.self) { $0.account.name = "dav.example.org" }
        case "RemoveAccount": reply(responder, RemoveAccount.self) { _ in }
        case "SyncNow":
            let replies = call.wantsMore ? state.progress[...] : state.progress.suffix(1)
            for (index, body) in replies.enumerated() {
                responder.reply(continues: index < replies.count - 1) { FieldWriter.write(body, to: &$0) }
            }
        default: fail(responder, .methodNotFound(call.method))
        }
    }

    private static func reply<M: Method>(
        _ responder: Responder, _ method: M.Type, _ fill: (inout M.Reply) -> Void
    ) {
        var reply = M.Reply()
        fill(&reply)
        responder.reply { FieldWriter.write(reply, to: &$0) }
    }

    private static func fail(_ responder: Responder, _ error: APIError) {
        responder.fail(error.name) { FieldWriter.write(error.body, to: &$0) }
    }

    // MARK: - todoctl

    private static let program: String = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return "\((own as NSString).deletingLastPathComponent)/todoctl"
    }()

    private var environment: [String: String] {
        [
            "HOME": directory, "PATH": "/usr/bin:/bin", "TODOD_SOCKET": "\(directory)/todod",
            "TODOD_SYNC_SOCKET": "\(directory)/todod-sync", "XDG_RUNTIME_DIR": directory, "TZ": "UTC",
        ]
    }

    /// Runs todoctl with words that are separated by spaces, without a terminal.
    func todoctl(_ line: String) throws -> Result {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "cd; '\(Self.program)' \(line)"]
        process.environment = environment
        let output = "\(directory)/output"
        for name in [output, "\(output)-errors"] { try Data().write(to: URL(filePath: name)) }
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: "\(output)-errors")
        process.standardInput = FileHandle.nullDevice
        try process.runGuarded()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: try String(contentsOfFile: output, encoding: .utf8),
            errors: try String(contentsOfFile: "\(output)-errors", encoding: .utf8))
    }

    /// Starts todoctl on a terminal, so that Ctrl-C interrupts it. The test process may block or ignore signals, and the
    /// program would inherit that.
    func start(_ arguments: [String], on terminal: PseudoTerminal) throws -> Process {
        let open = """
            import os, signal, sys
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execv(sys.argv[1], sys.argv[1:])
            """
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/setsid")
        process.arguments =
            ["--ctty", "--wait", "/usr/bin/python3", "-c", open, Self.program] + arguments
        process.environment = environment.merging(["TERM": "xterm"]) { $1 }
        process.standardInput = terminal.end
        process.standardOutput = terminal.end
        process.standardError = terminal.end
        try process.runGuarded()
        return process
    }

    func write(_ text: String, to name: String, permissions: Int = 0o600) throws {
        try text.write(toFile: "\(directory)/\(name)", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes(
            [.posixPermissions: permissions], ofItemAtPath: "\(directory)/\(name)")
    }
}
