internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// Takes the texts of a server into a list. The caller saves, and then calls `didSave`.
final class SyncReceiver {
    private let service: ServiceContext
    private let list: SyncList
    private let store: SyncStore
    private let items: SyncItems
    private(set) var reply = TakeSyncChanges.Reply()
    /// The time of the last synchronization, before this one.
    private let lastSync: Timestamp?
    /// The items with a task that was read, for `didSave`, and whether their alerts have other times now.
    private var taken: [(item: ToDo, task: SyncTask, hasNewAlerts: Bool)] = []
    /// The entries of the texts that are taken together, by URL.
    private var known: [String: SyncEntry] = [:]
    /// The URLs of these texts that have no entry yet.
    private var unknown: Set<String> = []
    /// Whether other items or entries were changed, too.
    private var hasChangedOthers = false

    init(_ service: ServiceContext, _ list: SyncList) {
        self.service = service
        self.list = list
        lastSync = list.lastSyncDate
        store = SyncStore(context: service.store.context)
        items = SyncItems(service)
    }

    /// Whether the entries of all changed items say already if the item is unsent.
    var allAreMarked: Bool { !hasChangedOthers && !items.haveOthersChanged }

    /// Ends the alerts that the user has seen elsewhere, and saves that.
    func didSave(_ settings: AlertSettings) throws {
        items.end()
        for (item, task, hasNewAlerts) in taken where !item.isDeleted {
            if hasNewAlerts, let lastSync { items.resumeAlerts(of: item, task, since: lastSync, settings) }
            items.acknowledge(item, task, settings)
        }
        taken = []
        try service.store.context.save()
    }

    // MARK: - Texts

    /// Takes the texts of an answer.
    func take(_ texts: [SyncText]) throws {
        let urls = texts.map(\.url)
        known = Dictionary(uniqueKeysWithValues: try store.entries(urls, in: list).map { ($0.href, $0) })
        unknown = Set(urls).subtracting(known.keys)
        defer { (known, unknown) = ([:], []) }
        let written = texts.map { SyncFormat.normalized($0.text) }
        for (index, task) in items.format.tasks(written).enumerated() {
            try take(texts[index], written[index], task)
        }
    }

    /// Returns the entry of a URL. Another text with the same URL may have added or deleted it.
    private func entry(_ url: String) throws -> SyncEntry? {
        if let entry = known[url], !entry.isDeleted { return entry }
        return unknown.remove(url) == nil ? try store.entry(url, in: list) : nil
    }

    private func take(
        _ text: SyncText, _ written: String, _ task: Result<SyncTask, SyncTask.Failure>
    ) throws {
        // No such URL can be stored, and it must not stop the other tasks.
        guard ReminderModel.urlLengths.contains(text.url.unicodeScalars.count) else { return }
        let entry = try entry(text.url)
        if let problem = text.problem {
            return try leave(written, etag: text.etag, url: text.url, entry, uid: nil, remark: problem)
        }
        if let entry, let etag = text.etag, entry.etag == etag, !entry.isMissing,
            entry.readText.map({ $0.elementsEqual(written.utf8) }) ?? false
        {
            reply.unchanged += 1
            return
        }
        let base = entry?.agreement
        try take(written, read: task, etag: text.etag, url: text.url, entry, base: base)
    }

    /// Takes the text that the server has after it has accepted another one, which is the new agreement.
    func take(_ result: SyncUploadResult, sent: String, of entry: SyncEntry) throws {
        let sent = SyncFormat.normalized(sent)
        let now = result.text.map(SyncFormat.normalized) ?? sent
        entry.refusedDate = nil
        entry.remark = nil
        entry.mayBeGone = false
        var base: (text: String, state: SyncState)? = (sent, SyncState(result.state))
        var dropped: [String] = []
        if result.answerLost == true {
            if !hasChanges(now, of: sent, since: entry) { base = entry.agreement }
        } else {
            dropped = items.format.groups(of: sent, missingIn: now)
            if !dropped.isEmpty {
                base = base.map { (now, $0.state.replacing(dropped, from: SyncState(""))) }
            }
        }
        try take(now, etag: result.etag, url: entry.href, entry, base: base)
        if !dropped.isEmpty {
            // The values stay here, and are sent again later.
            entry.remark = "the server does not store \(dropped.joined(separator: ", "))"
            entry.refusedDate = service.times.now()
        }
    }

