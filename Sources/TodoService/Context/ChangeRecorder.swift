internal import Alerts
internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import Systemd
internal import TodoAPI

/// Saves changes together with their records for undo. Confined to the queue of its context.
final class ChangeRecorder {
    private let context: ManagedObjectContext
    private let changeLog: ChangeLog
    private let store: StoreConfiguration
    private let events: ServiceEvents
    private let cancellation: Cancellation
    private let now: @Sendable () -> Timestamp
    private let log: Log
    /// A remark on the last change for the user.
    private(set) var remark: String?

    /// Creates a recorder.
    ///
    /// - Parameter cancellation: cancels the changes when their caller disconnects.
    init(
        context: ManagedObjectContext, store: StoreConfiguration, events: ServiceEvents,
        cancellation: Cancellation,
        now: @escaping @Sendable () -> Timestamp, log: Log
    ) {
        self.context = context
        changeLog = ChangeLog(context: context)
        self.store = store
        self.events = events
        self.cancellation = cancellation
        self.now = now
        self.log = log
    }

    // MARK: - One change

    /// Makes a change and saves it, together with the record for undo. If any part fails, nothing has changed.
    ///
    /// - Parameter method: the name of the method that makes the change.
    func change<Result>(_ method: String, _ body: () throws -> Result) throws -> Result {
        try changeInBatches(method) { draft in
            let result = try body()
            try context.recordModifications(at: now())
            try draft.add()
            return result
        }
    }

    /// Makes a change in batches, because it is too large to be in memory at once.
    ///
    /// `body` adds each batch to the draft, and saves all of them except the last. Must be called inside `inTransaction`.
    func changeInBatches<Result>(
        _ method: String, _ body: (inout ChangeDraft) throws -> Result
    ) throws -> Result {
        try saving {
            try changeLog.trim()
            var draft = changeLog.draft()
            let result = try body(&draft)
            try record(method, &draft)
            try checkCancelled()
            return result
        }
    }

    /// Throws if the change was cancelled.
    func checkCancelled() throws { try cancellation.check() }

    /// Saves the changes that `body` makes, or none of them. If the store is locked, it throws before `body` begins.
    func saving<Result>(_ body: () throws -> Result) throws -> Result {
        try context.coordinator.reserveStores()
        do {
            let result = try body()
            try context.save()
            return result
        } catch {
            context.rollback()
            throw error
        }
    }

    /// Records the change for undo or, if it exceeds the undo limit, makes a safety copy of the store.
    private func record(_ method: String, _ draft: inout ChangeDraft) throws {
        remark = nil
        if try changeLog.record(method, &draft, at: now()) { return }
        let count = draft.itemCount
        if let error = context.coordinator.openingError { throw error }
        let copy = try SafetyCopy(store: store).make(
            before: method, at: now(), checkCancelled: checkCancelled)
        try changeLog.recordLarge(method, items: count, backup: copy, at: now())
        let kept = copy.map { "; the store from before the change is kept in \($0)" } ?? ""
        let text = "\(method) of \(count) items cannot be undone\(kept)"
        remark = text
        log.write(.notice, text)
    }

    // MARK: - Commits

    /// Runs `body` with one COMMIT for all its changes. If that fails, nothing has changed.
    func sharingCommit<Result>(_ body: () throws -> Result) throws -> Result {
        try committing { try context.coordinator.batch(body) }
    }

    /// Runs `body` with one COMMIT for everything that it saves. If it throws, nothing is kept.
    ///
    /// Unlike with `sharingCommit`, saved objects need not stay in memory.
    func inTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        try committing { try context.coordinator.transaction(body) }
    }

    private func committing<Result>(_ work: () throws -> Result) throws -> Result {
        let result: Result
        do {
            result = try work()
        } catch {
            events.didRollBack()
            context.rollback()
            throw error
        }
        events.didCommit()
        return result
    }

    // MARK: - Undo

    /// Runs `body`, which undoes or redoes changes, and saves the result in batches.
    ///
    /// `body` calls its second argument after each batch. Must be called inside `inTransaction`.
    func replay(
        _ body: (ChangeLog, _ endBatch: ([ChangeLog.Entry]) throws -> Void) throws -> [ChangeLog.Entry]
    ) throws -> [ChangeNotice] {
        var entries: [ChangeLog.Entry] = []
        do {
            try saving {
                entries = try body(changeLog) { done in
                    entries = done
                    try context.recordModifications(at: now())
                    try context.save()
                }
                try context.recordModifications(at: now())
            }
        } catch let error as UndoError {
            throw APIError(error)
        } catch let error as ValidationError {
            throw APIError(rival: error, of: entries) ?? error
        }
        events.closeAlerts(of: entries.flatMap(\.itemIDs))
        return entries.map {
            ChangeNotice(summary: $0.summary, method: $0.method, madeAt: $0.madeDate, ids: $0.itemIDs)
        }
    }
}

extension APIError {
    fileprivate init(_ error: UndoError) {
        switch error {
        case .nothingToUndo: self = .nothingToUndo(reason: "there is no change to undo", backup: nil)
        case .nothingToRedo:
            self = .nothingToUndo(reason: "nothing was undone since the last change", backup: nil)
        case .tooLarge(let summary, let backup):
            self = .nothingToUndo(reason: "\(summary) exceeds the undo limit", backup: backup)
        case .unreadable(let method):
            self = .nothingToUndo(
                reason: "the last change, \(method), was written by a program of another version", backup: nil
            )
        case .conflict(let conflict):
            self = .undoConflict(
                summary: conflict.summary, item: conflict.item, name: conflict.name,
                changed: conflict.properties.map(ItemField.name(ofProperty:)), reason: conflict.reason,
                isTag: conflict.isTag ? true : nil)
        }
    }

    /// Creates the error of a value that must be unique and that another object has by now, or returns `nil` for
    /// other errors.
    fileprivate init?(rival error: ValidationError, of entries: [ChangeLog.Entry]) {
        guard let failure = error.failures.first, failure.rule == .unique, let last = entries.last else {
            return nil
        }
        let item = failure.entity == ToDo.entityName ? failure.id : nil
        let isTag = failure.entity == Tag.entityName
        let entry = item.flatMap { id in entries.first { $0.itemIDs.contains(id) } }
        let field = ItemField.name(ofProperty: failure.property)
        self = .undoConflict(
            summary: (entry ?? last).summary, item: item, name: "", changed: [field],
            reason: item != nil && field == "uid"
                ? "it exists already, because a synchronization or an import has brought it back"
                : "another \(item != nil ? "item" : isTag ? "tag" : "category") has its \(field) now",
            isTag: isTag ? true : nil)
    }
}
