import CalDAV
import CivilTime
import ConfigurationFiles
import Dispatch
import Foundation
import Platform
import TestProcesses
import TodoAPI
import Varlink
import VarlinkServer

@testable import TodoSync

/// The accounts and the socket of `todod-sync` in this process, with a fake server and a fake todod.
///
/// `@unchecked Sendable`: the fakes are used while `lock` is held, the rest is confined as in the program.
final class ServiceFixture: @unchecked Sendable {
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    private let lock = NSRecursiveLock()
    private let server = FakeServer()
    private let todod = FakeTodod()
    private var passwords: [String?] = []
    private let queue = DispatchQueue(label: "test.sync")
    private let directory = "\(TestRun.directoryPrefix)sync-\(UUID().uuidString.prefix(8))"
    private let accounts: AccountSet
    private let listening: Server
    private let address: UnixAddress

    init(_ names: String..., hasAccount: Bool = true, interval: TimeSpan = .minutes(5)) throws {
        for name in names { server.lists[name] = FakeServer.List() }
        todod.hasAccount = hasAccount
        if hasAccount { todod.add(names) }
        let bridge = Bridge()
        let context = SyncContext(
            queue: queue, log: SyncLog(to: { _ in true }),
            passwords: Passwords(directory: "\(directory)/secrets", busAddress: "unix:path=/nonexistent/bus"),
            connector: bridge, todod: { bridge.todod() }, hasNetwork: { true })
        var settings = SyncSettings()
        settings.interval = interval
        settings.passwordCommand = "echo configured"
        todod.account.passwordSource = ""
        let accounts = AccountSet(context, settings)
        self.accounts = accounts
        let router = SyncRouter(context, accounts, settings)
        guard let address = UnixAddress(path: "\(directory)/socket") else {
            throw Failed(description: "the path is too long")
        }
        self.address = address
        try FileSystem.makeDirectory(of: address.path)
        let listener = try UnixListener(at: address)
        listening = Server(
            listener: listener, queue: queue, brokenMessageError: APIError.invalidMessage(reason: "").name
        ) { router.handle($0) }
        bridge.fixture = self
        let listening = listening
        try queue.sync { try listening.start() }
    }

    deinit {
        let listening = listening
        queue.sync { listening.stop() }
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Uses the fakes while nothing else does.
    func with<Result>(_ body: (FakeServer, FakeTodod) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(server, todod)
    }

    /// The passwords with which clients of the server were made.
    var usedPasswords: [String?] {
        lock.lock()
        defer { lock.unlock() }
        return passwords
    }

    /// Reports a local change, as the watch does.
    func itemsDidChange() { queue.sync { accounts.itemsDidChange() } }

    func networkDidChange() { queue.sync { accounts.networkDidChange() } }

    /// Calls a method over the socket, and returns all replies.
    func call<M: Method>(
        _ method: M.Type, more: Bool = false, _ set: (inout M.Parameters) -> Void = { _ in }
    ) throws -> [M.Reply] {
        var parameters = M.Parameters()
        set(&parameters)
        let connection = try ClientConnection(to: address)
        try connection.send(
            MethodCall.bytes(M.qualifiedName, wantsMore: more) { FieldWriter.write(parameters, to: &$0) })
        var replies: [M.Reply] = []
        while true {
            let reply = try connection.nextReply()
            if let name = reply.error { throw APIError(name: name, parameters: reply.parameters) }
            replies.append(try FieldReader.read(M.Reply.self, from: reply.parameters))
            if !reply.continues { return replies }
        }
    }

    /// Waits until `isTrue` returns true.
    func wait(until isTrue: (FakeServer, FakeTodod) -> Bool) throws {
        let end = ContinuousClock.now + .seconds(20)
        while !with(isTrue) {
            guard ContinuousClock.now < end else { throw Failed(description: "it did not become true") }
            SystemClock.pause(milliseconds: 5)
        }
    }

    // MARK: - The fakes on other queues

    private final class Bridge: ServerConnector, @unchecked Sendable {
        weak var fixture: ServiceFixture?

        func server(user: String?, password: String?, caFile: String?) -> any TaskServer {
            guard let fixture else { return FakeServer() }
            fixture.with { _, _ in fixture.passwords.append(password) }
            return LockedServer(fixture: fixture)
        }

        func todod() -> any TodoCalls { fixture.map(LockedTodod.init) ?? FakeTodod() as any TodoCalls }
    }

    private final class LockedTodod: TodoCalls {
        let fixture: ServiceFixture

        init(fixture: ServiceFixture) { self.fixture = fixture }

        func call<M: Method>(_ method: M.Type, _ parameters: M.Parameters) throws -> M.Reply {
            try fixture.with { _, todod in try todod.call(method, parameters) }
        }
    }

    private struct LockedServer: TaskServer {
        let fixture: ServiceFixture

        private func use<Result>(_ body: (FakeServer) throws(CalDAVError) -> Result) throws(CalDAVError)
            -> Result
        {
            fixture.lock.lock()
            defer { fixture.lock.unlock() }
            return try body(fixture.server)
        }

        func discover(_ typed: String) throws(CalDAVError) -> Discovery {
            try use { (server) throws(CalDAVError) in try server.discover(typed) }
        }

        func state(of list: DAVURL) throws(CalDAVError) -> ListState {
            try use { (server) throws(CalDAVError) in try server.state(of: list) }
        }

        func changes(in list: DAVURL, since token: String?) throws(CalDAVError) -> ChangePage {
            try use { (server) throws(CalDAVError) in try server.changes(in: list, since: token) }
        }

        func entries(in list: DAVURL) throws(CalDAVError) -> [RemoteItem] {
            try use { (server) throws(CalDAVError) in try server.entries(in: list) }
        }

        func texts(_ hrefs: [DAVURL], in list: DAVURL) throws(CalDAVError) -> Texts {
            try use { (server) throws(CalDAVError) in try server.texts(hrefs, in: list) }
        }

        func text(at item: DAVURL) throws(CalDAVError) -> RemoteItem? {
            try use { (server) throws(CalDAVError) in try server.text(at: item) }
        }

        func put(_ text: String, at item: DAVURL, ifMatch etag: String?) throws(CalDAVError) -> String? {
            try use { (server) throws(CalDAVError) in try server.put(text, at: item, ifMatch: etag) }
        }

        func delete(_ item: DAVURL, ifMatch etag: String) throws(CalDAVError) -> Bool {
            try use { (server) throws(CalDAVError) in try server.delete(item, ifMatch: etag) }
        }
    }
}
