import CivilTime
import TodoAPI

@testable import TodoSync

/// The sync methods of todod in memory. It belongs to one thread or queue.
///
/// A text of the server replaces the local one unless that has changes, which are then sent over it.
final class FakeTodod: TodoCalls {
    struct Entry {
        var etag: String?
        /// The text that both sides have agreed on.
        var base: String?
    }

    struct LocalItem: Equatable {
        /// The text, or `nil` if the item is to be deleted on the server.
        var text: String?
        var uid: String
        var problem: String?
    }

    final class List {
        var summary = SyncListSummary()
        var entries: [String: Entry] = [:]
        /// The items that the server does not have, by their URLs.
        var unsent: [String: LocalItem] = [:]
        var deletions: [String] = []
    }

    var account = SyncAccountSummary()
    var hasAccount = true
    private(set) var lists: [List] = []
    /// The calls with their main parameters, such as `TakeSyncChanges a +2 -1 token=t3`.
    private(set) var calls: [String] = []
    /// The largest number of bytes of text in a call.
    private(set) var largestCall = 0
    /// The errors of the next calls of a method.
    var faults: [String: [any Error]] = [:]
    var entriesPerPage = 2
    var uploadsPerPage = 100
    private(set) var problems: [String] = []

    init() {
        account.id = 1
        account.name = "home"
        account.url = "http://h/"
        account.user = "ann"
        account.principal = "http://h/ann/"
        account.passwordSource = "keyring"
    }

    /// Adds lists, such as `/work/`.
    func add(_ names: [String]) {
        for name in names {
            let list = List()
            list.summary.id = Int64(lists.count + 1)
            list.summary.name = String(name.dropFirst().dropLast())
            list.summary.url = "http://h\(name)"
            list.summary.category = list.summary.name
            lists.append(list)
        }
    }

    subscript(_ name: String) -> List {
        guard let list = lists.first(where: { $0.summary.name == name }) else {
            fatalError("no list \(name)")
        }
        return list
    }

    /// The account with the present state of its lists.
    var present: SyncAccountSummary {
        var account = account
        account.lists = lists.map {
            var summary = $0.summary
            summary.unsent = Int64($0.unsent.count)
            summary.items = Int64($0.entries.count)
            return summary
        }
        return account
    }

    /// Changes an item here, as its owner would.
    func edit(_ list: String, _ path: String, _ text: String?) {
        let uid = (text ?? self[list].entries["http://h\(path)"]?.base ?? "").split(separator: " ").first
        self[list].unsent["http://h\(path)"] = LocalItem(text: text, uid: String(uid ?? ""))
    }

    func takeCalls() -> [String] {
        defer { calls = [] }
        return calls
    }

    // MARK: - Calls

    func call<M: Method>(_ method: M.Type, _ parameters: M.Parameters) throws -> M.Reply {
        if let fault = faults[M.name]?.first {
            faults[M.name]?.removeFirst()
            throw fault
        }
        let reply: any MessageBody
        switch parameters {
        case let parameters as TakeSyncChanges.Parameters: reply = try take(parameters)
        case let parameters as ListSyncEntries.Parameters: reply = try entries(parameters)
        case let parameters as ListSyncUploads.Parameters: reply = try uploads(parameters)
        case let parameters as RecordSyncUploads.Parameters: reply = try record(parameters)
        case let parameters as UpdateSyncList.Parameters: reply = try update(parameters)
        case let parameters as AddSyncAccount.Parameters: reply = addAccount(parameters)
        case is DeleteSyncAccount.Parameters:
            hasAccount = false
            reply = Empty()
        default:
            var accounts = ListSyncAccounts.Reply()
            accounts.accounts = hasAccount ? [present] : []
            reply = accounts
        }
        guard let reply = reply as? M.Reply else { throw APIError.methodNotFound(M.name) }
        return reply
    }

    private func addAccount(_ parameters: AddSyncAccount.Parameters) -> AddSyncAccount.Reply {
        account.name = parameters.name
        account.url = parameters.url
        account.user = parameters.user
        account.principal = parameters.principal
        account.passwordSource = parameters.passwordSource
        hasAccount = true
        let known = lists.map(\.summary.url)
        add(parameters.lists.filter { !known.contains($0.url) }.map { "/\($0.name)/" })
        for choice in parameters.lists {
            lists.first { $0.summary.url == choice.url }?.summary.readOnly = choice.readOnly
        }
        var reply = AddSyncAccount.Reply()
        reply.account = present
        return reply
    }