    /// Whether a text has all changes of a text that was sent since the last agreement.
    private func hasChanges(_ text: String, of sent: String, since entry: SyncEntry) -> Bool {
        guard let present = try? items.format.task(text), let sent = try? items.format.task(sent) else {
            return false
        }
        let missing = sent.state.difference(from: present.state)
        guard let base = entry.agreement, let former = try? items.format.task(base.text) else {
            return missing.isEmpty
        }
        return missing.isDisjoint(with: sent.state.difference(from: former.state))
    }

    /// Returns the states of the item in uploads whose results are not known.
    private static func sentStates(of entry: SyncEntry) -> [SyncState] {
        // The state of a new item is that of its last upload.
        let first = entry.readText == nil ? entry.state : nil
        return (entry.sentStates + [first].compactMap(\.self)).map(SyncState.init)
    }

    /// - Parameter read: the task of the text, if it was read already.
    private func take(
        _ text: String, read: Result<SyncTask, SyncTask.Failure>? = nil, etag: String?, url: String,
        _ known: SyncEntry?, base: (text: String, state: SyncState)?
    ) throws {
        let task: SyncTask
        do throws(SyncTask.Failure) {
            if let read { task = try read.get() } else { task = try items.format.task(text) }
        } catch {
            return try leave(text, etag: etag, url: url, known, uid: nil, remark: error.description)
        }
        let uid = task.item.uid
        guard ReminderModel.uidLengths.contains(uid.unicodeScalars.count) else {
            return try leave(text, etag: etag, url: url, known, uid: nil, remark: "its UID is too long")
        }
        let known =
            try known?.toDo == nil
            ? heldEntry(withUID: uid, renamedTo: url, replacing: known) ?? known : known
        let freedUID = freedUID(of: known, for: uid)
        let toDo = try known?.toDo ?? item(withUID: uid)
        let base = freedUID == nil ? try base ?? toDo.flatMap { try store.agreement(of: $0, in: list) } : nil
        let others = try otherEntries(of: toDo, uid: uid, besides: url)
        if toDo == nil, known?.state == nil, let other = others.first(where: isOfDeletedItem) {
            // If the task was moved here, its deletion in the other list comes later, and the two are compared.
            let remark = "a task with its UID was deleted in the list '\(other.list?.name ?? "")'"
            return try leave(text, etag: etag, url: url, known, uid: uid, remark: remark)
        }
        let uploaded = known?.toDo == nil ? others.first(where: isUpload) : nil
        let twin = others.first { other in
            other !== uploaded && other.toDo != nil && other.toDo !== known?.toDo
                && other.toDo?.category === other.list?.category
        }
        if let other = twin {
            let place = other.list === list ? other.href : "the list '\(other.list?.name ?? "")'"
            try leave(
                text, etag: etag, url: url, known, uid: uid, remark: "\(place) has a task with the same UID")
            if let freedUID, let other = try store.unreadEntry(withUID: freedUID, besides: known) {
                try takeUnread(other)
            }
            return
        }
        let entry = try known ?? store.insertEntry(url, uid: uid, in: list)
        if let uploaded { try takeOver(uploaded, as: entry) }
        do {
            try merge(task, text, etag, into: toDo, entry, base: base)
        } catch let error as SyncTask.Failure {
            try leave(text, etag: etag, url: url, entry, uid: uid, remark: error.description)
        } catch let error as APIError {
            // The value of one task must not stop the others.
            try leave(text, etag: etag, url: url, entry, uid: uid, remark: Self.reason(error))
        }
        if let freedUID, let other = try store.unreadEntry(withUID: freedUID, besides: entry) {
            try takeUnread(other)
        }
    }

    /// Finds the entry of a task of this list whose deletion is held back, and gives it the URL that the task has now.
    ///
    /// - Parameter known: the entry that has this URL so far. It is deleted.
    /// - Returns: the entry, or `nil` if there is none.
    private func heldEntry(
        withUID uid: String, renamedTo url: String, replacing known: SyncEntry?
    ) throws -> SyncEntry? {
        let held = try store.entries(withUID: uid).first {
            $0.list === list && $0.href != url && $0.isMissing && $0.toDo != nil
        }
        guard let held else { return nil }
        if let known { try service.store.context.delete(known) }
        self.known[held.href] = nil
        held.href = url
        return held
    }

