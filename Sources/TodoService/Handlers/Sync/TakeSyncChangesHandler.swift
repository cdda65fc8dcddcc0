internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct TakeSyncChangesHandler: Handler {
    let service: ServiceContext
    let alertSettings: () -> AlertSettings

    func handle(_ parameters: TakeSyncChanges.Parameters, _ answer: Answer<TakeSyncChanges>) throws {
        let store = SyncStore(context: service.store.context)
        for (index, text) in parameters.changed.enumerated() {
            try TypedValue.checkSyncText(text.problem, field: "changed[\(index)].problem")
        }
        let list = try store.list(parameters.list)
        let reply = try service.changes.saving {
            try store.restoreCategory(of: list)
            guard list.category != nil else {
                throw APIError.invalidValue(
                    field: "list", reason: "the category of the list '\(list.name ?? list.href)' was deleted")
            }
            // All changes after this one are those of the receiver.
            let sender = SyncSender(service, list)
            let recordsChanges = try sender.recordsChanges
            if recordsChanges { try sender.findChanges() }
            let receiver = SyncReceiver(service, list)
            try receiver.take(parameters.changed)
            try takeDeletions(parameters, list, receiver)
            if parameters.complete == true { try receiver.completeRelations() }
            if let token = parameters.token { list.token = token.isEmpty ? nil : token }
            if let ctag = parameters.ctag { list.ctag = ctag.isEmpty ? nil : ctag }
            if parameters.complete == true { list.lastSyncDate = service.times.now() }
            try sender.save(allAreMarked: receiver.allAreMarked)
            if recordsChanges, !receiver.allAreMarked { try sender.findChanges() }
            try receiver.didSave(alertSettings())
            return try receiver.finalReply()
        }
        answer.reply(ofChange: reply)
        service.events.itemsDidChange()
    }

    private func takeDeletions(
        _ parameters: TakeSyncChanges.Parameters, _ list: SyncList, _ receiver: SyncReceiver
    ) throws {
        let context = service.store.context
        let store = SyncStore(context: context)
        let isLinked = { (entry: SyncEntry) in
            entry.toDo != nil && entry.readText != nil && (list.isReadOnly || !entry.mayBeGone)
        }
        // A task that another list has now was moved, and not deleted.
        let isMoved = { (entry: SyncEntry) in
            try isLinked(entry) && store.movedEntry(of: entry) != nil
        }
        let deleted = try parameters.deleted.compactMap { try store.entry($0, in: list) }
        let missing = try parameters.missing.compactMap { try store.entry($0, in: list) }
        guard !deleted.isEmpty || !missing.isEmpty || list.heldDeletions != nil else { return }
        let present = SyncEntry.where { $0.list == list && $0.toDo != nil && $0.readText != nil }
        // Items that were restored after their deletion was sent are not deleted again.
        let restored = SyncEntry.where {
            $0.list == list && $0.toDo != nil && $0.readText != nil && $0.mayBeGone == true
        }
        let missingEntries = SyncEntry.where { $0.list == list && $0.isMissing == true }
        let moved = try (deleted + missing).filter(isMoved)
        let isDeleted = { (entry: SyncEntry) in isLinked(entry) && !moved.contains { $0 === entry } }
        let restoredCount = list.isReadOnly ? 0 : try context.count(restored)
        let known = try context.count(present) - restoredCount - moved.count
        let reason =
            list.heldDeletions
            ?? SyncDeletions.reason(
                known: known, deleted: deleted.count(where: isDeleted),
                missing: missing.count(where: isDeleted))
        for entry in deleted + missing {
            if reason == nil || !isDeleted(entry) || receiver.isChanged(entry) {
                try receiver.takeDeletion(of: entry)
            } else {
                entry.isMissing = true
            }
        }
        let isHeld = try context.exists(missingEntries)
        list.heldDeletions = isHeld || parameters.complete != true ? reason : nil
    }
}