    private func list(_ id: Int64) throws -> List {
        guard let list = lists.first(where: { $0.summary.id == id }) else {
            throw APIError.syncListNotFound(name: "\(id)", similar: [])
        }
        return list
    }

    private func take(_ parameters: TakeSyncChanges.Parameters) throws -> TakeSyncChanges.Reply {
        let list = try list(parameters.list)
        let token = parameters.token.map { " token=\($0)" } ?? ""
        let missing = parameters.missing.isEmpty ? "" : " missing=\(parameters.missing.count)"
        calls.append(
            "Take \(list.summary.name) +\(parameters.changed.count) -\(parameters.deleted.count)\(missing)"
                + "\(token)\(parameters.complete == true ? " complete" : "")")
        largestCall = max(largestCall, parameters.changed.reduce(0) { $0 + $1.text.utf8.count })
        var reply = TakeSyncChanges.Reply()
        for change in parameters.changed {
            let present = list.entries[change.url]
            if present?.etag == change.etag, present?.base == change.text { reply.unchanged += 1 }
            list.entries[change.url] = Entry(etag: change.etag, base: change.text)
            if list.unsent[change.url]?.text == change.text { list.unsent[change.url] = nil }
        }
        for url in parameters.deleted + parameters.missing where list.entries[url] != nil {
            list.deletions.append(url)
            if list.summary.heldDeletions == nil { list.entries[url] = nil }
        }
        if parameters.complete == true {
            if let token = parameters.token { list.summary.token = token.isEmpty ? nil : token }
            if let ctag = parameters.ctag { list.summary.ctag = ctag.isEmpty ? nil : ctag }
            list.summary.lastSync = Timestamp(secondsSince1970: 1_795_000_000)
        }
        reply.unsent = Int64(list.unsent.count)
        reply.heldDeletions = list.summary.heldDeletions
        return reply
    }

    private func entries(_ parameters: ListSyncEntries.Parameters) throws -> ListSyncEntries.Reply {
        let urls = try list(parameters.list).entries.keys.sorted().filter { $0 > parameters.after ?? "" }
        var reply = ListSyncEntries.Reply()
        reply.hasMore = urls.count > entriesPerPage
        reply.entries = try urls.prefix(entriesPerPage).map { url in
            var entry = SyncEntrySummary()
            entry.url = url
            entry.etag = try list(parameters.list).entries[url]?.etag
            return entry
        }
        return reply
    }

    private func uploads(_ parameters: ListSyncUploads.Parameters) throws -> ListSyncUploads.Reply {
        let list = try list(parameters.list)
        var reply = ListSyncUploads.Reply()
        reply.hasMore = list.unsent.count > uploadsPerPage
        reply.uploads = list.unsent.sorted { $0.key < $1.key }.prefix(uploadsPerPage).map { url, item in
            var upload = SyncUpload()
            upload.url = url
            upload.uid = item.uid
            upload.etag = list.entries[url]?.etag
            upload.text = item.text
            upload.state = item.text ?? "deleted"
            return upload
        }
        calls.append("Uploads \(list.summary.name) \(reply.uploads.count)")
        return reply
    }

    private func record(_ parameters: RecordSyncUploads.Parameters) throws -> RecordSyncUploads.Reply {
        let list = try list(parameters.list)
        calls.append("Record \(list.summary.name) \(parameters.results.count)")
        for result in parameters.results {
            if let problem = result.problem {
                list.unsent[result.url]?.problem = problem
                problems.append(problem)
                continue
            }
            if list.unsent[result.url]?.text ?? "deleted" == result.state { list.unsent[result.url] = nil }
            list.entries[result.url] = result.text.map { Entry(etag: result.etag, base: $0) }
        }
        return RecordSyncUploads.Reply()
    }

    private func update(_ parameters: UpdateSyncList.Parameters) throws -> UpdateSyncList.Reply {
        let list = try list(parameters.list)
        if let problem = parameters.problem {
            list.summary.problem = problem.isEmpty ? nil : problem
            calls.append("Update \(list.summary.name) problem")
        }
        if let readOnly = parameters.readOnly { list.summary.readOnly = readOnly }
        if let held = parameters.heldDeletions {
            list.summary.heldDeletions = held
            calls.append("Update \(list.summary.name) held")
        }
        var reply = UpdateSyncList.Reply()
        reply.list = list.summary
        return reply
    }
}
