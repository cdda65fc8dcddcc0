internal import CalDAV
internal import CivilTime
internal import Systemd
internal import TodoAPI

// MARK: - The ladder: changes since a token, the ctag, all etags

extension AccountPass {
    /// The number of items whose texts are read before todod stores them.
    static let itemsPerBatch = 200
    /// The number of pages after which all etags are compared instead.
    static let pagesLimit = 5_000
    /// The most characters of a name of a list.
    static let nameLimit = 500
    /// The time after which all etags are compared, even if no change is reported.
    static let comparisonSeconds = 86_400.0
    /// The time for which a list that cannot be read delays the deletions in the others.
    static let failureSeconds = 3_600.0

    /// Reads the changes of the server: first the changed texts of all lists, then the deletions.
    ///
    /// An item that another program has moved to another list therefore exists at all times. If there are deletions, all lists of
    /// the account are read. The lists before one with deletions are read again, because an item may have been moved there after
    /// they were read. While a list cannot be read, deletions wait.
    func receive(_ lists: inout [ListWork], of all: [ListWork]) throws(PassFailure) {
        for list in lists { try read(list) }
        if lists.contains(where: \.rest.hasDeletions) {
            let present = Set(lists.map(\.id))
            let others = all.filter { !present.contains($0.id) }
            for list in others { try read(list) }
            lists += others
        }
        if let last = lists.lastIndex(where: \.rest.hasDeletions) {
            for list in lists[..<last] { try read(list) }
        }
        let mayLackMoved = all.contains { list in
            memory.lists[list.id]?.failedSince.map { (0..<Self.failureSeconds).contains(now() - $0) } ?? false
        }
        for list in lists where list.rest.isPresent {
            if mayLackMoved, list.rest.hasDeletions {
                memory.lists[list.id, default: ListMemory()].mustCompare = true
                try perform(list) { try take(list) { $0.complete = true } }
            } else {
                try perform(list) { try takeRest(of: list) }
            }
        }
    }

    private func read(_ list: ListWork) throws(PassFailure) {
        list.needsRound = false
        try perform(list) {
            try readChanges(of: list)
            memory.lists[list.id]?.noteReading()
        }
    }

    private func readChanges(of list: ListWork) throws {
        list.rest = ListWork.Rest()
        let state = try server.state(of: list.urls.list)
        try check(state, of: list)
        try readAgain(list)
        var memory = memory.lists[list.id] ?? ListMemory()
        let isCompared = memory.comparedAt.map { now() - $0 < Self.comparisonSeconds } ?? false
        // After a first pass that was interrupted, the server may have deleted some of its items.
        let isFirst = list.token == nil && list.summary.lastSync == nil && list.summary.items == 0
        let mustCompare = !isFirst && (memory.mustCompare || !isCompared)
        if !mustCompare, memory.ownVersions.isEmpty, Self.isUnchanged(state, list) { return }

        if state.supportsSyncCollection, !memory.refusesChanges, !mustCompare, isFirst || list.token != nil {
            do {
                return try readPages(of: list, state, sent: Set(memory.ownVersions.keys))
            } catch let error as CalDAVError where error.asksForComparison {
                if error.refusesChanges { memory.refusesChanges = true }
                self.memory.lists[list.id] = memory
                log.write(
                    .info, "All items of \(list.name) are compared: \(error)", account: account.name,
                    list: list.name)
            }
        }
        if list.reusesVersions { try readChangesBeforeComparison(of: list) }
        try compare(list, state)
    }

    /// Reads the texts that have changed since the token, because equal versions do not mean equal texts.
    private func readChangesBeforeComparison(of list: ListWork) throws {
        guard let token = list.token else { return }
        do {
            let page = try server.changes(in: list.urls.list, since: token)
            try take(page.changed.filter { list.urls.isMember($0.href) }, of: list)
        } catch let error as CalDAVError where error.asksForComparison {}
    }

    /// Reads the texts that could not be read before.
    private func readAgain(_ list: ListWork) throws {
        guard let unread = memory.lists[list.id]?.unread, !unread.isEmpty else { return }
        memory.lists[list.id]?.unread = []
        try take(
            unread.sorted { "\($0)" < "\($1)" }.map { RemoteItem(href: $0, etag: nil, text: nil) }, of: list)
    }

    /// Whether the list is as it was when the store took its last changes.
    private static func isUnchanged(_ state: ListState, _ list: ListWork) -> Bool {
        if let token = list.token, let present = state.syncToken { return token == present }
        if let ctag = list.ctag, let present = state.ctag { return ctag == present }
        return false
    }

