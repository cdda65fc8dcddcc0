import CalDAV
import CivilTime
import TodoAPI

@testable import TodoSync

/// A fake server and a fake todod with the same lists, and passes between them.
final class PassFixture {
    let server: FakeServer
    let todod: FakeTodod
    private(set) var memory = AccountMemory()
    var now = Timestamp(secondsSince1970: 1_800_000_000)
    private(set) var reports: [String] = []

    init(_ names: String...) {
        server = FakeServer()
        todod = FakeTodod()
        for name in names { server.lists[name] = FakeServer.List() }
        todod.add(names)
    }

    /// Returns a fixture with a server like SOGo that agrees about one item, the name of its list, and the path of the item.
    static func ofSOGo() -> (fixture: PassFixture, list: String, path: String) {
        let fixture = PassFixture("/SOGo/dav/")
        let path = "/SOGo/dav/1.ics"
        fixture.server.isLikeSOGo = true
        fixture.server.write(path, "u1 text")
        fixture.run()
        return (fixture, "SOGo/dav", path)
    }

    /// Forgets what todod-sync does not store, as at its start.
    func forgetMemory() { memory = AccountMemory() }

    /// Runs a pass, and forgets the requests and calls before it.
    @discardableResult
    func run(sendsFirst: Bool = false, retriesRefused: Bool = false) -> PassResult {
        _ = server.takeRequests()
        _ = todod.takeCalls()
        return AccountPass(
            of: todod.present, todod: todod, server: server, memory: memory, log: SyncLog(to: { _ in true }),
            now: { self.now }, report: { self.reports.append("\($0.list) \($0.received) \($0.sent)") }
        ).run(sendsFirst: sendsFirst, retriesRefused: retriesRefused)
    }

    /// The version of an item on the server.
    func etag(_ path: String) -> String? { server.lists["/a/"]?.items[path]?.etag }

    /// The requests of the last pass.
    func requests() -> [String] { server.takeRequests() }

    /// The calls of the last pass.
    func calls() -> [String] { todod.takeCalls() }
}