    /// Ends the link of a resource that has another task than before, as if that one had been moved.
    ///
    /// - Returns: the UID of the former task, or `nil` if the resource still has it.
    private func freedUID(of known: SyncEntry?, for uid: String) -> String? {
        guard let known, known.toDo != nil, known.uid != uid else { return nil }
        let former = known.uid
        (known.toDo, known.state, known.isUnsent, known.uid) = (nil, nil, false, uid)
        return former
    }

    /// Returns the entries with a UID and another URL.
    ///
    /// The server has the task already, so an entry ends that was only meant for sending it.
    private func otherEntries(of toDo: ToDo?, uid: String, besides url: String) throws -> [SyncEntry] {
        try store.entries(withUID: uid).filter { entry in
            if entry.list === list, entry.href == url { return false }
            let isPlanned =
                entry.list === list && entry.toDo != nil && entry.toDo === toDo && entry.etag == nil
                && entry.readText == nil
            if isPlanned { try service.store.context.delete(entry) }
            return !isPlanned
        }
    }

    /// Whether an entry of another list is of an item that was deleted here, and whose deletion is still to be sent.
    private func isOfDeletedItem(_ entry: SyncEntry) -> Bool {
        entry.list !== list && entry.toDo == nil && entry.state != nil && entry.readText != nil
            && entry.list?.isReadOnly == false && isOfThisAccount(entry)
    }

    /// Whether an entry of another list is of a new item that was sent without a known result. If this list has the task, the
    /// upload has arrived, and another program has moved the task.
    private func isUpload(_ entry: SyncEntry) -> Bool {
        entry.list !== list && entry.toDo != nil && entry.etag == nil && entry.readText == nil
            && entry.state != nil && isOfThisAccount(entry)
    }

    private func isOfThisAccount(_ entry: SyncEntry) -> Bool { entry.list?.account === list.account }

    /// Lets an entry of this list have the item of an upload to another list.
    private func takeOver(_ uploaded: SyncEntry, as entry: SyncEntry) throws {
        entry.sentStates += Self.sentStates(of: uploaded).map(\.text)
        if let toDo = uploaded.toDo, toDo.category === uploaded.list?.category {
            toDo.category = list.category
        }
        try service.store.context.delete(uploaded)
        hasChangedOthers = true
    }

    private static func reason(_ error: APIError) -> String {
        if case .invalidValue(let field, let reason) = error { return "\(field): \(reason)" }
        return error.name
    }

    private func item(withUID uid: String) throws -> ToDo? {
        try service.store.context.object(of: ToDo.self, matching: \.uid, equals: uid)
    }

    /// Records a text that is not synchronized, so that it is not read again until it changes.
    private func leave(
        _ text: String, etag: String?, url: String, _ known: SyncEntry?, uid: String?, remark: String
    ) throws {
        let name = url.split(separator: "/").last.map(String.init) ?? url
        let entry = try known ?? store.insertEntry(url, uid: String((uid ?? name).prefix(255)), in: list)
        entry.isMissing = false
        hasChangedOthers = hasChangedOthers || entry.toDo != nil
        if entry.toDo == nil {
            // A deletion that was not sent yet does not apply to a text that todod cannot read.
            if entry.state != nil { recordConflict(entry, lost: nil) }
            entry.state = nil
            entry.etag = etag
            entry.readText = Array(text.utf8)
        }
        // An item keeps the version of the text that it has, so the server would refuse each upload.
        if entry.toDo != nil { entry.refusedDate = service.times.now() }
        // Events in a list of tasks are nothing to report.
        entry.remark = text.isEmpty || text.contains("BEGIN:VTODO") ? remark : nil
        entry.isUnsent = false
    }

