internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// Finds the changes of a list that the server does not have. The caller saves.
struct SyncSender {
    /// The number of changes and the bytes of text that a reply has at most.
    private static let uploadsLimit = 20
    private static let bytesLimit = 256 << 10
    /// The number of transactions that are in memory at once.
    private static let transactionsLimit = 100
    /// The time after which an item that the server has refused is sent again.
    private static let refusalSeconds = 3_600.0

    private let service: ServiceContext
    private let list: SyncList
    private let store: SyncStore
    private let items: SyncItems

    init(_ service: ServiceContext, _ list: SyncList) {
        self.service = service
        self.list = list
        store = SyncStore(context: service.store.context)
        items = SyncItems(service)
    }

    private var context: ManagedObjectContext { service.store.context }

    // MARK: - Finding

    /// Whether the store has a history. Without one, `findChanges` checks all items.
    var recordsChanges: Bool { get throws { try lastToken() != nil } }

    /// The author of the saves after which all entries of this list say whether they are unsent.
    private var author: String { "todod-sync, list \(list.id)" }

    /// Saves the context.
    ///
    /// - Parameter allAreMarked: whether the entries of all changed items say if they are unsent, so that these items are not
    ///   checked again.
    func save(allAreMarked: Bool) throws {
        if allAreMarked { context.transactionAuthor = author }
        defer { context.transactionAuthor = nil }
        try context.save()
    }

    /// Marks the entries of all items that were changed since the last call.
    func findChanges() throws {
        try store.restoreCategory(of: list)
        guard list.category != nil else { return }
        guard let last = try lastToken() else { return try findAll() }
        guard let token = list.sentUpTo.flatMap(HistoryToken.init), token.store == last.store,
            let changes = try changes(after: token)
        else {
            try findAll()
            list.sentUpTo = last.description
            return
        }
        for id in changes.items.sorted() {
            guard let toDo = try context.object(of: ToDo.self, id: id) else { continue }
            try check(toDo, isChanged: true)
        }
        for id in changes.entries.sorted() {
            guard let entry = try context.object(of: SyncEntry.self, id: id), entry.list === list else {
                continue
            }
            if let id = entry.toDo?.id, changes.items.contains(id) { continue }
            try check(entry)
        }
        // The new position is a transaction, too, so it is stored only if there was more.
        if changes.hasMarked || !changes.items.isEmpty || !changes.entries.isEmpty
            || changes.count >= Self.transactionsLimit
        {
            list.sentUpTo = last.description
        }
    }

    /// Returns the position of the history, or `nil` if the store keeps none.
    private func lastToken() throws -> HistoryToken? {
        do {
            return try context.coordinator.lastHistoryToken()
        } catch let error as StoreError where error.code == .noHistory {
            return nil
        }
    }

    /// Returns the changed items and entries that are not marked, or `nil` if the history does not reach back to the token.
    private func changes(
        after token: HistoryToken
    ) throws -> (items: Set<Int64>, entries: Set<Int64>, hasMarked: Bool, count: Int)? {
        var items: Set<Int64> = []
        var entries: Set<Int64> = []
        var hasMarked = false
        var count = 0
        var position = token
        while true {
            let transactions: [HistoryTransaction]
            do {
                transactions = try context.coordinator.history(after: position, limit: Self.transactionsLimit)
            } catch let error as StoreError where error.code == .historyLost {
                return nil
            }
            for transaction in transactions {
                if transaction.isMigration { return nil }
                position = transaction.token
                if transaction.author == author {
                    hasMarked = hasMarked || transaction.changes.contains(where: Self.isOfItem)
                    continue
                }
                for change in transaction.changes {
                    switch change.object.entity {
                    case ToDo.entityName: items.insert(change.object.id)
                    case SyncEntry.entityName: entries.insert(change.object.id)
                    // A renamed tag is a change of all items with it.
                    case Tag.entityName where change.kind == .updated && change.properties.contains("name"):
                        return nil
                    default: break
                    }
                }
            }
            count += transactions.count
            if transactions.count < Self.transactionsLimit { return (items, entries, hasMarked, count) }
        }
    }

    private static func isOfItem(_ change: HistoryChange) -> Bool {
        [ToDo.entityName, SyncEntry.entityName].contains(change.object.entity)
    }

