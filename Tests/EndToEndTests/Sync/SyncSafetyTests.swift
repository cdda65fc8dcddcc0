import Foundation
import TestServers
import Testing

/// Promise 11 of docs/sync.md: certificates, redirects, and limits of answers.
@Suite(.waiting) struct SyncSafetyTests {
    private static let certificates = Result { try TestCertificates() }

    @Test func listIsSynchronizedWithThePrivateAuthorityOfCAFile() throws {
        let certificates = try Self.certificates.get()
        let tasks = try RemoteTasks(.radicale)
        try tasks.add("there")
        let proxy = try FaultProxy(before: tasks.server, certificate: certificates.pair(for: "IP:127.0.0.1"))
        let machine = try SyncedMachine(
            tasks, through: proxy, configuration: "CAFile=\(certificates.authority)\n")
        #expect(machine.url.hasPrefix("https://"))
        try machine.addItem("here")
        try machine.synchronize()
        #expect(try tasks.names() == ["here", "there"])
        try machine.expectAgreement()
    }

    enum Certificate: String, CaseIterable {
        case ofUnknownAuthority, ofAnotherHost, expired
    }

    @Test(arguments: Certificate.allCases)
    func wrongCertificateIsRefusedBeforeThePasswordIsSent(certificate: Certificate) throws {
        let certificates = try Self.certificates.get()
        let tasks = try RemoteTasks(.radicale)
        let pair = try certificates.pair(
            for: certificate == .ofAnotherHost ? "DNS:example.org" : "IP:127.0.0.1",
            isExpired: certificate == .expired)
        let proxy = try FaultProxy(before: tasks.server, certificate: pair)
        let trusted = certificate == .ofUnknownAuthority ? "" : "CAFile=\(certificates.authority)\n"
        let machine = try SyncedMachine(tasks, through: proxy, configuration: trusted, isAdded: false)
        let result = try machine.tryToAdd()
        #expect(result.status == 1 && result.errors.contains("certificate"), "\(result)")
        #expect(try proxy.requests().isEmpty)
    }

    @Test(arguments: [301, 302, 307, 308])
    func redirectToAnotherServerIsNotFollowed(status: Int) throws {
        let tasks = try RemoteTasks(.radicale)
        let (proxy, other) = (try FaultProxy(before: tasks.server), try FaultProxy(before: tasks.server))
        let machine = try SyncedMachine(tasks, through: proxy)
        try proxy.add(.reply(status, headers: ["Location": "\(other.url)ann/"], times: 1_000))
        let problem = try machine.problem()
        #expect(problem.contains("names another server"), "\(problem)")
        #expect(try other.requests().isEmpty)
        let another = try SyncedMachine(tasks, through: proxy, isAdded: false)
        let result = try another.tryToAdd()
        #expect(result.status == 1 && result.errors.contains("names another server"), "\(result)")
        #expect(try other.requests().isEmpty)
    }

    @Test func redirectOnTheSameServerIsFollowed() throws {
        let tasks = try RemoteTasks(.radicale)
        try tasks.add("there")
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try SyncedMachine(tasks, through: proxy, isAdded: false)
        // /.well-known/caldav of Radicale leads to the root.
        #expect(try machine.tryToAdd(proxy.url).status == 0)
        try machine.synchronize()
        #expect(try machine.names() == ["there"])
    }

    enum Answer: String, CaseIterable {
        case huge, deep, entities, notXML

        var body: String {
            let start = "<?xml version=\"1.0\"?>"
            switch self {
            case .huge:
                return start + "<multistatus xmlns=\"DAV:\">" + String(repeating: " ", count: 34 << 20)
            case .deep: return start + String(repeating: "<a>", count: 200_000)
            case .entities:
                return "<!DOCTYPE a [<!ENTITY b \"\(String(repeating: "x", count: 1_000))\">]>"
                    + "<multistatus xmlns=\"DAV:\">\(String(repeating: "&b;", count: 10_000))</multistatus>"
            case .notXML: return "\u{1}\u{2} not XML"
            }
        }
    }

    @Test(arguments: Answer.allCases, ["PROPFIND", "REPORT"])
    func hostileAnswerLosesNothing(answer: Answer, method: String) throws {
        let tasks = try RemoteTasks(.radicale)
        for number in 0..<5 { try tasks.add("task-\(number)") }
        let proxy = try FaultProxy(before: tasks.server)
        let machine = try SyncedMachine(tasks, through: proxy)
        try tasks.add("new")
        try proxy.add(
            .reply(
                207, headers: ["Content-Type": "application/xml"], body: answer.body, method: method, times: 2
            ))
        _ = try machine.sandbox.shell("todoctl sync now")
        #expect(machine.sync.process.isRunning)
        #expect(try machine.names().count >= 5)
        try proxy.clear()
        try machine.synchronize()
        #expect(try machine.names().count == 6)
        try machine.expectAgreement()
    }

    /// The password is in no output, argument, log or store.
    @Test func passwordIsOnlyInItsFile() throws {
        let tasks = try RemoteTasks(.xandikos)
        let machine = try SyncedMachine(tasks, isAdded: false)
        let secret = "s3cr3t-\(UUID().uuidString)"
        try machine.sandbox.write("\(secret)\n", to: "password")
        try machine.add()
        try machine.synchronize()
        let shown = try machine.statusText() + machine.statusText("--json") + machine.run("export")
        #expect(
            !shown.contains(secret) && !machine.sync.errors.contains(secret)
                && !machine.todod.errors.contains(secret))
        let found = try machine.sandbox.shell("grep -rlF \(secret) ~ | sort").output.split(separator: "\n")
            .map {
                $0.dropFirst(machine.sandbox.directory.count + 1)
            }
        #expect(
            found.filter { $0 != "password" }.allSatisfy { $0.hasPrefix("state/todod/sync/") }
                && found.count == 2, "\(found)")
        let mode = try machine.sandbox.shell("stat -c %a ~/state/todod/sync/*.password").output
        #expect(mode == "600\n")
    }
}
