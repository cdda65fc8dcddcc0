import CivilTime
import ObjectStore
import TestSupport
import TodoAPI

@testable import TodoService

/// The resources of a list, as a server keeps them.
final class ListServer {
    struct Resource: Equatable {
        var etag: String
        var text: String
    }

    static let url = "https://dav.example.org/ann/home/"
    private(set) var resources: [String: Resource] = [:]
    /// The URLs that were deleted.
    private(set) var deleted: Set<String> = []
    private var version = 0
    /// Changes a text before it is stored, as many servers do.
    var rewrite: (String) -> String = { $0 }

    func url(_ name: String) -> String { "\(Self.url)\(name).ics" }

    func text(_ name: String) -> String? { resources[url(name)]?.text }

    /// Stores a text if its resource has the etag, or does not exist.
    func put(_ url: String, _ text: String, ifMatch etag: String?) -> String? {
        guard resources[url]?.etag == etag else { return nil }
        version += 1
        resources[url] = Resource(etag: "\"\(version)\"", text: rewrite(text))
        deleted.remove(url)
        return resources[url]?.etag
    }

    func delete(_ url: String, ifMatch etag: String?) -> Bool {
        guard resources[url]?.etag == etag else { return false }
        resources[url] = nil
        deleted.insert(url)
        return true
    }

    /// Changes a text as another program does.
    func edit(_ name: String, _ change: (String) -> String) {
        guard let resource = resources[url(name)] else { return }
        _ = put(url(name), change(resource.text), ifMatch: resource.etag)
    }

    func task(_ name: String, _ lines: String = "") {
        let text = """
            BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Other//EN\r\nBEGIN:VTODO\r\nUID:\(name)\r\nDTSTAMP:20261101T080000Z\r
            SUMMARY:\(name)\r\nX-KEEP:1\r\n\(lines)END:VTODO\r\nEND:VCALENDAR\r\n
            """.replacing("\r\n\n", with: "\r\n").replacing("\r\n\r\n", with: "\r\n")
        _ = put(url(name), text, ifMatch: resources[url(name)]?.etag)
    }

    /// Loses all resources without a report.
    func lose(_ names: [String]) { for name in names { resources[url(name)] = nil } }
}

/// A daemon whose category Home is synchronized with a list, without a network.
struct SyncedService {
    let service: TestService
    let server: ListServer
    let list: Int64

    init(
        _ server: ListServer = ListServer(), _ service: TestService? = nil, category: String = "Home"
    ) throws {
        self.service = try service ?? TestService(.sqliteInMemory(history: true))
        self.server = server
        var account = AddSyncAccount.Parameters()
        account.name = "Test"
        account.url = "https://dav.example.org/"
        var choice = SyncListChoice()
        choice.url = ListServer.url
        choice.name = "Home"
        choice.category = category
        account.lists = [choice]
        list = try self.service.call(AddSyncAccount.self, account).account.lists[0].id
    }

    // MARK: - Transfers

    /// Takes all changes of the server, and sends all changes of the items.
    func synchronize() throws {
        for _ in 0..<10 {
            _ = try receive()
            if try send() == 0 { return }
        }
    }

    @discardableResult
    func receive(reportsDeletions: Bool = true) throws -> TakeSyncChanges.Reply {
        let known = Dictionary(
            uniqueKeysWithValues: try service.call(
                ListSyncEntries.self,
                {
                    var parameters = ListSyncEntries.Parameters()
                    parameters.list = list
                    return parameters
                }()
            ).entries.map { ($0.url, $0.etag) })
        var changes = TakeSyncChanges.Parameters()
        changes.list = list
        for (url, resource) in server.resources.sorted(by: { $0.key < $1.key })
        where known[url] != .some(resource.etag) {
            var text = SyncText()
            text.url = url
            text.etag = resource.etag
            text.text = resource.text
            changes.changed.append(text)
        }
        let gone = known.filter { $0.value != nil && server.resources[$0.key] == nil }.keys.sorted()
        changes.deleted = gone.filter { reportsDeletions && server.deleted.contains($0) }
        changes.missing = gone.filter { !changes.deleted.contains($0) }
        changes.complete = true
        return try service.call(TakeSyncChanges.self, changes)
    }

    var uploads: [SyncUpload] { get throws { try uploads(retry: nil) } }

    func uploads(retry: Bool?) throws -> [SyncUpload] {
        var parameters = ListSyncUploads.Parameters()
        parameters.list = list
        parameters.retry = retry
        return try service.call(ListSyncUploads.self, parameters).uploads
    }

    /// Records that the server refused an upload.
    func refuse(_ upload: SyncUpload) throws {
        var result = SyncUploadResult()
        result.url = upload.url
        result.state = upload.state
        result.problem = "too large"
        var results = RecordSyncUploads.Parameters()
        results.list = list
        results.results = [result]
        _ = try service.call(RecordSyncUploads.self, results)
    }

    /// Sends the changes of the items, and returns their number.
    ///
    /// - Parameter losesAnswers: whether the answers of the server do not arrive.
    func send(losesAnswers: Bool = false) throws -> Int {
        let uploads = try uploads
        var results = RecordSyncUploads.Parameters()
        results.list = list
        for upload in uploads {
            var result = SyncUploadResult()
            result.url = upload.url
            result.state = upload.state
            if let text = upload.text {
                guard let etag = server.put(upload.url, text, ifMatch: upload.etag) else { continue }
                result.sentText = text
                result.text = server.resources[upload.url]?.text
                result.etag = etag
            } else if server.resources[upload.url] != nil {
                guard server.delete(upload.url, ifMatch: upload.etag) else { continue }
            }
            results.results.append(result)
        }
        if !losesAnswers { _ = try service.call(RecordSyncUploads.self, results) }
        return uploads.count
    }

    // MARK: - Items

    var items: [Item] {
        get throws {
            var parameters = ListItems.Parameters()
            parameters.state = .all
            parameters.fields = [
                "name", "tags", "category", "due", "completed", "priority", "uid", "notes", "parent",
            ]
            return try service.call(ListItems.self, parameters).items
        }
    }

    func item(_ name: String) throws -> Item? { try items.first { $0.name == name } }

    var names: [String] { get throws { try items.map(\.name).sorted() } }

    @discardableResult
    func add(_ name: String, _ change: (inout AddItem.Parameters) -> Void = { _ in }) throws -> Item {
        var parameters = AddItem.Parameters()
        parameters.name = name
        parameters.category = "Home"
        change(&parameters)
        return try service.call(AddItem.self, parameters).item
    }

    func update(_ name: String, _ change: (inout UpdateItems.Parameters) -> Void) throws {
        var parameters = UpdateItems.Parameters()
        parameters.ids = [try item(name)?.id ?? 0]
        change(&parameters)
        _ = try service.call(UpdateItems.self, parameters)
    }

    func delete(_ name: String) throws {
        _ = try service.call(DeleteItems.self, ItemIDs(ids: [try item(name)?.id ?? 0]))
    }

    func deleteCategory(_ name: String) throws {
        var parameters = DeleteCategory.Parameters()
        parameters.name = name
        _ = try service.call(DeleteCategory.self, parameters)
    }

    func complete(_ name: String) throws {
        var parameters = CompleteItems.Parameters()
        parameters.ids = [try item(name)?.id ?? 0]
        _ = try service.call(CompleteItems.self, parameters)
    }

    var conflicts: [SyncConflict] {
        get throws { try service.call(ListSyncConflicts.self, Empty()).conflicts }
    }

    var summary: SyncListSummary {
        get throws { try service.call(ListSyncAccounts.self, Empty()).accounts[0].lists[0] }
    }
}