    private func merge(
        _ task: SyncTask, _ text: String, _ etag: String?, into toDo: ToDo?, _ entry: SyncEntry,
        base: (text: String, state: SyncState)?
    ) throws {
        let wasDeleted = toDo == nil && entry.state != nil
        if wasDeleted, try isAgreement(task, base, entry) {
            // Only the version has changed, so the deletion is still to be sent.
            entry.etag = etag
            entry.readText = Array(text.utf8)
            entry.isMissing = false
            return
        }
        let former = toDo.map { items.item($0, entry) }
        let merge = try former.map { former throws(SyncTask.Failure) in
            try SyncMerge(
                former, base: base, sent: Self.sentStates(of: entry), remote: text, items.format)
        }
        let item = merge?.item ?? task.item
        let isChanged = former.map { items.format.state(of: item) != items.format.state(of: $0) } ?? true
        var stored = toDo
        if isChanged || entry.toDo == nil {
            // An item that was moved to another category stays there.
            stored = try items.write(
                item, to: toDo, entry, category: entry.toDo == nil ? list.category : toDo?.category)
        }
        guard let stored else { return }
        entry.toDo = stored
        let hasMovedOn = try items.recordOccurrences(of: stored, since: former, task)
        let state = items.state(of: stored, entry)
        let agreement = merge?.state(stored: state, hasMovedOn: hasMovedOn) ?? state
        entry.state = agreement.text
        entry.sentStates = []
        entry.readText = Array(text.utf8)
        (entry.formerText, entry.formerState) = (nil, nil)
        // The condition of a deletion that is under way names the former version.
        if etag != entry.etag { entry.mayBeGone = false }
        entry.etag = etag
        entry.isMissing = false
        // The server may accept the new version.
        if isChanged || entry.remark != nil { entry.refusedDate = nil }
        entry.remark = task.remarks.first
        entry.isUnsent = state != agreement || stored.category !== list.category
        if let lost = merge?.lostText {
            recordConflict(entry, lost: lost)
        } else if wasDeleted {
            recordConflict(entry, lost: nil)
        }
        if toDo == nil { reply.added += 1 } else if isChanged { reply.updated += 1 }
        let hasNewAlerts = former.map { items.format.haveOtherAlerts($0, than: item) } ?? true
        taken.append((stored, task, hasNewAlerts))
    }

    /// Whether a task means what both sides had at the last agreement.
    private func isAgreement(
        _ task: SyncTask, _ base: (text: String, state: SyncState)?, _ entry: SyncEntry
    ) throws(SyncTask.Failure) -> Bool {
        if let read = base?.text {
            if !items.format.haveSameForeignLines(read, as: task.text) { return false }
        } else if entry.readText == nil, items.format.hasForeignLines(task) {
            // Another program may have added them.
            return false
        }
        if ([entry.state] + entry.sentStates).contains(task.state.text) { return true }
        return try base.map { base throws(SyncTask.Failure) in
            try items.format.task(base.text).state == task.state
        } ?? false
    }

    /// Records the lines that lost, or `nil` for a deletion. Lines of an earlier conflict about other properties stay.
    private func recordConflict(_ entry: SyncEntry, lost: String?) {
        let former = entry.lostText.map { String(decoding: $0, as: UTF8.self) }
        let text = SyncFormat.lines(lost ?? "", besides: former ?? "")
        entry.lostText = text.isEmpty ? nil : Array(text.utf8)
        entry.conflictDate = service.times.now()
        reply.conflicts += 1
    }

    // MARK: - Deletions

    /// Takes the deletion of a resource.
    func takeDeletion(of url: String) throws {
        guard let entry = try store.entry(url, in: list) else { return }
        try takeDeletion(of: entry)
    }

    func takeDeletion(of entry: SyncEntry) throws {
        // An earlier task with this URL was deleted. The server is not known to have this item.
        if entry.toDo != nil, entry.readText == nil { return }
        let context = service.store.context
        hasChangedOthers = true
        guard let toDo = entry.toDo, toDo.category === list.category else {
            return try takeDeletion(ofMovedOrDeletedItemOf: entry)
        }
        let elsewhere = try store.movedEntry(of: entry)
        if let elsewhere, let text = elsewhere.readText, let other = elsewhere.list {
            return try move(
                toDo, from: entry, to: elsewhere, in: other, String(decoding: text, as: UTF8.self))
        }
        // todod had the resource deleted, and the item is here again.
        if entry.mayBeGone, !list.isReadOnly { return entry.sendAsNew() }
        if isChanged(entry) {
            // A change that the server does not have wins. It is sent as a new resource.
            entry.sendAsNew()
            return recordConflict(entry, lost: nil)
        }
        let copy = try store.unreadEntry(withUID: entry.uid, besides: entry)
        try context.delete(entry)
        try items.delete(toDo)
        reply.deleted += 1
        if let copy { try takeUnread(copy) }
    }