    /// Checks the user and the permissions that the server sees.
    private func check(_ state: ListState, of list: ListWork) throws {
        if state.isReadOnly != list.isReadOnly {
            try update(list) { $0.readOnly = state.isReadOnly }
            list.isReadOnly = state.isReadOnly
        }
        if let name = state.displayName, !name.isEmpty, name != list.summary.name {
            try update(list) { $0.name = String(name.prefix(Self.nameLimit)) }
        }
        guard let known = account.principal.flatMap({ DAVURL($0) }), let present = state.principal,
            !present.isSameResource(as: known)
        else { return }
        let reason =
            "the server now regards you as \(present), not as \(known); check the user of the account"
        list.add(problem: reason)
        guard !list.holdsDeletions else { return }
        try update(list) { $0.heldDeletions = reason }
        list.holdsDeletions = true
        log.write(
            .warning, "Deletions in the list \(list.name) are held back: \(reason)", account: account.name,
            list: list.name)
    }

    // MARK: - Changes since a token

    /// Reads the changes since the token of a list.
    ///
    /// - Parameter sent: the URLs of the items that were sent since then. If the server does not mention one of them, it may have
    ///   been deleted.
    private func readPages(of list: ListWork, _ state: ListState, sent: Set<String>) throws {
        var unmentioned = sent
        var rest = ListWork.Rest()
        let isFirst = list.token == nil
        var token = list.token
        var pageCount = 0
        while true {
            let page = try server.changes(in: list.urls.list, since: token)
            let items = page.changed.filter { list.urls.isMember($0.href) }
            // The last mention of an item counts.
            for item in items {
                let url = list.urls.text(of: item.href)
                rest.deleted.remove(url)
                list.deletedURLs.remove(url)
                unmentioned.remove(url)
            }
            if !items.isEmpty { list.isAheadOfToken = true }
            try take(items, of: list)
            for item in page.deleted where list.urls.isMember(item) {
                let url = list.urls.text(of: item)
                if !list.deletedURLs.contains(url) { rest.deleted.insert(url) }
                unmentioned.remove(url)
            }
            pageCount += 1
            let isEmpty = page.changed.isEmpty && page.deleted.isEmpty
            let isStuck = page.hasMore && (page.token == token || isEmpty || pageCount >= Self.pagesLimit)
            token = page.token
            if !page.hasMore { break }
            // The comparison of all etags needs no pages.
            if isStuck { throw CalDAVError.tokenExpired(list.urls.list) }
        }
        if !unmentioned.isEmpty { return try compare(list, state) }
        rest.isPresent = true
        rest.token = token
        rest.ctag = state.ctag
        rest.isComparison = isFirst
        list.rest = rest
    }

    // MARK: - All etags

    private func compare(_ list: ListWork, _ state: ListState) throws {
        let items = try server.entries(in: list.urls.list).filter { list.urls.isMember($0.href) }
        var unknown: [String: Int] = [:]
        for (index, item) in items.enumerated() { unknown[list.urls.key(of: item.href)] = index }
        var rest = ListWork.Rest()
        var changed: [RemoteItem] = []
        try forEachEntry(of: list) { entry, key in
            if let index = unknown.removeValue(forKey: key) {
                if !Self.isVersion(items[index].etag, sameAs: entry.etag) { changed.append(items[index]) }
            } else if entry.etag != nil {
                // An entry that was never read may not have been sent yet.
                rest.missing.append(entry.url)
            }
        }
        changed += unknown.values.sorted().map { items[$0] }
        try take(changed, of: list)
        rest.isPresent = true
        // It was read before the items, so all changes up to it are among them.
        rest.token = state.supportsSyncCollection ? state.tokenAfterListing : nil
        rest.ctag = state.ctag
        rest.isComparison = true
        list.rest = rest
    }

    /// Calls `body` with each resource that the store knows, and the key of its URL.
    private func forEachEntry(of list: ListWork, _ body: (SyncEntrySummary, _ key: String) -> Void) throws {
        var parameters = ListSyncEntries.Parameters()
        parameters.list = list.id
        while true {
            let reply = try todod.call(ListSyncEntries.self, parameters)
            for entry in reply.entries { body(entry, DAVURL(entry.url).map(list.urls.key) ?? entry.url) }
            guard reply.hasMore, let last = reply.entries.last else { return }
            parameters.after = last.url
        }
    }

    private func knownVersions(of list: ListWork) throws -> [String: String] {
        var versions: [String: String] = [:]
        try forEachEntry(of: list) { entry, key in versions[key] = entry.etag }
        return versions
    }

    private static func isVersion(_ first: String?, sameAs second: String?) -> Bool {
        guard let first, let second else { return false }
        return EntityTag.isSameVersion(first, as: second)
    }

    // MARK: - Taking

