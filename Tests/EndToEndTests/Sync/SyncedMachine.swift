import Foundation
import TestServers
import Testing

/// A machine with the real programs, on which a category is synchronized with a list of a real server.
///
/// The category has the name of the list.
final class SyncedMachine {
    let sandbox: Sandbox
    let tasks: RemoteTasks
    private(set) var todod: RunningDaemon
    private(set) var sync: RunningDaemon
    /// The address that the machine uses for the server.
    let url: String

    /// Starts the programs, and adds the account with the list unless the test does this.
    init(
        _ tasks: RemoteTasks, through proxy: FaultProxy? = nil, now: String? = nil, zone: String? = nil,
        configuration: String = "", isAdded: Bool = true
    ) throws {
        sandbox = try Sandbox(now: now, zone: zone)
        self.tasks = tasks
        url = "\(proxy?.url ?? tasks.server.url)ann/"
        try sandbox.write("[Sync]\nInterval=1d\n\(configuration)", to: "config/todod/todod.conf")
        try sandbox.write("\(TestServer.password)\n", to: "password")
        chmod("\(sandbox.directory)/password", 0o600)
        todod = try sandbox.startDaemon()
        sync = try sandbox.startSynchronization()
        if isAdded {
            try add()
            try synchronize()
        }
    }

    /// Adds the account with the list.
    func add() throws {
        let result = try tryToAdd()
        try #require(result.status == 0, "\(result)")
    }

    /// Adds another list, which the machine uses without a proxy.
    ///
    /// - Parameter name: the name of the account, or `nil` for that of the server.
    func add(_ other: RemoteTasks, name: String? = nil) throws {
        let options = "--password-file ~/password --list \(other.name) --yes"
        let account = name.map { " --name \($0)" } ?? ""
        try run("sync add \(other.server.url)ann/ --user ann \(options)\(account)")
    }

    func tryToAdd(_ url: String? = nil, options: String = "") throws -> Sandbox.Result {
        try sandbox.shell(
            "todoctl sync add \(url ?? self.url) --user ann --password-file ~/password --list \(tasks.name) --yes \(options)"
        )
    }

    // MARK: - Commands

    /// Runs todoctl with the arguments of a line, which has to succeed.
    @discardableResult
    func run(_ line: String) throws -> String { try sandbox.run(todoctl: line) }

    /// Adds an item to the category.
    func addItem(_ words: String) throws { try run("add --literal --category \(tasks.name) \(words)") }

    /// Synchronizes, and waits until both sides agree.
    @discardableResult
    func synchronize() throws -> String { try run("sync now") }

    /// Synchronizes, and returns the problems, of which there has to be one.
    func problem() throws -> String {
        let result = try sandbox.shell("todoctl sync now")
        #expect(result.status == 1, "\(result)")
        return result.errors
    }

    typealias Fields = [String: NSObject]

    /// The items as `todoctl export` prints them, without empty texts, in the order of their names.
    func items() throws -> [Fields] {
        let text = try run("export")
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return (json?["items"] as? [Fields] ?? []).filter { $0["category"] == tasks.name as NSString }
            .map { item in item.filter { $0.value != "" as NSString } }
            .sorted { Self.name(of: $0) < Self.name(of: $1) }
    }

    func names() throws -> [String] { try items().map(Self.name) }

    private static func name(of item: Fields) -> String { item["name"] as? String ?? "" }

    /// The fields of the only item with a name.
    func item(_ name: String) throws -> Fields {
        let found = try items().filter { Self.name(of: $0) == name }
        try #require(found.count == 1, "\(name): \(found)")
        return found[0]
    }

    /// The number of the only item with a name.
    func id(_ name: String) throws -> String {
        let found = try run("list --all --where 'name == \"\(name)\"' --format '{id}'")
        return try #require(found.split(separator: "\n").first.map(String.init), "no item \(name)")
    }

    /// The text of `todoctl sync status`, which ends with 1 if there is a problem.
    func statusText(_ options: String = "") throws -> String {
        let result = try sandbox.shell("todoctl sync status \(options)")
        #expect([0, 1].contains(result.status) && result.errors == "", "\(result)")
        return result.output
    }

    /// The account as `todoctl sync status --json` prints it.
    func status() throws -> Fields {
        let json =
            try JSONSerialization.jsonObject(with: Data(try statusText("--json").utf8)) as? [String: Any]
        return try #require((json?["accounts"] as? [Fields])?.first, "\(json ?? [:])")
    }

    /// The list in the status of its account.
    func list() throws -> Fields { try #require((try status()["lists"] as? [Fields])?.first) }

    /// Checks that nothing is unsent, held back or wrong.
    func expectAgreement(_ comment: Comment? = nil) throws {
        let list = try list()
        #expect(
            list["unsent"] == 0 as NSNumber && list["problem"] == nil && list["heldDeletions"] == nil, comment
        )
        #expect(try names() == tasks.names(), comment)
    }

    // MARK: - Programs

    var processes: [Int32] { [todod.processID, sync.processID] }

    /// Waits for the end of programs that were killed, or kills them, and starts them again.
    func restart(environment: [String: String] = [:]) throws {
        sync.kill()
        todod.kill()
        todod = try sandbox.startDaemon(environment: environment)
        sync = try sandbox.startSynchronization(environment: environment)
    }
}
