internal import CivilTime
internal import ObjectStore
internal import Phrases
internal import Reminders
internal import TodoAPI

/// The accounts, the lists and the entries of the synchronization. Confined to the queue of its context.
struct SyncStore {
    /// The number of reasons that a summary of a list has.
    private static let remarksLimit = 20
    /// The number of names of items whose deletion is held back that a summary of a list has.
    private static let heldNamesLimit = 5

    let context: ManagedObjectContext

    // MARK: - Accounts

    func accounts() throws -> [SyncAccount] { try context.fetch(SyncAccount.all.ordered(by: \.name)) }

    /// Returns the account with this name. Case is ignored.
    func account(named name: String) throws -> SyncAccount {
        if let account = try findAccount(named: name) { return account }
        throw APIError.syncAccountNotFound(
            name: name, similar: Self.similar(to: name, among: try accounts().map(\.name)))
    }

    /// Returns the account with this name, or `nil` if there is none. Case is ignored.
    func findAccount(named name: String) throws -> SyncAccount? {
        try context.fetch(SyncAccount.where { $0.name.equals(name, options: .caseInsensitive) }.limit(1))
            .first
    }

    func summary(of account: SyncAccount) throws -> SyncAccountSummary {
        var summary = SyncAccountSummary()
        summary.id = account.id
        summary.name = account.name
        summary.url = account.url
        summary.user = account.user
        summary.principal = account.principal
        summary.passwordSource = account.passwordSource
        summary.lists = try lists(of: account).map(self.summary)
        return summary
    }

    // MARK: - Lists

    func lists(of account: SyncAccount) throws -> [SyncList] {
        try context.fetch(SyncList.where { $0.account == account }.ordered(by: \.href))
    }

    func list(_ id: Int64) throws -> SyncList {
        guard let list = try context.object(of: SyncList.self, id: id) else {
            throw APIError.syncListNotFound(name: String(id), similar: [])
        }
        return list
    }

    /// Returns the list of a category, or `nil` if it is not synchronized.
    func list(of category: Category?) throws -> SyncList? {
        guard let category else { return nil }
        return try context.fetch(SyncList.where { $0.category == category }.limit(1)).first
    }

    /// Returns the list of an account with this name or URL.
    func list(named name: String, of account: SyncAccount) throws -> SyncList {
        let lists = try lists(of: account)
        let found = lists.first { $0.href == name } ?? lists.first { $0.name?.caseFolded == name.caseFolded }
        guard let found else {
            throw APIError.syncListNotFound(
                name: name, similar: Self.similar(to: name, among: lists.compactMap(\.name)))
        }
        return found
    }

    /// Makes a category that of a list. Items of the list that lost their category get this one, and the links of others
    /// end, so that no deletion is sent.
    func begin(_ list: SyncList, with category: Category) throws {
        list.category = category
        list.categoryUID = category.uid
        guard !list.isInserted else { return }
        for entry in try context.fetch(SyncEntry.where { $0.list == list }) {
            if let toDo = entry.toDo, toDo.category === nil {
                toDo.category = category
            } else if entry.toDo?.category !== category {
                try context.delete(entry)
            }
        }
        (list.token, list.ctag, list.sentUpTo) = (nil, nil, nil)
    }

    /// Gives a list its category again after an undo has restored the category.
    func restoreCategory(of list: SyncList) throws {
        guard list.category == nil, let uid = list.categoryUID,
            let category = try context.object(of: Category.self, matching: \.uid, equals: uid)
        else { return }
        list.category = category
    }

    func summary(of list: SyncList) throws -> SyncListSummary {
        var summary = SyncListSummary()
        summary.id = list.id
        summary.url = list.href
        summary.name = list.name ?? list.href
        summary.category = list.category?.name
        summary.readOnly = list.isReadOnly ? true : nil
        summary.token = list.token
        summary.ctag = list.ctag
        summary.lastSync = list.lastSyncDate
        summary.heldDeletions = list.heldDeletions
        if list.heldDeletions != nil {
            let missing = SyncEntry.where { $0.list == list && $0.isMissing == true && $0.toDo != nil }
            summary.heldItems = Int64(try context.count(missing))
            summary.heldNames = try context.fetch(missing.limit(Self.heldNamesLimit)).compactMap(\.toDo?.name)
        }
        summary.problem = list.problem
        summary.items = Int64(try context.count(SyncEntry.where { $0.list == list && $0.etag != nil }))
        summary.unsent = Int64(try countOfUnsent(in: list))
        summary.conflicts = Int64(
            try context.count(SyncEntry.where { $0.list == list && $0.conflictDate != nil }))
        let remarked = SyncEntry.where { $0.list == list && $0.remark != nil }
        summary.remarks = try context.fetch(remarked.limit(Self.remarksLimit)).map { entry in
            let (name, remark) = (entry.toDo?.name ?? entry.href, entry.remark ?? "")
            // A remark of the reader begins with the name of the item.
            let prefix = "'\(name)': "
            return "\(name): \(remark.hasPrefix(prefix) ? String(remark.dropFirst(prefix.count)) : remark)"
        }
        return summary
    }