    /// Ends an entry whose item was moved or deleted here. If it was deleted here and moved to another list on the server, its
    /// deletion applies to that list.
    private func takeDeletion(ofMovedOrDeletedItemOf entry: SyncEntry) throws {
        guard entry.toDo == nil, entry.state != nil,
            let other = try store.unreadEntry(withUID: entry.uid, besides: entry),
            let text = other.readText, let otherList = other.list, otherList.category != nil,
            !otherList.isReadOnly
        else { return try end(entry) }
        let base = entry.agreement
        (other.state, other.sentStates) = (entry.state, entry.sentStates)
        (other.isUnsent, other.remark) = (true, nil)
        try service.store.context.delete(entry)
        let receiver = SyncReceiver(service, otherList)
        try receiver.take(
            String(decoding: text, as: UTF8.self), etag: other.etag, url: other.href, other, base: base)
        takeOver(receiver)
    }

    /// Whether the item of a resource has changes that the server does not have, and that may be sent.
    func isChanged(_ entry: SyncEntry) -> Bool {
        guard let toDo = entry.toDo, toDo.category === list.category, !list.isReadOnly,
            let state = entry.state
        else { return false }
        return items.format.isUnsent(items.state(of: toDo, entry), since: state)
    }

    /// Ends an entry whose resource was deleted here. Another task with its UID becomes readable. The item may be in another list
    /// with its conflict.
    func end(_ entry: SyncEntry) throws {
        let present = entry.toDo?.syncEntries.first { $0 !== entry && $0.conflictDate == nil }
        if let present, entry.conflictDate != nil {
            (present.lostText, present.conflictDate) = (entry.lostText, entry.conflictDate)
        }
        let other = try store.unreadEntry(withUID: entry.uid, besides: entry)
        try keepAgreement(of: entry)
        try service.store.context.delete(entry)
        if let other { try takeUnread(other) }
    }

    /// Lets the list to which the item of an entry was moved have the agreement, before the entry ends.
    private func keepAgreement(of entry: SyncEntry) throws {
        guard let toDo = entry.toDo, toDo.category !== list.category,
            let other = try store.list(of: toDo.category), try store.entry(of: toDo, in: other) == nil
        else { return }
        try SyncSender(service, other).plan(toDo)
    }

    /// Takes a text that was left alone because another resource had its UID.
    private func takeUnread(_ other: SyncEntry) throws {
        guard let text = other.readText, let otherList = other.list, otherList.category != nil else { return }
        let receiver = otherList === list ? self : SyncReceiver(service, otherList)
        try receiver.take(
            String(decoding: text, as: UTF8.self), etag: other.etag, url: other.href, other, base: nil)
        if receiver !== self { takeOver(receiver) }
    }

    /// Moves an item to the list in which the server has it now.
    private func move(
        _ toDo: ToDo, from entry: SyncEntry, to other: SyncEntry, in otherList: SyncList, _ text: String
    ) throws {
        let base = entry.agreement
        try service.store.context.delete(entry)
        toDo.category = otherList.category
        other.toDo = toDo
        other.remark = nil
        let receiver = SyncReceiver(service, otherList)
        try receiver.take(text, etag: other.etag, url: other.href, other, base: base)
        takeOver(receiver)
        reply.updated += 1
    }

    private func takeOver(_ receiver: SyncReceiver) {
        taken += receiver.taken
        hasChangedOthers = true
    }

    /// Returns the reply with the present state of the list.
    func finalReply() throws -> TakeSyncChanges.Reply {
        reply.heldDeletions = list.heldDeletions
        reply.unsent = Int64(try store.countOfUnsent(in: list))
        return reply
    }

    /// Sets the parents and blockers that exist by now.
    func completeRelations() throws { try items.completeRelations(in: list) }
}
