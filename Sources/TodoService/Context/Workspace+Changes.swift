internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// Undo and redo.
extension Workspace {
    static func changeCount(_ parameters: ChangeCount) throws(APIError) -> Int {
        let count = parameters.count ?? 1
        guard (1...ChangeCount.limit).contains(count) else {
            throw .invalidValue(field: "count", reason: "expected a number from 1 to \(ChangeCount.limit)")
        }
        return Int(count)
    }

    /// Runs `body`, which undoes or redoes changes, and saves the result in batches.
    ///
    /// `body` calls its second argument after each batch. Must be called inside `asWhole`.
    func replay(
        _ body: (ChangeLog, _ endLot: ([ChangeLog.Entry]) throws -> Void) throws -> [ChangeLog.Entry]
    ) throws -> [ChangeNotice] {
        var entries: [ChangeLog.Entry] = []
        do {
            try saving {
                entries = try body(changes) { done in
                    entries = done
                    try context.noteModifications(at: now())
                    try context.save()
                }
                try context.noteModifications(at: now())
            }
        } catch let error as UndoError {
            throw APIError(error)
        } catch let error as ValidationError {
            throw APIError(rival: error, of: entries) ?? error
        }
        withdrawAlerts(entries.flatMap(\.itemIDs))
        return entries.map {
            ChangeNotice(what: $0.what, method: $0.method, madeAt: $0.madeDate, ids: $0.itemIDs)
        }
    }
}

extension APIError {
    fileprivate init(_ error: UndoError) {
        switch error {
        case .nothingToUndo: self = .nothingToUndo(reason: "there is no change to undo", backup: nil)
        case .nothingToRedo:
            self = .nothingToUndo(reason: "nothing was undone since the last change", backup: nil)
        case .tooLarge(let what, let backup):
            self = .nothingToUndo(reason: "\(what) exceeds the undo limit", backup: backup)
        case .unreadable(let method):
            self = .nothingToUndo(
                reason: "the last change, \(method), was written by a program of another version", backup: nil
            )
        case .conflict(let conflict):
            self = .undoConflict(
                what: conflict.what, item: conflict.item, name: conflict.name,
                changed: conflict.properties.map(ItemField.name(ofProperty:)), reason: conflict.reason)
        }
    }

    /// Creates the error of a value that must be unique and that another object has by now, or returns `nil` for
    /// other errors.
    fileprivate init?(rival error: ValidationError, of entries: [ChangeLog.Entry]) {
        guard let failure = error.failures.first, failure.rule == .unique, let last = entries.last else {
            return nil
        }
        let item = failure.entity == "ToDo" ? failure.id : nil
        let entry = item.flatMap { id in entries.first { $0.itemIDs.contains(id) } }
        let field = ItemField.name(ofProperty: failure.property)
        self = .undoConflict(
            what: (entry ?? last).what, item: item, name: "", changed: [field],
            reason: "another \(item == nil ? "category" : "item") has its \(field) now")
    }
}