    private func findAll() throws {
        guard let category = list.category else { return }
        for toDo in try context.fetch(ToDo.where { $0.category == category }) {
            try check(toDo, isChanged: false)
        }
        let others = SyncEntry.where {
            $0.list == list && ($0.toDo.category == nil || $0.toDo.category != category)
        }
        for entry in try context.fetch(others) { try check(entry) }
    }

    /// - Parameter isChanged: whether the item was changed since the last call.
    private func check(_ toDo: ToDo, isChanged: Bool) throws {
        if let entry = try store.entry(of: toDo, in: list) {
            // The server may accept the present version.
            if let refused = entry.refusedDate, isChanged || toDo.modifiedDate > refused {
                entry.refusedDate = nil
            }
            return try check(entry)
        }
        guard toDo.category === list.category else { return }
        if let former = try store.entries(withUID: toDo.uid).first(where: isOfDeletedItem) {
            // The item was restored before its deletion was sent.
            former.toDo = toDo
            former.isUnsent = false
            return try check(former)
        }
        try plan(toDo)
    }

    /// Adds the entry of an item that the list does not have.
    func plan(_ toDo: ToDo) throws {
        let former = try store.agreement(of: toDo, in: list)
        let new = try store.insertEntry(try url(for: toDo.uid), uid: toDo.uid, in: list)
        new.toDo = toDo
        new.isUnsent = true
        (new.formerText, new.formerState) = (former.map { Array($0.text.utf8) }, former?.state.text)
    }

    private func isOfDeletedItem(_ entry: SyncEntry) -> Bool {
        entry.list === list && entry.toDo == nil && entry.state != nil && entry.readText != nil
    }

    private func check(_ entry: SyncEntry) throws {
        if list.isReadOnly { return try checkReadOnly(entry) }
        guard !entry.isUnsent || entry.isMissing else { return }
        if let toDo = entry.toDo {
            guard
                toDo.category !== list.category || entry.mayBeGone
                    || items.format.isUnsent(items.state(of: toDo, entry), since: entry.state ?? "")
            else { return }
            entry.isUnsent = true
            // The deletion of the others is held back. A change is sent, unless another list has the item now.
            if entry.isMissing, toDo.category === list.category, !list.isReadOnly,
                try store.movedEntry(of: entry) == nil
            {
                entry.sendAsNew()
                entry.conflictDate = service.times.now()
            }
        } else if entry.state != nil {
            entry.isUnsent = true
        }
    }

    /// Marks an entry of a list whose changes are not sent. A change that was reverted is none.
    private func checkReadOnly(_ entry: SyncEntry) throws {
        let item = entry.toDo.flatMap { $0.category === list.category ? $0 : nil }
        if item == nil, entry.readText == nil { return try context.delete(entry) }
        entry.isUnsent =
            item.map { items.format.isUnsent(items.state(of: $0, entry), since: entry.state ?? "") }
            ?? (entry.state != nil)
    }