    /// Passes the texts of items to todod, and reads those that are not in the answer.
    private func take(_ items: [RemoteItem], of list: ListWork) throws {
        let own = memory.lists[list.id]?.ownVersions ?? [:]
        var batch = ChangeBatch()
        let send = { (texts: [SyncText]) throws in
            _ = try self.take(list) { $0.changed = texts }
        }
        var unread: [RemoteItem] = []
        for item in items {
            let url = list.urls.text(of: item.href)
            if !list.reusesVersions, Self.isVersion(own[url], sameAs: item.etag) { continue }
            if item.text == nil {
                unread.append(item)
            } else {
                try add(item, of: list, to: &batch, send: send)
            }
        }
        if unread.count > Self.itemsPerBatch, !list.reusesVersions {
            // A server that has forgotten the token reports all items as changed.
            let known = try knownVersions(of: list)
            unread.removeAll { Self.isVersion(known[list.urls.key(of: $0.href)], sameAs: $0.etag) }
        }
        try forEachText(of: unread.map(\.href), in: list) { texts in
            for item in texts.found { try add(item, of: list, to: &batch, send: send) }
            // todod stores these texts while the server prepares the next ones.
            try batch.flush(send: send)
            for failure in texts.failed {
                memory.lists[list.id, default: ListMemory()].unread.insert(failure.href)
                list.add(problem: "\(failure.error)")
                log.write(
                    .warning, "An item of \(list.name) could not be read: \(failure.error)",
                    account: account.name, list: list.name)
            }
        }
        try batch.flush(send: send)
    }

    /// Calls `body` with the texts of items. The next ones are fetched in the meantime.
    private func forEachText(
        of hrefs: [DAVURL], in list: ListWork, _ body: (Texts) throws -> Void
    ) throws {
        let requests = stride(from: 0, to: hrefs.count, by: Self.itemsPerBatch).map {
            Array(hrefs[$0..<min($0 + Self.itemsPerBatch, hrefs.count)])
        }
        guard let first = requests.first else { return }
        var next = FetchedTexts(first, in: list.urls.list, from: server)
        for request in requests.dropFirst() {
            let texts = try next.wait()
            next = FetchedTexts(request, in: list.urls.list, from: server)
            do {
                try body(texts)
            } catch {
                // The connection to the server belongs to one request at a time.
                _ = try? next.wait()
                throw error
            }
        }
        try body(next.wait())
    }

    /// Passes the present text of an item that was to be sent to todod, and returns whether todod had it already.
    @discardableResult
    func merge(_ item: RemoteItem, of list: ListWork) throws -> Bool {
        var batch = ChangeBatch()
        var isKnown = false
        let send = { (texts: [SyncText]) throws in
            isKnown = try self.take(list) { $0.changed = texts }.unchanged > 0
        }
        try add(item, of: list, to: &batch, send: send)
        try batch.flush(send: send)
        if !isKnown {
            memory.lists[list.id, default: ListMemory()].ownVersions[list.urls.text(of: item.href)] =
                item.etag
        }
        return isKnown
    }

    private func add(
        _ item: RemoteItem, of list: ListWork, to batch: inout ChangeBatch,
        send: ([SyncText]) throws -> Void
    ) throws {
        guard let text = item.text else { return }
        var change = SyncText()
        change.url = list.urls.text(of: item.href)
        change.etag = item.etag
        if let excess = SyncText.excess(of: text) {
            change.problem = "it has \(excess)"
        } else if item.hasInvalidBytes {
            change.problem = "its text is not valid UTF-8"
        } else {
            change.text = text
        }
        try batch.add(change, send: send)
    }

    /// Passes the deletions to todod and, with the last call, the position after all changes.
    private func takeRest(of list: ListWork) throws {
        let rest = list.rest
        var calls = ChangeBatch.batches(of: rest.deleted.sorted()).map { (deleted: $0, missing: [String]()) }
        let missing = ChangeBatch.batches(of: rest.missing)
        if calls.count + missing.count > 1, !list.holdsDeletions {
            // todod sees only one batch at a time, so it cannot notice how many items are gone.
            let reason = "\(rest.deleted.count + rest.missing.count) tasks are gone on the server"
            try update(list) { $0.heldDeletions = reason }
            list.holdsDeletions = true
        }
        calls += missing.map { (deleted: [], missing: $0) }
        if calls.isEmpty { calls = [(deleted: [], missing: [])] }
        for (index, call) in calls.enumerated() {
            let isLast = index == calls.count - 1
            try take(list) { changes in
                changes.deleted = call.deleted
                changes.missing = call.missing
                guard isLast else { return }
                // An empty text removes a position that the server does not know any more.
                changes.token = rest.token ?? (list.token == nil ? nil : "")
                changes.ctag = rest.ctag ?? (list.ctag == nil ? nil : "")
                changes.complete = true
            }
        }
        list.rest = ListWork.Rest()
        list.isAheadOfToken = false
        list.token = rest.token
        list.ctag = rest.ctag
        var memory = memory.lists[list.id] ?? ListMemory()
        memory.isVerified = true
        memory.ownVersions = [:]
        if rest.isComparison {
            memory.comparedAt = now()
            memory.mustCompare = false
        }
        self.memory.lists[list.id] = memory
    }
}
