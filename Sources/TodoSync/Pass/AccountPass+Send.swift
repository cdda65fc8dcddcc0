internal import CalDAV
internal import CivilTime
internal import Systemd
internal import TodoAPI

// MARK: - Sending the changes of the store

extension AccountPass {
    /// The time after which a refused change is sent again, although the item was not changed.
    static let refusalSeconds = 3_600.0
    /// The number of refusals in a pass after which no more changes of the list are sent.
    private static let refusalsLimit = 20

    /// Sends the changed texts of all lists, then the deletions of all lists.
    ///
    /// An item that was moved to another list therefore exists at all times. If the server does not accept the same UID in
    /// two lists, the deletion is sent first.
    func send(_ lists: [ListWork]) throws(PassFailure) {
        var senders = lists.filter { !$0.isReadOnly && $0.unsent > 0 }
        for list in senders { list.attempted = [] }
        storedUIDs = []
        while !senders.isEmpty {
            for list in senders {
                list.deletes = []
                list.uidConflicts = []
                list.hasMoreUploads = false
                try perform(list) { try sendTexts(of: list) }
            }
            var deletedUIDs: Set<String> = []
            let conflictUIDs = Set(senders.flatMap(\.uidConflicts).map(\.upload.uid))
            for list in senders {
                // The server would have no text of an item that another list has refused.
                list.deletes.removeAll { upload in
                    upload.isMoved == true && !storedUIDs.contains(upload.uid)
                        && !conflictUIDs.contains(upload.uid)
                }
            }
            for list in senders where !list.deletes.isEmpty {
                try perform(list) { deletedUIDs.formUnion(try sendDeletions(of: list)) }
            }
            for list in senders where !list.uidConflicts.isEmpty {
                try perform(list) { try resolveConflicts(of: list, deletedUIDs) }
            }
            senders = senders.filter { $0.hasMoreUploads && !$0.hasFailed }
        }
    }

    private func sendTexts(of list: ListWork) throws {
        if list.retriesRefused { memory.lists[list.id]?.forgetRefusals() }
        if let block = memory.lists[list.id]?.block, now() < block.until {
            return list.add(problem: block.reason)
        }
        var refusalCount = 0
        var parameters = ListSyncUploads.Parameters()
        parameters.list = list.id
        parameters.retry = list.retriesRefused ? true : nil
        list.retriesRefused = false
        while refusalCount < Self.refusalsLimit {
            let reply = try todod.call(ListSyncUploads.self, parameters)
            let fresh = reply.uploads.filter { list.attempted.insert([$0.url, $0.state]).inserted }
            // The others are recorded already, or cannot be sent now.
            if fresh.isEmpty {
                list.hasMoreUploads = reply.hasMore && !list.deletes.isEmpty
                return
            }
            parameters.retry = nil
            list.deletes += fresh.filter { $0.text == nil }
            refusalCount += try send(fresh.filter { $0.text != nil }, of: list) { upload, existing in
                list.uidConflicts.append((upload, existing))
            }
            if !reply.hasMore { return }
        }
    }

    /// Sends the deletions of a list, and returns the UIDs of the deleted items.
    private func sendDeletions(of list: ListWork) throws -> [String] {
        let before = list.sent
        _ = try send(list.deletes, of: list) { _, _ in }
        return list.sent > before ? list.deletes.map(\.uid) : []
    }

    /// Sends the texts again whose UID was that of an item which is deleted now. For the others, the item with the same UID
    /// is read.
    private func resolveConflicts(of list: ListWork, _ deletedUIDs: Set<String>) throws {
        let conflicts = list.uidConflicts
        list.uidConflicts = []
        var others = conflicts.filter { !deletedUIDs.contains($0.upload.uid) }
        let retried = conflicts.filter { deletedUIDs.contains($0.upload.uid) }.map(\.upload)
        _ = try send(retried, of: list) { others.append(($0, $1)) }
        for (upload, existing) in others {
            list.needsRound = true
            if let existing, list.urls.isMember(existing), let item = try server.text(at: existing) {
                try merge(item, of: list)
            } else if list.comparedConflicts.insert(upload.url).inserted {
                memory.lists[list.id, default: ListMemory()].mustCompare = true
            } else {
                let reason = "another task on the server has the same UID; delete one of them"
                try record([refusal(of: upload, reason, list)], of: list)
            }
        }
    }

    // MARK: - Single changes

