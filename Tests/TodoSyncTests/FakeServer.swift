import CalDAV

@testable import TodoSync

/// A CalDAV server in memory, which records its requests and fails on demand. It belongs to one thread or queue.
final class FakeServer: TaskServer {
    struct List {
        var items: [String: (etag: String, text: String)] = [:]
        /// The URL of each change, in order. The token is their number.
        var changes: [String] = []
        var principal = "http://h/ann/"
        var isReadOnly = false
    }

    var lists: [String: List] = [:]
    /// The requests, such as `PUT /a/1.ics`.
    private(set) var requests: [String] = []
    /// The errors of the next requests with this text, in order. `nil` lets a request pass.
    var faults: [String: [CalDAVError?]] = [:]
    /// The errors that are thrown after the request was carried out.
    var lostAnswers: [String: Int] = [:]
    var supportsSyncCollection = true
    var hasTokens = true
    var hasCtags = true
    var includesTexts = false
    /// The number of rows in a page, or `nil` for all.
    var pageSize: Int?
    /// Whether an item that was added and deleted since a token is not mentioned, as in Xandikos.
    var omitsShortLivedItems = false
    /// Whether it is like SOGo: its etags count the versions of an item since it was created, and only an existing item is
    /// protected by a condition, against changes.
    var isLikeSOGo = false
    /// Whether a UID may be in one list only.
    var hasUniqueUIDs = false
    /// Called before each request, with its text.
    var willAnswer: (String) -> Void = { _ in }
    private var versions = 0

    static func url(_ path: String) -> DAVURL {
        guard let url = DAVURL("http://h\(path)") else { fatalError("\(path) is not a path") }
        return url
    }

    // MARK: - Changes by other clients

    func write(_ path: String, _ text: String) {
        versions += 1
        let name = Self.list(of: path)
        let version = isLikeSOGo ? (version(of: path) ?? -1) + 1 : versions
        lists[name]?.items[path] = (etag: "\"\(version)\"", text: text)
        lists[name]?.changes.append(path)
    }

    func remove(_ path: String) {
        let name = Self.list(of: path)
        lists[name]?.items[path] = nil
        lists[name]?.changes.append(path)
    }

    func text(_ path: String) -> String? { lists[Self.list(of: path)]?.items[path]?.text }

    /// Returns the requests since the last call.
    func takeRequests() -> [String] {
        defer { requests = [] }
        return requests
    }

    private func version(of path: String) -> Int? {
        (lists[Self.list(of: path)]?.items[path]?.etag).flatMap { Int($0.filter { $0 != "\"" }) }
    }

    private static func list(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? path
    }

    // MARK: - Requests

    private func begin(_ verb: String, _ url: DAVURL) throws(CalDAVError) -> List {
        let text = "\(verb) \(url.path)"
        requests.append(text)
        willAnswer(text)
        for key in [text, verb] {
            if let next = faults[key]?.first {
                faults[key]?.removeFirst()
                if let next { throw next }
            }
        }
        guard let list = lists[Self.list(of: url.path)] else { throw .notFound(url) }
        return list
    }

    /// Throws if the answer to the request is lost.
    private func end(_ verb: String, _ url: DAVURL) throws(CalDAVError) {
        guard let count = lostAnswers[verb], count > 0 else { return }
        lostAnswers[verb] = count - 1
        throw .answerLost(url, reason: "cut")
    }

    func discover(_ typed: String) throws(CalDAVError) -> Discovery {
        requests.append("discover \(typed)")
        if let next = faults["discover"]?.first, let next { throw next }
        return Discovery(
            principal: Self.url("/ann/"), homes: [Self.url("/")],
            lists: lists.keys.sorted().map {
                RemoteList(
                    url: Self.url($0), name: String($0.dropFirst().dropLast()),
                    isReadOnly: lists[$0]?.isReadOnly ?? false)
            }, typedList: nil)
    }

    func state(of list: DAVURL) throws(CalDAVError) -> ListState {
        let found = try begin("state", list)
        let token = "t\(found.changes.count)"
        return ListState(
            ctag: hasCtags ? token : nil, syncToken: hasTokens ? token : nil,
            tokenAfterListing: isLikeSOGo ? "t\(max(found.changes.count - 1, 0))" : nil,
            supportsSyncCollection: supportsSyncCollection, isReadOnly: found.isReadOnly,
            principal: DAVURL(found.principal))
    }

    func changes(in list: DAVURL, since token: String?) throws(CalDAVError) -> ChangePage {
        let found = try begin("changes", list)
        let start = token.flatMap { Int($0.dropFirst()) } ?? 0
        guard start <= found.changes.count else { throw .tokenExpired(list) }
        let rest = found.changes[start...]
        let page = rest.prefix(pageSize ?? .max)
        var changed: [RemoteItem] = []
        var deleted: [DAVURL] = []
        for path in Set(page).sorted() {
            if let item = found.items[path] {
                changed.append(
                    RemoteItem(
                        href: Self.url(path), etag: item.etag, text: includesTexts ? item.text : nil))
            } else if token != nil, !omitsShortLivedItems || found.changes[..<start].contains(path) {
                // As RFC 6578 says, the first listing has no deletions.
                deleted.append(Self.url(path))
            }
        }
        return ChangePage(
            changed: changed, deleted: deleted, token: "t\(start + page.count)",
            hasMore: page.count < rest.count)
    }

    func entries(in list: DAVURL) throws(CalDAVError) -> [RemoteItem] {
        try begin("entries", list).items.sorted { $0.key < $1.key }.map {
            RemoteItem(href: Self.url($0.key), etag: $0.value.etag)
        }
    }

    func texts(_ hrefs: [DAVURL], in list: DAVURL) throws(CalDAVError) -> Texts {
        let found = try begin("texts(\(hrefs.count))", list)
        var texts = Texts()
        for href in hrefs {
            if let item = found.items[href.path] {
                texts.found.append(RemoteItem(href: href, etag: item.etag, text: item.text))
            } else {
                texts.missing.append(href)
            }
        }
        return texts
    }

    func text(at item: DAVURL) throws(CalDAVError) -> RemoteItem? {
        try begin("GET", item).items[item.path].map {
            RemoteItem(href: item, etag: $0.etag, text: $0.text)
        }
    }

    func put(_ text: String, at item: DAVURL, ifMatch etag: String?) throws(CalDAVError) -> String? {
        let list = try begin("PUT", item)
        let present = list.items[item.path]?.etag
        let isIgnored = isLikeSOGo && (etag == nil || present == nil)
        guard isIgnored || present == etag else { throw .preconditionFailed(item) }
        if hasUniqueUIDs, let twin = twin(of: text, at: item.path) {
            throw .uidConflict(item, existing: Self.url(twin))
        }
        // Like real servers, this one does not keep the text as it was sent.
        write(item.path, text + " (stored)")
        try end("PUT", item)
        return lists[Self.list(of: item.path)]?.items[item.path]?.etag
    }

    func delete(_ item: DAVURL, ifMatch etag: String) throws(CalDAVError) -> Bool {
        let list = try begin("DELETE", item)
        guard let present = list.items[item.path] else { return false }
        guard isLikeSOGo || present.etag == etag else { throw .preconditionFailed(item) }
        remove(item.path)
        try end("DELETE", item)
        return true
    }

    /// The path of another item with the same first word, which stands for the UID.
    private func twin(of text: String, at path: String) -> String? {
        let uid = text.split(separator: " ").first
        for list in lists.values {
            for (other, item) in list.items
            where other != path && item.text.split(separator: " ").first == uid { return other }
        }
        return nil
    }
}