    func countOfUnsent(in list: SyncList) throws -> Int {
        try context.count(SyncEntry.where { $0.list == list && $0.isUnsent == true })
    }

    // MARK: - Entries

    func entry(_ url: String, in list: SyncList) throws -> SyncEntry? {
        try context.fetch(SyncEntry.where { $0.list == list && $0.href == url }.limit(1)).first
    }

    func entries(_ urls: [String], in list: SyncList) throws -> [SyncEntry] {
        try context.fetch(SyncEntry.where { $0.list == list && $0.href.isIn(urls) })
    }

    func entries(withUID uid: String) throws -> [SyncEntry] {
        try context.fetch(SyncEntry.where { $0.uid == uid })
    }

    /// Returns another resource with a UID that was not read because of the first one.
    func unreadEntry(withUID uid: String, besides entry: SyncEntry?) throws -> SyncEntry? {
        try entries(withUID: uid).first {
            $0 !== entry && $0.toDo == nil && $0.state == nil && $0.readText != nil
        }
    }

    /// Returns the resource of another list to which the task of an entry was moved, or `nil` if there is none.
    ///
    /// An older text with the same UID is a copy that the other list had before.
    func movedEntry(of entry: SyncEntry) throws -> SyncEntry? {
        guard let other = try unreadEntry(withUID: entry.uid, besides: entry) else { return nil }
        if let time = other.modifiedDate, let former = entry.modifiedDate, time < former { return nil }
        return other
    }

    /// Returns the entry of an item in a list, or `nil` if there is none.
    func entry(of item: ToDo, in list: SyncList) throws -> SyncEntry? {
        try item.syncEntries.all().first { $0.list === list }
    }

    /// Returns the last agreement about an item: that of its entry in a list or, if it has none there, in the list from which it
    /// was moved.
    func agreement(of item: ToDo, in list: SyncList) throws -> (text: String, state: SyncState)? {
        try entry(of: item, in: list)?.agreement ?? item.syncEntries.all().lazy.compactMap(\.agreement).first
    }

    func insertEntry(_ url: String, uid: String, in list: SyncList) throws -> SyncEntry {
        let entry = try context.insert(SyncEntry.self)
        entry.href = url
        entry.uid = uid
        entry.list = list
        return entry
    }

    private static func similar(to name: String, among names: [String]) -> [String] {
        let nearest = EditDistance.nearest(to: name.lowercased(), among: names.map { $0.lowercased() })
        return names.filter { $0.lowercased() == nearest }
    }
}

extension SyncEntry {
    /// The number of uploads without a known result that are kept.
    private static let sentStatesLimit = 10

    /// Adds the state of the item in an upload.
    func addSentState(_ state: String) {
        guard !sentStates.contains(state) else { return }
        sentStates = sentStates.suffix(Self.sentStatesLimit - 1) + [state]
    }

    /// The text and the state of the last agreement, in this list or in the one from which the item was moved.
    var agreement: (text: String, state: SyncState)? {
        let (text, state) = readText == nil ? (formerText, formerState) : (readText, self.state)
        guard let text, let state else { return nil }
        return (String(decoding: text, as: UTF8.self), SyncState(state))
    }

    /// The time of the last change that the text has.
    fileprivate var modifiedDate: Timestamp? {
        readText.flatMap { SyncFormat.modifiedDate(of: String(decoding: $0, as: UTF8.self)) }
    }

    /// Lets the item be sent as a new resource, because the server does not have it any more.
    func sendAsNew() {
        etag = nil
        mayBeGone = true
        isMissing = false
        isUnsent = true
        refusedDate = nil
        remark = nil
    }
}

extension TypedValue {
    /// The maximum number of characters of a text about an account or a list.
    private static let syncTextLimit = 2_048

    static func checkSyncText(_ text: String?, field: String) throws(APIError) {
        guard text?.unicodeScalars.count ?? 0 > syncTextLimit else { return }
        throw .invalidValue(field: field, reason: "it is longer than \(syncTextLimit) characters")
    }
}