    /// Sends changes in order, and records their results in small batches.
    ///
    /// - Parameter uidConflict: called for a text that the server refused because of its UID.
    /// - Returns: the number of refused changes.
    private func send(
        _ uploads: [SyncUpload], of list: ListWork,
        uidConflict: (SyncUpload, _ existing: DAVURL?) -> Void
    ) throws -> Int {
        let attempt = UploadAttempt(server: server)
        var results = ResultBatch()
        var refusalCount = 0
        let record = { (batch: [SyncUploadResult]) throws in try self.record(batch, of: list) }
        do {
            for upload in uploads {
                if let reason = earlierRefusal(of: upload, list) {
                    list.add(problem: reason)
                    continue
                }
                guard try isCurrent(upload, of: list, flush: { try results.flush(send: record) }) else {
                    continue
                }
                switch try attempt.send(upload) {
                case .stored(let result):
                    list.sent += 1
                    list.needsRound = true
                    if upload.text == nil {
                        list.deletedURLs.insert(upload.url)
                    } else {
                        list.deletedURLs.remove(upload.url)
                        storedUIDs.insert(upload.uid)
                    }
                    try results.add(result, send: record)
                case .outdated(let item?):
                    list.needsRound = true
                    try results.flush(send: record)
                    try merge(item, of: list)
                case .outdated(nil): noteGoneItem(of: list)
                case .unsent: list.needsRound = true
                case .uidConflict(let existing): uidConflict(upload, existing)
                case .failed where list.failedURLs.insert(upload.url).inserted:
                    refusalCount += 1
                    list.needsRound = true
                case .failed(let reason):
                    refusalCount += 1
                    try results.add(refusal(of: upload, reason, list), send: record)
                case .refused(let reason, let concernsList):
                    refusalCount += 1
                    try results.add(refusal(of: upload, reason, list), send: record)
                    if concernsList {
                        memory.lists[list.id, default: ListMemory()].block = (
                            reason, now() + Self.refusalSeconds
                        )
                    }
                    if concernsList || refusalCount >= Self.refusalsLimit {
                        try results.flush(send: record)
                        return Self.refusalsLimit
                    }
                }
            }
        } catch {
            // The results so far are known, whatever has happened to the next change.
            try results.flush(send: record)
            throw error
        }
        try results.flush(send: record)
        return refusalCount
    }

    /// Reads an item before a write whose condition would not protect another version. Returns whether the version on the server
    /// is the one that the write replaces.
    ///
    /// - Parameter flush: records the results so far.
    private func isCurrent(
        _ upload: SyncUpload, of list: ListWork, flush: () throws -> Void
    ) throws -> Bool {
        guard list.reusesVersions, let url = DAVURL(upload.url) else { return true }
        do {
            guard let item = try server.text(at: url) else {
                if upload.etag == nil || upload.text == nil { return true }
                noteGoneItem(of: list)
                return false
            }
            try flush()
            let isUnchanged = try merge(item, of: list)
            // A deletion has no condition, so another change must not come after the merge.
            if isUnchanged, upload.etag != nil {
                if upload.text != nil { return true }
                if try server.text(at: url) == item { return true }
            }
            list.needsRound = true
            return false
        } catch let error as CalDAVError where error.isAboutOneItem {
            list.add(problem: "\(error)")
            return false
        }
    }

    /// Requests another round, in which a comparison finds a deletion. It is applied after the changes of all lists, like others.
    private func noteGoneItem(of list: ListWork) {
        list.needsRound = true
        list.hasGoneItem = true
        memory.lists[list.id, default: ListMemory()].mustCompare = true
    }

    private func earlierRefusal(of upload: SyncUpload, _ list: ListWork) -> String? {
        memory.lists[list.id]?.refusal(of: upload, now: now())
    }

    private func refusal(of upload: SyncUpload, _ reason: String, _ list: ListWork) -> SyncUploadResult {
        memory.lists[list.id, default: ListMemory()].add(
            ListMemory.Refusal(
                state: upload.state, etag: upload.etag, reason: reason, until: now() + Self.refusalSeconds),
            of: upload.url, now: now())
        list.add(problem: reason)
        log.write(
            .warning, "The server did not accept a change in \(list.name): \(reason)", id: .syncItemRefused,
            account: account.name, list: list.name)
        var result = SyncUploadResult()
        result.url = upload.url
        result.state = upload.state
        result.problem = reason
        return result
    }

    private func record(_ results: [SyncUploadResult], of list: ListWork) throws {
        var parameters = RecordSyncUploads.Parameters()
        parameters.list = list.id
        parameters.results = results
        _ = try todod.call(RecordSyncUploads.self, parameters)
        for result in results where result.problem == nil {
            // A deleted item has no etag.
            memory.lists[list.id, default: ListMemory()].ownVersions[result.url] = result.etag
        }
        didProgress(list)
    }
}

/// Results of uploads that are recorded with one call.
private struct ResultBatch {
    private static let resultsLimit = 20
    private static let bytesLimit = 300 << 10

    private var results: [SyncUploadResult] = []
    private var byteCount = 0

    mutating func add(_ result: SyncUploadResult, send: ([SyncUploadResult]) throws -> Void) rethrows {
        let count = [result.sentText, result.text].compactMap(\.self).reduce(0) {
            $0 + SyncText.messageByteCount(of: $1)
        }
        if byteCount + count > Self.bytesLimit { try flush(send: send) }
        results.append(result)
        byteCount += count
        if results.count >= Self.resultsLimit { try flush(send: send) }
    }

    mutating func flush(send: ([SyncUploadResult]) throws -> Void) rethrows {
        if results.isEmpty { return }
        try send(results)
        results = []
        byteCount = 0
    }
}