    /// Returns the URL of a new resource.
    private func url(for uid: String) throws -> String {
        let name =
            uid.utf8.allSatisfy(Self.isPlain) && uid.utf8.count <= 100
            ? uid : "todod-" + String(uid.utf8.stableHash(), radix: 16)
        let base = list.href.hasSuffix("/") ? list.href : list.href + "/"
        let url = "\(base)\(name).ics"
        // Another task may have the name.
        return try store.entry(url, in: list) == nil
            ? url : "\(base)\(name)-\(String(list.href.utf8.stableHash(), radix: 16)).ics"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    // MARK: - Uploads

    /// Lets all changes that the server has refused be sent again.
    func forgetRefusals() throws {
        for entry in try context.fetch(SyncEntry.where { $0.list == list && $0.refusedDate != nil }) {
            entry.refusedDate = nil
        }
    }

    /// Returns the first changes to send.
    func uploads() throws -> ListSyncUploads.Reply {
        var reply = ListSyncUploads.Reply()
        guard let category = list.category, !list.isReadOnly else { return reply }
        let now = service.times.now()
        let retry = now - Self.refusalSeconds
        let unsent = { (entries: Keys<SyncEntry>) in
            entries.list == self.list && entries.isUnsent == true && entries.isMissing == false
                && (entries.refusedDate == nil || entries.refusedDate < retry || entries.refusedDate > now)
        }
        // A deletion must not be sent before the text of the same item in another list.
        let texts = try context.fetch(
            SyncEntry.where { unsent($0) && $0.toDo.category == category }.limit(Self.uploadsLimit + 1))
        let deletions =
            texts.count > Self.uploadsLimit
            ? []
            : try context.fetch(
                SyncEntry.where { unsent($0) && ($0.toDo.category == nil || $0.toDo.category != category) }
                    .limit(Self.uploadsLimit + 1 - texts.count))
        reply.hasMore = texts.count + deletions.count > Self.uploadsLimit
        var bytes = 0
        for entry in texts + deletions {
            guard reply.uploads.count < Self.uploadsLimit, bytes < Self.bytesLimit else {
                reply.hasMore = true
                break
            }
            guard let upload = try upload(of: entry) else { continue }
            bytes += upload.text.map(SyncText.messageByteCount) ?? 0
            reply.uploads.append(upload)
        }
        return reply
    }

    private func upload(of entry: SyncEntry) throws -> SyncUpload? {
        var upload = SyncUpload()
        upload.url = entry.href
        upload.uid = entry.uid
        upload.etag = entry.etag
        guard let toDo = entry.toDo, toDo.category === list.category else {
            upload.isMoved = try isStoredElsewhere(entry) ? nil : true
            // The answer may be lost, and the item may be restored or moved back before it comes.
            entry.mayBeGone = true
            return upload
        }
        if entry.etag == nil, entry.readText != nil,
            try store.movedEntry(of: entry) != nil
        {
            // Another list has the item now.
            try SyncReceiver(service, list).takeDeletion(of: entry)
            return nil
        }
        let item = items.item(toDo, entry)
        let state = items.format.state(of: item)
        upload.state = state.text
        do throws(SyncTask.Failure) {
            if let text = entry.readText, let former = entry.state {
                if entry.etag != nil, !entry.mayBeGone, !items.format.isUnsent(state, since: former) {
                    entry.isUnsent = false
                    return nil
                }
                let result = try items.format.expressibleText(
                    String(decoding: text, as: UTF8.self), with: item, changedSince: SyncState(former))
                upload.text = result.text
                upload.state = result.state.text
                // If the answer is lost, the text on the server is known by it.
                entry.addSentState(upload.state)
                if let failure = result.failure { entry.remark = Self.remark(failure) }
            } else {
                upload.text = newText(of: item, entry)
                // If the answer is lost and the item is deleted then, the task on the server is known by it.
                entry.state = state.text
            }
            if let excess = upload.text.flatMap(SyncText.excess) {
                throw SyncTask.Failure(description: "its text would have \(excess)")
            }
        } catch {
            entry.remark = Self.remark(error)
            entry.refusedDate = service.times.now()
            return nil
        }
        return upload
    }

    /// Whether the other list to which an item was moved has its text, or is not synchronized.
    private func isStoredElsewhere(_ entry: SyncEntry) throws -> Bool {
        guard let toDo = entry.toDo, let other = try store.list(of: toDo.category) else { return true }
        return try store.entry(of: toDo, in: other)?.readText != nil
    }

    /// Returns the text of an item that the list does not have. An item of another list keeps the text that it has there.
    private func newText(of item: ExchangeItem, _ entry: SyncEntry) -> String {
        guard let former = entry.agreement,
            let moved = try? items.format.text(former.text, with: item, changedSince: former.state)
        else { return items.format.text(of: item) }
        return moved
    }

    private static func remark(_ failure: SyncTask.Failure) -> String {
        "a change stays here: \(failure.description)"
    }

    // MARK: - Results

    /// Records the results of uploads.
    func record(_ results: [SyncUploadResult], _ receiver: SyncReceiver) throws {
        for result in results {
            guard let entry = try store.entry(result.url, in: list) else { continue }
            if let problem = result.problem {
                entry.remark = problem
                entry.mayBeGone = false
                entry.sentStates.removeAll { $0 == result.state }
                entry.refusedDate = service.times.now()
            } else if let sent = result.sentText {
                try receiver.take(result, sent: sent, of: entry)
            } else if let toDo = entry.toDo, toDo.category === list.category {
                // The item was restored or moved back while it was deleted on the server.
                entry.sendAsNew()
            } else {
                try receiver.end(entry)
            }
        }
    }
}
